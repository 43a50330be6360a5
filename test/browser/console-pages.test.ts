import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { keys, users } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'
import { noChromium } from './chromium.js'
import { ConsoleBrowser } from './console-browser.js'

// Chromium opens each kind of page of the console, in both schemes, wide and narrow.

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const browser = new ConsoleBrowser()

const pathsOf = ({ transfer, payout, request }: Awaited<ReturnType<typeof browser.happen>>) => [
  ...['/', `/?request=${request}`, '/control', '/scenarios/happy-path', '/worlds'],
  ...[
    '/worlds/compare?a=default&b=default',
    '/questions',
    '/questions?open=payout.repeat',
    '/ledger',
  ],
  ...[
    '/users',
    '/payments?do=newPayout',
    '/users?show=deposits',
    '/users?show=addresses',
    '/connect',
  ],
  ...[`/users/${users.ada}`, `/transfers/${transfer}`, `/payouts/${payout}`],
  ...[`/payouts/${payout}?tab=read`, `/transfers/${transfer}`, '/find?q=ada'],
]

interface Violation {
  readonly id: string
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[]
}

/** Violations of these rules; without, those of WCAG 2.2 A and AA and of best practices. */
const violations = async (page: Page, runOnly?: readonly string[]): Promise<string[]> => {
  const options = JSON.stringify({ resultTypes: ['violations'], preload: false, runOnly })
  const found = (await page.evaluate(
    `axe.run(${options}).then(({ violations }) => violations)`,
  )) as Violation[]
  return found.flatMap(({ id, nodes }) =>
    nodes.map((it) => `${id}: ${it.html} ${it.failureSummary}`),
  )
}

/** The scheme changes the result of these rules alone. */
const COLOR_RULES = ['color-contrast', 'link-in-text-block']

/** All rules at both widths, and all colors in both schemes. */
const VIEWS = [
  [1440, 'light', undefined],
  [1440, 'dark', COLOR_RULES],
  [390, 'dark', undefined],
  [390, 'light', COLOR_RULES],
] as const

/** The times of a page that break into lines, or that the next column covers. */
const findBrokenTimes = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('main time')].flatMap((it) => {
      const text = document.createRange()
      text.selectNodeContents(it)
      const lines = new Set([...text.getClientRects()].map(({ top }) => Math.round(top)))
      const isCut = it.clientWidth > 0 && it.scrollWidth > it.clientWidth + 1
      return lines.size > 1 || isCut ? [it.textContent] : []
    }),
  )

/** The small words of a page with room around them: they would push apart the line that they are in. */
const findLooseWords = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll(':is(.option, .chip, .money, summary, b) small')].flatMap((it) =>
      Number.parseFloat(getComputedStyle(it).padding) > 0 ? [it.outerHTML] : [],
    ),
  )

const isTooWide = (page: Page): Promise<boolean> =>
  page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement
    return scrollWidth > clientWidth
  })

