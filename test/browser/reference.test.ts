import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createSandbox, type Sandbox } from '../../src/index.js'
import { launchChromium, noChromium, recordPageErrors } from './chromium.js'

// Chromium opens the reference as the build has made it, over a sandbox of its own.

const DEMO_KEY = 'SandrampFullAccessKey00000000001'
const WIDE = { width: 1280, height: 900 }
const BALANCES = '/payment/api/v1/custody-wallet/total-balances'

let sandbox: Sandbox
let browser: Browser
let origin: string
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

// In every test, no request may go to another site and nothing may be logged as an error.
afterEach(() => {
  expect(troubles.splice(0)).toEqual([])
})

const coverText = (page: Page) =>
  page.locator('#app').evaluate((app) => getComputedStyle(app, '::before').content)

/** Opens the reference and returns the text that covers the page before and after Scalar starts. */
const open = async () => {
  const context = await browser.newContext({ viewport: WIDE, colorScheme: 'dark' })
  context.setDefaultTimeout(60_000)
  await recordPageErrors(context, origin, troubles)
  const page = await context.newPage()
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/reference/scalar.js', (route) => released.then(() => route.continue()))
  await page.goto(`${origin}/reference`, { waitUntil: 'commit' })
  // The style sheet may arrive later than the page. Scalar waits until it is there.
  await page.waitForFunction(() => {
    const app = document.querySelector('#app')
    return app && getComputedStyle(app, '::before').content !== 'none'
  })
  const early = await coverText(page)
  release()
  await heading(page, 'Create payout').waitFor()
  return { page, covers: [early, await coverText(page)] }
}

/** The browser needs seconds to draw the page, so all tests share one and leave no dialog open. */
let opened: ReturnType<typeof open> | undefined
const visit = () => {
  opened ??= open()
  return opened
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true })
const operationInMenu = (page: Page, name: string) =>
  page.getByRole('navigation', { name: /^Sidebar/ }).getByText(name, { exact: true })

/** Opens the dialog of an operation and sends its request. */
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

describe.skipIf(noChromium)('the reference', () => {
  test('carries the name of the product, and covers the page with a text until it is drawn', async () => {
    const { page, covers } = await visit()
    expect(covers).toEqual(['"Opening the reference…"', 'none'])
    expect(await page.title()).toBe('Sandramp · API reference')
    await page.getByRole('banner').getByText('Sandramp', { exact: true }).waitFor()
    const icon = page.getByRole('banner').locator('img')
    expect(await icon.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    expect(
      await page
        .getByText(/powered by|ask ai|open api client/i)
        .locator('visible=true')
        .count(),
    ).toBe(0)
  })

  test('opens on a command that a shell runs as it is shown', async () => {
    const { page } = await visit()
    const command = await page.getByText('curl -H').first().innerText()
    expect(command).toContain(`x-api-key: ${DEMO_KEY}`)
    const { stdout } = await promisify(execFile)('bash', [
      '-c',
      command.replace('curl', 'curl -sS'),
    ])
    expect(JSON.parse(stdout)).toHaveLength(8)
  })
})

// The dialog takes seconds to draw, so one request shows all that is to be seen of it.
test.skipIf(noChromium)(
  'fits 360 pixels, where a request reaches this sandbox with the demo key',
  async () => {
    const { page } = await visit()
    await page.setViewportSize({ width: 360, height: 740 })
    const width = () => page.evaluate(() => document.documentElement.scrollWidth)
    expect(await width()).toBe(360)
    const link = page.getByRole('banner').getByRole('link', { name: 'Console' })
    await link.waitFor()
    const { dialog, response } = await tryIt(page, BALANCES)
    expect(response.request().headers()['x-api-key']).toBe(DEMO_KEY)
    expect(response.status()).toBe(200)
    const headers = { 'x-api-key': DEMO_KEY }
    const balances = await (await sandbox.fetch(BALANCES, { headers })).json()
    expect(balances.length).toBeGreaterThan(0)
    expect(await response.json()).toEqual(balances)
    await dialog.getByText('200 OK').waitFor()
    await dialog.getByText(`"${balances[0].contract_address}"`).waitFor()
    expect(await width()).toBe(360)
    expect(await link.isVisible()).toBe(false)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await link.waitFor()
  },
)

test.skipIf(noChromium)('the control document can be chosen and needs no key', async () => {
  const { page } = await visit()
  await page.setViewportSize(WIDE)
  await page.getByRole('button', { name: 'Payments service' }).click()
  await page.getByRole('option', { name: 'Sandbox control' }).click()
  await operationInMenu(page, 'Clock').click()
  await heading(page, 'Advance the clock').waitFor()
  expect(await heading(page, 'Create payout').count()).toBe(0)
  // Operations are drawn as they come into view, and answers name this path too.
  const sample = page
    .locator('.scalar-code-block', { hasText: /curl[\s\S]*\/_sandbox\/clock\/advance/ })
    .first()
  expect(await sample.textContent()).not.toContain('x-api-key')
})
