import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { noChromium } from '../support/chromium.js'
import { ConsoleBrowser } from '../support/console-browser.js'
import { keys, users } from '../support/fixture-ids.js'
import { payoutRequest, userRequest } from '../support/requests.js'

// Chromium opens every page of the console, in both schemes and on a narrow screen.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const browser = new ConsoleBrowser()

const NARROW = { width: 360, height: 740 }
const WIDE = { width: 1280, height: 900 }

const pathsOf = ({ transfer, payout, request }: Awaited<ReturnType<typeof browser.happen>>) => [
  ...['/', '/transfers', `/transfers/${transfer}`, `/payouts/${payout}`, `/users/${users.ada}`],
  ...['/wallets', '/deposits?matched=wallet', `/requests/${request}`, '/scenarios'],
  ...['/scenarios/happy-path', '/api-keys', '/ledger', '/assumptions?relied=true'],
  ...['/assumptions/payout.repeat', '/snapshots/before/restore', '/worlds'],
]

/** Pages made of the parts of others: only their width is checked. */
const similarPaths = [
  ...['/offramps', '/requests', '/assumptions', '/assumptions/report', '/snapshots', '/undo'],
  ...['/find?q=nothing'],
]

interface Violation {
  readonly id: string
  readonly impact: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Pages checked in the dark scheme, which changes nothing but colours. */
const isCheckedInDark = (path: string) =>
  ['/', '/ledger'].includes(path) || /^\/(users|scenarios|requests)\/./.test(path)

/** Accessibility violations of a page. */
const violations = async (page: Page, rules?: readonly string[]): Promise<string[]> => {
  const options = { resultTypes: ['violations'], preload: false, ...(rules && { runOnly: rules }) }
  const found = (await page.evaluate(
    `axe.run(${JSON.stringify(options)}).then(({ violations }) => violations)`,
  )) as Violation[]
  return found
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .flatMap(({ id, nodes }) => nodes.map((it) => `${id}: ${it.html} ${it.failureSummary}`))
}

/** A window that shows copies of pages. Compiling axe takes longer than running it, so this window keeps it. */
const openCopies = async () => {
  const page = await (await browser.context({ viewport: { width: 390, height: 740 } })).newPage()
  // The copies hold what scripts have drawn already.
  await page.route('**/*.js*', (route) => route.fulfill({ body: '' }))
  await page.goto(browser.origin)
  await page.evaluate(axe)
  const show = (html: string) =>
    page.evaluate((text) => {
      const copy = new DOMParser().parseFromString(text, 'text/html')
      document.title = copy.title
      document.body.replaceWith(copy.body)
    }, html)
  return { page, show }
}

const isDark = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const [red = 0] = getComputedStyle(document.body).backgroundColor.match(/\d+/g) ?? []
    return Number(red) < 128
  })