describe.skipIf(noChromium)('each kind of page', () => {
  test('fits at 1440 and 390 px, and is open to everybody in both schemes', async () => {
    const paths = pathsOf(await browser.happen())
    const page = await browser.visit('/users', {})
    await page.addInitScript(axe)
    const found: unknown[] = []
    for (const path of paths) {
      await page.goto(browser.origin + path)
      for (const [width, colorScheme, rules] of VIEWS) {
        await page.setViewportSize({ width, height: 900 })
        await page.emulateMedia({ colorScheme })
        if (await isTooWide(page)) found.push([path, width, 'is too wide'])
        for (const it of await findLooseWords(page)) found.push([path, width, 'is loose', it])
        for (const it of await violations(page, rules)) found.push([path, width, colorScheme, it])
      }
    }
    expect(found).toEqual([])
  })

  test.each(['3d', '250d'])('shows times of %s ago in one line each', async (ago) => {
    const paths = pathsOf(await browser.happen())
    browser.sandbox.advance(ago)
    const page = await browser.visit('/users', {})
    const found: unknown[] = []
    for (const path of paths) {
      await page.goto(browser.origin + path)
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        for (const it of await findBrokenTimes(page)) found.push([path, width, it])
      }
    }
    expect(found).toEqual([])
  })

  test('fits words of a client without a space, at each width', async () => {
    const json = { method: 'POST', headers: { 'content-type': 'application/json' } }
    const send = async (path: string, body: object, headers: object = {}) =>
      (
        await browser.sandbox.fetch(path, {
          ...json,
          headers: { ...json.headers, ...headers },
          body: JSON.stringify(body),
        })
      ).json()
    const { id: world } = await send('/_sandbox/worlds', { name: 'w'.repeat(200) })
    const { recipient_details: to, ...payout } = payoutRequest()
    const recipient_details = { ...to, bank_name: 'B'.repeat(255) }
    const key = { 'x-api-key': keys.full }
    await send('/_sandbox/next', { operation: 'createPayout', then: { return: { after: '3d' } } })
    const { id } = await send('/payment/api/v1/payout', { ...payout, recipient_details }, key)
    await send(`/_sandbox/users/${users.underReview}/status`, {
      status: 'rejected',
      reasons: ['x'.repeat(180)],
    })
    const page = await browser.visit('/users', { javaScriptEnabled: false })
    const found: unknown[] = []
    for (const path of [
      ...[
        '/',
        `/?world=${world}`,
        `/worlds?a=${world}&a=default&open=${world}`,
        '/users',
        '/payments',
      ],
      ...[`/worlds/compare?a=${world}&a=default`, `/payouts/${id}`, `/users/${users.ada}`],
      ...[`/users/${users.underReview}`, '/find?q=BBB', '/ledger', '/control'],
    ]) {
      await page.goto(browser.origin + path)
      for (const width of [320, 390, 900, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        if (await isTooWide(page)) found.push([path, width])
      }
    }
    expect(found).toEqual([])
  })

  test('shows the world, its ledger, undo and redo on a phone', async () => {
    const page = await browser.visit('/users', { viewport: { width: 390, height: 844 } })
    await page
      .locator('.bar')
      .getByRole('link', { name: /Ledger/ })
      .waitFor()
    for (const name of [/undo/i, /redo/i, 'Default world'])
      await page.locator('.bar').getByRole('button', { name }).first().waitFor()
  })

  test('opens its menus at their button, and keeps the theme that was chosen', async () => {
    const page = await browser.visit('/payments', { viewport: { width: 1440, height: 900 } })
    const boxOf = async (selector: string) => {
      const {
        x = 0,
        y = 0,
        width = 0,
        height = 0,
      } = (await page.locator(selector).boundingBox()) ?? {}
      return { left: x, right: x + width, top: y, bottom: y + height }
    }
    for (const id of ['world-menu', 'clock-menu', 'keys']) {
      await page.locator(`[popovertarget=${id}]`).click()
      const [button, menu] = [await boxOf(`[popovertarget=${id}]`), await boxOf(`#${id}`)]
      const gap = Math.max(menu.top - button.bottom, button.top - menu.bottom)
      const isBeside = menu.left < button.right && menu.right > button.left
      expect([id, gap >= 0 && gap < 9, isBeside]).toEqual([id, true, true])
    }
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    const light = await paper()
    await page.getByRole('button', { name: 'Dark' }).click()
    await page.locator('[name=theme][value=dark][aria-current]').waitFor({ state: 'attached' })
    expect(await paper()).not.toBe(light)
    expect(page.url()).toBe(`${browser.origin}/payments`)
  })

  test('can be read, and its forms sent, without script', async () => {
    const { transfer } = await browser.happen()
    const page = await browser.visit(`/transfers/${transfer}`, { javaScriptEnabled: false })
    await page.getByText('Fail…').click()
    await page.getByLabel('Reason').first().fill('account_closed')
    await page.getByRole('button', { name: 'Fail it now' }).click()
    await page
      .locator('#toast')
      .getByText(/^You marked .* as Failed: account_closed\.$/)
      .waitFor()
    await page.locator('.sentence', { hasText: 'account_closed' }).waitFor()
    expect(page.url()).toBe(`${browser.origin}/transfers/${transfer}`)
    await page.getByRole('link', { name: 'Connect' }).click()
    await page.getByText('Create a key…').click()
    await page.getByLabel('Name').fill('Nightly')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.locator('.toast code').waitFor()
    const names = browser.sandbox.tables.api_keys.all().map(({ name }) => name)
    expect(names.filter((name) => name === 'Nightly')).toHaveLength(1)
  })
})
