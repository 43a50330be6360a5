import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { noChromium } from '../support/chromium.js'
import { ConsoleBrowser } from '../support/console-browser.js'
import { users } from '../support/fixture-ids.js'

// Chromium opens every page of the console, in both schemes and on a narrow screen.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const browser = new ConsoleBrowser()

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
const CHECKED_IN_DARK = ['/', '/ledger', '/scenarios/happy-path']

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
  test('is drawn in both schemes, fits 390 pixels, and is open to everybody', async () => {
    const read = pathsOf(await browser.happen())
    const page = await browser.visit('/', { viewport: { width: 390, height: 740 } })
    const copies = await openCopies()
    browser.isExpected = (trouble) => trouble.includes('404')
    /** Names what is scrolled sideways. Files, drawings and the ledger scroll in a frame that a keyboard reaches. */
    const tooWide = () =>
      page.evaluate(() =>
        [
          document.documentElement,
          ...document.querySelectorAll('.scroll:not([tabindex="0"], .scroll .scroll)'),
        ]
          .filter((it) => it.scrollWidth > it.clientWidth)
          .map((it) => it.querySelector('table')?.ariaLabel ?? it.localName),
      )
    for (const path of [...read, ...similarPaths]) {
      await page.goto(browser.origin + path)
      expect([path, await isDark(page)]).toEqual([path, false])
      await page.evaluate(() => {
        for (const it of document.querySelectorAll('details')) it.open = true
      })
      expect([path, await tooWide()]).toEqual([path, []])
      if (!read.includes(path)) continue
      await copies.show(await page.content())
      expect([path, await violations(copies.page)]).toEqual([path, []])
      if (!CHECKED_IN_DARK.includes(path)) continue
      await copies.page.emulateMedia({ colorScheme: 'dark' })
      expect([path, await isDark(copies.page)]).toEqual([path, true])
      expect([path, await violations(copies.page, ['color-contrast'])]).toEqual([path, []])
      await copies.page.emulateMedia({ colorScheme: 'light' })
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
