import type { Browser, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.js'
import { launchChromium, noChromium, noteTroubles } from '../support/chromium.js'

// Chromium opens the reference as the build has made it, over a sandbox of its own.

const DEMO_KEY = 'SandrampFullAccessKey00000000001'
const WIDE = { width: 1280, height: 900 }
const BALANCES = '/payment/api/v1/custody-wallet/total-balances'
const USERS = '/onboarding/api/v1/users/all'

let sandbox: Sandbox
let browser: Browser
let origin: string
let close: (() => Promise<void>) | undefined
/** A page that takes seconds to draw: tests that leave it as they found it share one. */
let shared: Promise<Page> | undefined
const troubles: string[] = []

beforeAll(async () => {
  if (noChromium) return
  sandbox = await createSandbox({ clock: 'manual' })
  origin = new URL((await sandbox.listen({ port: 0 })).url).origin
  browser = await launchChromium()
})

afterAll(async () => {
  await browser?.close()
  await sandbox?.close()
})

// Whatever a test looks at: nothing may come from elsewhere, and nothing may complain.
afterEach(async () => {
  const seen = troubles.splice(0)
  await close?.()
  close = undefined
  expect(seen).toEqual([])
})

const visitShared = (): Promise<Page> => {
  shared ??= open('dark').then(async (page) => {
    await page.goto(`${origin}/reference`)
    return page
  })
  return shared
}

const open = async (colorScheme: 'dark' | 'light'): Promise<Page> => {
  const context = await browser.newContext({ viewport: WIDE, colorScheme })
  context.setDefaultTimeout(60_000)
  await noteTroubles(context, origin, troubles)
  return context.newPage()
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const operationInMenu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: /^Sidebar/ }).getByText(name, { exact: true })

/**
 * Opens the dialog of an operation and sends the request as it stands. Each test tries one of its own: an answer that
 * is there already would be taken for the one that is still on its way.
 */
const tryIt = async (page: Page, path: string) => {
  await page.getByRole('button', { name: new RegExp(`^Test Request.*${path}`) }).click()
  const dialog = page.getByRole('dialog', { name: 'API Client' })
  const send = dialog.getByRole('button', { name: /^Send \w+ request to/ })
  const [response] = await Promise.all([
    page.waitForResponse((answer) => new URL(answer.url()).pathname === path),
    send.click(),
  ])
  return { dialog, response }
}

const leave = async (page: Page, dialog: Locator) => {
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
}