describe.skipIf(noChromium)('every page', () => {
  test('is drawn in both schemes, fits 390 and 320 pixels, and is open to everybody', async () => {
    const read = pathsOf(await browser.happen())
    const page = await browser.visit('/', { viewport: { width: 390, height: 740 } })
    const copies = await openCopies()
    browser.isExpected = (trouble) => trouble.includes('404')
    /** Names what is scrolled sideways. Files, drawings and the ledger scroll in a frame that a keyboard reaches. */
    const tooWide = (selector: string) =>
      page.evaluate(
        (parts) =>
          [document.documentElement, ...document.querySelectorAll(parts)]
            .filter((it) => it.scrollWidth > it.clientWidth)
            .map((it) => it.querySelector('table')?.ariaLabel ?? it.localName),
        selector,
      )
    for (const path of [...read, ...similarPaths]) {
      await page.setViewportSize({ width: 390, height: 740 })
      await page.goto(browser.origin + path)
      expect([path, await isDark(page)]).toEqual([path, false])
      await page.evaluate(() => {
        for (const it of document.querySelectorAll('details')) it.open = true
      })
      const inLists = '.scroll:not([tabindex="0"], .scroll .scroll)'
      expect([path, await tooWide(inLists)]).toEqual([path, []])
      // Whether lists fit here, too, is up to the fonts of the machine.
      await page.setViewportSize({ width: 320, height: 740 })
      expect([path, await tooWide('main')]).toEqual([path, []])
      if (!read.includes(path)) continue
      await copies.show(await page.content())
      expect([path, await violations(copies.page)]).toEqual([path, []])
      if (!isCheckedInDark(path)) continue
      await copies.page.emulateMedia({ colorScheme: 'dark' })
      expect([path, await isDark(copies.page)]).toEqual([path, true])
      expect([path, await violations(copies.page, ['color-contrast'])]).toEqual([path, []])
      await copies.page.emulateMedia({ colorScheme: 'light' })
    }
  })

  test.each(['', '&brief=true'])('of a report in HTML (%s) fits 390 pixels', async (query) => {
    await browser.happen()
    const path = `/_sandbox/assumptions/report?format=html${query}`
    const page = await browser.visit('/', { viewport: { width: 390, height: 740 } })
    await page.goto(browser.origin + path)
    await page.getByRole('heading', { name: 'Open questions of our integration' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })

  test('has its banner in one line from 960 pixels on, its last button too', async () => {
    await browser.happen()
    const page = await browser.visit('/', { viewport: { width: 960, height: 700 } })
    const [brand, help] = await Promise.all(
      ['.brand', '[data-help]'].map((it) => page.locator(it).boundingBox()),
    )
    expect(help?.y).toBeLessThan((brand?.y ?? 0) + (brand?.height ?? 0))
    expect((help?.x ?? 0) + (help?.width ?? 0)).toBeLessThanOrEqual(960)
  })

  test('leaves room beside a long name', async () => {
    const { sandbox } = browser
    const created = await sandbox.fetch('/onboarding/api/v1/users', {
      method: 'POST',
      headers: { 'x-api-key': keys.full, 'content-type': 'application/json' },
      body: JSON.stringify({
        ...userRequest(),
        first_name: 'Wolfeschlegelsteinhausenbergerdorff',
        last_name: 'von und zu Guttenberg-Hohenlohe-Langenburg',
      }),
    })
    const { id } = await created.json()
    sandbox.run('user.move', { id, to: 'active' })
    sandbox.run('balance.credit', { user_id: id, currency: 'NGN', amount: '5000' })
    const payout = sandbox.run('payout.create', { ...payoutRequest(), user_id: id })
    const page = await browser.visit('/users', { viewport: NARROW })
    const list = page.getByRole('table', { name: 'Users' }).locator('..')
    expect(await list.evaluate((it) => it.scrollWidth - it.clientWidth)).toBe(0)
    await page.setViewportSize(WIDE)
    await page.goto(`${browser.origin}/payouts/${payout.id}`)
    const name = await page.locator('.postings .account').first().boundingBox()
    expect(name?.width).toBeGreaterThan(240)
  })

  test('has nothing to press on paper', async () => {
    const { transfer } = await browser.happen()
    const page = await browser.visit('/')
    await page.emulateMedia({ media: 'print' })
    for (const path of ['/', `/transfers/${transfer}`, `/users/${users.ada}`, '/wallets']) {
      await page.goto(browser.origin + path)
      const pressed = page.locator('button:not(.id):visible, input:visible, select:visible')
      expect([path, await pressed.count()]).toEqual([path, 0])
    }
    await page.emulateMedia({ media: 'screen' })
  })

  test('shows what is pending, and where one is, in forced colours', async () => {
    const { transfer } = await browser.happen()
    const page = await browser.visit('/', { forcedColors: 'active' })
    const groundOf = (selector: string) =>
      page
        .locator(selector)
        .first()
        .evaluate((it) => getComputedStyle(it).backgroundColor)
    const ground = await groundOf('body')
    for (const it of ['.time-line .dot', '.pages [aria-current]', '.segments [aria-pressed=true]'])
      expect([it, await groundOf(it)]).not.toEqual([it, ground])
    await page.goto(`${browser.origin}/transfers/${transfer}`)
    const station = page.locator('.track .past').first()
    const dot = await station.evaluate((it) => getComputedStyle(it, '::after').backgroundColor)
    expect(dot).not.toBe(ground)
  })

  test('has room for fingers, and fields that no phone zooms into', async () => {
    const { transfer } = await browser.happen()
    const page = await browser.visit('/', { viewport: NARROW, hasTouch: true, isMobile: true })
    for (const path of ['/', `/transfers/${transfer}`, '/deposits', '/snapshots', '/api-keys']) {
      await page.goto(browser.origin + path)
      const small = await page.evaluate(() => {
        const all = [...document.querySelectorAll<HTMLElement>('button, input, select, summary')]
        return all
          .filter((it) => it.checkVisibility() && !it.matches('[type=hidden]'))
          .filter((it) => {
            const { width, height } = it.getBoundingClientRect()
            const isField = it.matches('input, select')
            const text = Number.parseFloat(getComputedStyle(it).fontSize)
            return Math.min(width, height) < 24 || (isField && text < 16)
          })
          .map(({ outerHTML }) => outerHTML)
      })
      expect([path, small]).toEqual([path, []])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect([path, width]).toEqual([path, NARROW.width])
    }
  })

  test('can be read, and its forms sent, without script', async () => {
    const { transfer } = await browser.happen()
    const page = await browser.visit(`/transfers/${transfer}`, { javaScriptEnabled: false })
    expect(await page.locator('.copy:visible, .copy-id:visible, [data-help]:visible').count()).toBe(
      0,
    )
    await page.getByLabel('Reason').fill('account_closed')
    await page.getByRole('button', { name: 'FAILED' }).click()
    await page.getByText('The transfer is FAILED now.').waitFor()
    await page.getByText('Reason: account_closed').waitFor()
    expect(page.url()).toBe(`${browser.origin}/transfers/${transfer}`)
    await page.getByRole('link', { name: 'Scenarios' }).click()
    await page.getByText('Everything goes well').waitFor()
    await page.getByRole('link', { name: 'API keys' }).click()
    await page.getByLabel('Name').fill('Nightly')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('.secret', { hasText: 'Nightly' }).waitFor()
    await page.reload()
    expect(await page.locator('.secret').count()).toBe(0)
    const names = browser.sandbox.tables.api_keys.all().map(({ name }) => name)
    expect(names.filter((name) => name === 'Nightly')).toHaveLength(1)
  })
})