describe.skipIf(noChromium)('the reference', () => {
  test('carries the name of the product', async () => {
    const page = await visitShared()
    expect(await page.title()).toBe('Sandramp · API reference')
    await page.getByRole('banner').getByText('Sandramp', { exact: true }).waitFor()
    const icon = page.getByRole('banner').locator('img')
    expect(await icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await heading(page, 'Create payout').waitFor()
    expect(
      await page
        .getByText(/powered by|ask ai|open api client/i)
        .locator('visible=true')
        .count(),
    ).toBe(0)
  })

  test('switches to the control document, whose requests need no key, and back', async () => {
    const page = await visitShared()
    await heading(page, 'Create payout').waitFor()
    await page.getByRole('button', { name: 'Payments service' }).click()
    await page.getByRole('option', { name: 'Sandbox control' }).click()
    await operationInMenu(page, 'Clock').click()
    await heading(page, 'Advance the clock').waitFor()
    expect(await heading(page, 'Create payout').count()).toBe(0)
    const { dialog, response } = await tryIt(page, '/_sandbox/audit')
    expect(response.request().headers()['x-api-key']).toBeUndefined()
    expect(await response.json()).toMatchObject({ ok: true })
    await dialog.getByText('200 OK').waitFor()
    await leave(page, dialog)
    await page.getByRole('button', { name: 'Sandbox control' }).click()
    await page.getByRole('option', { name: 'Payments service' }).click()
    await heading(page, 'Create payout').waitFor()
  })

  test('finds an operation', async () => {
    const page = await visitShared()
    await operationInMenu(page, 'Create payout').waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox').fill('crypto balance')
    await page.getByRole('option', { name: /Get crypto balance/ }).click()
    await page.waitForURL(/crypto-balance/)
    await page.waitForFunction(() => {
      const headings = [...document.querySelectorAll('h3')]
      const top = headings
        .find((h) => h.textContent?.includes('Get crypto balance'))
        ?.getBoundingClientRect().top
      return top !== undefined && top >= 0 && top < innerHeight
    })
  })

  test('opens on how to call the API', async () => {
    const page = await visitShared()
    const [curl] = await page.getByText('curl -H').all()
    expect(await curl?.textContent()).toContain(`x-api-key: ${DEMO_KEY}`)
  })

  test('shows what fields and answers rest on', async () => {
    const page = await visitShared()
    const metadata = page
      .locator('li.property', { hasText: 'Text that holds a JSON object' })
      .last()
    await metadata.getByText('documented (user.formats)', { exact: true }).waitFor()
  })

  test('folds the open questions of an operation below its answers, highest risk first', async () => {
    const page = await visitShared()
    const operation = page.locator('.operation-details', { hasText: 'Pays an amount in local' })
    const questions = operation.locator('> :last-child')
    const summary = questions.getByText(/^Open questions \(\d+\)$/)
    await summary.waitFor()
    const links = operation.locator('a[href*="/assumptions/"]')
    expect(await links.locator('visible=true').count()).toBe(0)
    await summary.click()
    const { paths } = await (await sandbox.fetch('/openapi.json')).json()
    const ids: string[] = paths['/payment/api/v1/payout'].post['x-assumptions']
    expect(await links.locator('visible=true').allTextContents()).toEqual(ids)
    expect(await summary.textContent()).toBe(`Open questions (${ids.length})`)
    const items = await questions.getByRole('listitem').allTextContents()
    const risks = items.map((text) => /\((high|medium|low) risk\)/.exec(text)?.[1] ?? text)
    expect([...new Set(risks)]).toEqual(['high', 'medium', 'low'])
    const order = ['high', 'medium', 'low']
    expect(risks).toEqual(risks.toSorted((a, b) => order.indexOf(a) - order.indexOf(b)))
    const href = await questions.getByRole('link', { name: 'payout.repeat' }).getAttribute('href')
    expect((await sandbox.fetch(href ?? '')).status).toBe(200)
    await summary.click()
  })
})

describe.skipIf(noChromium)('a request from the reference', () => {
  test('reaches this sandbox with the demo key', async () => {
    const page = await visitShared()
    const { dialog, response } = await tryIt(page, BALANCES)
    expect(response.request().headers()['x-api-key']).toBe(DEMO_KEY)
    expect(response.status()).toBe(200)
    const headers = { 'x-api-key': DEMO_KEY }
    const balances = await (await sandbox.fetch(BALANCES, { headers })).json()
    expect(balances.length).toBeGreaterThan(0)
    expect(await response.json()).toEqual(balances)
    await dialog.getByText('200 OK').waitFor()
    await dialog.getByText(`"${balances[0].contract_address}"`).waitFor()
    await leave(page, dialog)
  })
})

const isDark = (page: Page) =>
  page.evaluate(() => {
    const [red = 0] = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []
    return Number(red) < 128
  })

const switchScheme = async (page: Page, to: 'light' | 'dark') => {
  await page.locator('.darklight-reference').getByRole('button').click()
  await page.locator(`body.${to}-mode`).waitFor()
  expect(await isDark(page)).toBe(to === 'dark')
}

describe.skipIf(noChromium)('the scheme', () => {
  test('is dark on a dark machine, and light when told so', async () => {
    const page = await visitShared()
    await heading(page, 'Create payout').waitFor()
    expect(await isDark(page)).toBe(true)
    await switchScheme(page, 'light')
    await switchScheme(page, 'dark')
  })

  test('is light on a light machine, and the page says what it is at until it is drawn', async () => {
    const page = await open('light')
    close = () => page.context().close()
    let goOn: () => void = () => {}
    const held = new Promise<void>((resolve) => {
      goOn = resolve
    })
    await page.route('**/reference/scalar.js', async (route) => {
      await held
      await route.continue()
    })
    await page.goto(`${origin}/reference`, { waitUntil: 'commit' })
    const words = () =>
      page.locator('#app').evaluate((app) => getComputedStyle(app, '::before').content)
    expect(await words()).toBe('"Opening the reference…"')
    goOn()
    await heading(page, 'Create payout').waitFor()
    expect(await words()).toBe('none')
    await page.locator('body.light-mode').waitFor()
    expect(await isDark(page)).toBe(false)
  })
})

test.skipIf(noChromium).each([999, 1000, 1001])(
  'the menu covers no text on a page of %d pixels, where narrow ones become wide',
  async (width) => {
    const page = await visitShared()
    await page.setViewportSize({ width, height: 900 })
    await heading(page, 'Create payout').waitFor()
    await page.waitForFunction((isWide) => {
      const menu = document.querySelector('.t-doc__sidebar')?.getBoundingClientRect()
      const text = document.querySelector('.references-rendered h1')?.getBoundingClientRect()
      return (menu !== undefined) === isWide && text && (menu?.right ?? 0) <= text.left
    }, width >= 1000)
    await page.setViewportSize(WIDE)
  },
)

test.skipIf(noChromium)(
  'the page fits 360 pixels, also when something is tried there',
  async () => {
    const page = await visitShared()
    await page.setViewportSize({ width: 360, height: 740 })
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    await heading(page, 'List users').waitFor()
    expect(await width()).toBe(360)
    const { dialog } = await tryIt(page, USERS)
    await dialog.getByText('200 OK').waitFor()
    expect(await width()).toBe(360)
    await leave(page, dialog)
    await page.setViewportSize(WIDE)
  },
)
