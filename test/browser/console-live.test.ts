import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import type { ClockSetting } from '../../src/domain/clock.js'
import { createSandbox } from '../../src/index.js'
import { coreOf } from '../../src/runtime/sandbox-internals.js'
import { noChromium } from '../support/chromium.js'
import { ConsoleBrowser } from '../support/console-browser.js'
import { addresses, keys, users } from '../support/fixture-ids.js'
import type { World } from '../support/worlds.js'

// Pages that follow the world, and a keyboard in place of a mouse.

const browser = new ConsoleBrowser()
const main = (page: Page) => page.getByRole('main')
const rows = (page: Page) => page.locator('tbody tr')

/** How many streams are open, to pages and others. */
const followers = async (): Promise<number> => {
  const answer = await browser.sandbox.fetch('/_sandbox/worlds')
  const { items }: { items: World[] } = await answer.json()
  return items.reduce((sum, { open_streams }) => sum + open_streams, 0)
}

const deposit = () =>
  browser.sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })

const setClock = (setting: ClockSetting) =>
  coreOf(browser.sandbox).main.setClock(setting, { kind: 'library' })

describe.skipIf(noChromium)('a page that is open', () => {
  test('two windows see what each other does', async () => {
    const { transfer } = await browser.happen()
    const context = await browser.context()
    const [one, other] = [await context.newPage(), await context.newPage()]
    for (const page of [one, other]) await page.goto(`${browser.origin}/transfers/${transfer}`)
    await one.getByRole('button', { name: 'CONVERSION_PROCESSED' }).click()
    await other.locator('.track [aria-current]', { hasText: 'CONVERSION_PROCESSED' }).waitFor()
    await other.getByRole('button', { name: 'PAYMENT_SUBMITTED' }).click()
    await one.locator('.track [aria-current]', { hasText: 'PAYMENT_SUBMITTED' }).waitFor()
    await one.getByText(/moved from CONVERSION_PROCESSED to PAYMENT_SUBMITTED/).waitFor()
  })

  test('follows its own world, and says so when that world is deleted', async () => {
    const page = await browser.visit('/worlds')
    const other = { 'x-api-key': 'SandboxWorld00000000000000000abc' }
    await browser.sandbox.fetch('/onboarding/api/v1/users/all', { headers: other })
    await page.getByRole('link', { name: 'world …0abc', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Create a world' }).click()
    const key = await page.locator('.secret code').innerText()
    await page.getByRole('link', { name: 'Show this world' }).click()
    await page.locator('.picker summary', { hasText: `world …${key.slice(-4)}` }).waitFor()
    const headers = { 'x-api-key': key }
    await browser.sandbox.fetch('/onboarding/api/v1/users/all', { headers })
    const id = new URL(page.url()).searchParams.get('world')
    await page.goto(`${browser.origin}/requests?world=${id}`)
    await page.getByRole('link', { name: /GET listUsers/ }).waitFor()
    await browser.sandbox.fetch('/onboarding/api/v1/users/all', { headers })
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 2)
    browser.isExpected = (trouble) => /404|ERR_|Failed to load/.test(trouble)
    await browser.sandbox.fetch(`/_sandbox/worlds/${id}`, { method: 'DELETE' })
    await page.getByRole('heading', { name: 'World not found' }).waitFor()
    await page.getByRole('link', { name: 'Default world' }).click()
    await page.locator('.picker summary', { hasText: 'default world' }).waitFor()
  })

  test('says so when what it shows was undone', async () => {
    const { transfer_id } = deposit()
    const page = await browser.visit(`/transfers/${transfer_id}`)
    browser.isExpected = (trouble) => /404|Failed to load/.test(trouble)
    await browser.sandbox.fetch('/_sandbox/undo', { method: 'POST' })
    await page.getByText('This record no longer exists').waitFor()
  })

  test('shows requests as they come, also those that change nothing', async () => {
    const page = await browser.visit('/requests')
    await main(page).getByText('No request yet').waitFor()
    const headers = { 'x-api-key': keys.full }
    await browser.sandbox.fetch('/onboarding/api/v1/users/all', { headers })
    await page.getByRole('link', { name: /GET listUsers/ }).waitFor()
    await browser.sandbox.fetch('/payment/nowhere', { headers })
    await page.getByRole('link', { name: 'GET /payment/nowhere' }).waitFor()
    expect(await rows(page).count()).toBe(2)
  })

  test('shows a scenario as it was posted last, its drawing too', async () => {
    const post = (title: string, after: string) =>
      browser.sandbox.fetch('/_sandbox/scenarios', {
        method: 'POST',
        headers: { 'content-type': 'application/yaml' },
        body: `name: mine\ntitle: ${title}\nrules:\n  - when: transfer.created\n    then:\n      - { after: ${after}, move: FAILED }\n`,
      })
    await post('At first', '5s')
    const page = await browser.visit('/scenarios/mine')
    await page.locator('.drawing', { hasText: '5s' }).waitFor()
    await post('Later', '7m')
    await main(page).getByText('Later', { exact: true }).waitFor()
    await page.locator('.drawing', { hasText: '7m' }).waitFor()
  })

  test('shows that a key has expired, although no entry says so', async () => {
    const page = await browser.visit('/api-keys')
    const form = page.getByRole('form', { name: 'Create a key' })
    await form.getByLabel('Name').fill('Short-lived')
    await form.getByLabel('Expires').fill('2m')
    await form.getByRole('button').click()
    const key = page.getByRole('row', { name: /Short-lived/ })
    await key.getByText('active', { exact: true }).waitFor()
    expect(await key.getByText('expired').count()).toBe(0)
    setClock({ mode: 'speed', speed: 600 })
    await key.getByText('expired').waitFor()
  })

  test('keeps its filter, and is no slower for much that happens', async () => {
    const page = await browser.visit('/transfers?status=PENDING')
    const before = await rows(page).count()
    for (let i = 0; i < 300; i++) deposit()
    await page.waitForFunction(
      (count) => document.querySelectorAll('tbody tr').length === count,
      50,
    )
    expect(before).toBeLessThan(50)
    await main(page)
      .getByText(/1–50 of 30\d/)
      .waitFor()
  })

  test('leaves alone what somebody is typing', async () => {
    const page = await browser.visit('/wallets')
    const field = page.getByLabel('Amount').first()
    await field.fill('12')
    setClock({ mode: 'manual', speed: 0 })
    browser.sandbox.advance('1h')
    await page.locator('#clock time', { hasText: '10:00:00' }).waitFor()
    expect(await field.inputValue()).toBe('12')
  })

  test('shows where a record is while somebody types what is to be done with it', async () => {
    const { transfer_id } = deposit()
    const page = await browser.visit(`/transfers/${transfer_id}`)
    await page.getByLabel('Reason').fill('account_')
    browser.sandbox.run('transfer.move', { id: `${transfer_id}`, to: 'FUNDS_RECEIVED' })
    await page.locator('.track [aria-current]', { hasText: 'FUNDS_RECEIVED' }).waitFor()
    await page.locator('#live-status').getByText('FUNDS_RECEIVED').waitFor()
    expect(await page.getByLabel('Reason').inputValue()).toBe('account_')
    await page.goto(`${browser.origin}/users/${users.ada}`)
    await page.getByLabel('Amount').first().fill('12')
    browser.sandbox.run('balance.credit', { user_id: users.ada, currency: 'JPY', amount: '77' })
    await page.locator('.amounts').getByText('77').waitFor()
    expect(await page.getByLabel('Amount').first().inputValue()).toBe('12')
  })

  test('leaves opened details open while the page updates', async () => {
    const page = await browser.visit(`/users/${users.underReview}`)
    const summaries = ['Reject…', 'Register an account…'].map((it) => page.getByText(it))
    for (const it of summaries) await it.click()
    const isOpen = () => page.locator('main details[open]').count()
    browser.sandbox.run('balance.credit', {
      user_id: users.underReview,
      currency: 'EUR',
      amount: '77',
    })
    await page.locator('#live-balance-moves').getByText('+77.00').waitFor()
    expect(await isOpen()).toBe(2)
    await page.getByRole('button', { name: '+1 min' }).click()
    await main(page).getByText('Advanced to 09:01:00').waitFor()
    expect(await isOpen()).toBe(2)
  })

  test('leaves alone what somebody types while an action is answered', async () => {
    const page = await browser.visit('/api-keys')
    let answer: () => void = () => {}
    await page.route('**/console/clock/advance', async (route) => {
      await new Promise<void>((resolve) => {
        answer = resolve
      })
      await route.continue()
    })
    const asked = page.waitForRequest('**/console/clock/advance')
    await page.getByRole('button', { name: '+1 min' }).click()
    await asked
    const field = page.getByLabel('Name').first()
    await field.click()
    await page.keyboard.type('My nightly')
    answer()
    await page.locator('#clock time', { hasText: '09:01:00' }).waitFor()
    await page.keyboard.type(' key')
    expect(await field.inputValue()).toBe('My nightly key')
    expect(browser.sandbox.now).toBe('2026-06-15T09:01:00.000Z')
    await page.unroute('**/console/clock/advance')
  })

  test('keeps the focus where it was', async () => {
    deposit()
    const page = await browser.visit('/')
    const link = main(page).getByRole('link', { name: 'happy-path', exact: true }).first()
    await link.focus()
    deposit()
    await page
      .getByText('2 timers')
      .or(page.locator('.dot', { hasText: '2' }))
      .first()
      .waitFor()
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('happy-path')
  })

  test('moves the focus to no other action when the focused one is gone', async () => {
    const { transfer_id } = deposit()
    const page = await browser.visit(`/transfers/${transfer_id}`)
    const move = (to: 'PAYMENT_SUBMITTED' | 'PAYMENT_PROCESSED') =>
      browser.sandbox.run('transfer.move', { id: `${transfer_id}`, to })
    browser.sandbox.advance('4s')
    move('PAYMENT_SUBMITTED')
    await main(page).getByRole('button', { name: 'PAYMENT_PROCESSED' }).focus()
    move('PAYMENT_PROCESSED')
    await page.locator('.track [aria-current]', { hasText: 'PAYMENT_PROCESSED' }).waitFor()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('live-moves')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('reason')
  })

  test('keeps the focus on the action of the same row when rows come in before it', async () => {
    const page = await browser.visit('/api-keys')
    const focusedText = () => page.evaluate(() => document.activeElement?.textContent)
    await main(page)
      .getByRole('button', { name: /^Suspend/ })
      .first()
      .focus()
    const before = await focusedText()
    await browser.sandbox.fetch('/_sandbox/api-keys', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"name":"Newer","permissions":"full"}',
    })
    await page.getByRole('rowheader', { name: 'Newer' }).waitFor()
    expect(before).toMatch(/^Suspend .+/)
    expect(await focusedText()).toBe(before)
  })

  test('leaves alone what is being pressed, so that the press is not lost', async () => {
    deposit()
    const page = await browser.visit('/')
    const button = page.getByRole('button', { name: '+1 h' })
    await button.hover()
    await page.mouse.down()
    deposit()
    await page.locator('#live-counts').getByText('14', { exact: true }).waitFor()
    await page.mouse.up()
    await main(page).getByText('Advanced to 10:00:00').waitFor()
  })

  test('says so when too many follow the sandbox', async () => {
    browser.isExpected = (trouble) => /503/.test(trouble)
    // The page of the test before may be on its way out.
    await expect.poll(followers).toBe(0)
    const streams = await Promise.all(
      Array.from({ length: 100 }, () => browser.sandbox.fetch('/_sandbox/journal/stream')),
    )
    const page = await browser.visit('/')
    await page.getByText('Too many open pages and streams').waitFor()
    for (const { body } of streams) await body?.cancel()
    await page.locator('#connection').waitFor({ state: 'hidden' })
  })

  test('closes its connection while nobody sees it', async () => {
    const page = await browser.visit('/')
    await expect.poll(followers).toBe(1)
    const hide = (hidden: boolean) =>
      page.evaluate((value) => {
        Object.defineProperty(document, 'hidden', { value, configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      }, hidden)
    await hide(true)
    await expect.poll(followers).toBe(0)
    deposit()
    expect(await main(page).getByText('No timer is pending.').count()).toBe(1)
    await hide(false)
    await page.locator('.time-line .dot').waitFor()
  })
})

describe.skipIf(noChromium)('a sandbox that is restarted', () => {
  /** The updates of a live region while it exists. */
  const heard = (page: Page) =>
    page.locator('#connection').evaluate((line) => {
      const texts: string[] = [line.checkVisibility() ? 'listening' : 'nobody listens']
      new MutationObserver(() => texts.push(line.textContent ?? '')).observe(line, {
        childList: true,
      })
      Object.assign(window, { heard: texts })
    })

  test('is found again, and its new world is shown', async () => {
    browser.isExpected = (trouble) =>
      /ERR_CONNECTION_REFUSED|ERR_INCOMPLETE|ERR_EMPTY/.test(trouble)
    const first = await createSandbox({ clock: 'manual', seed: 'one' })
    const { url } = await first.listen({ port: 0 })
    const port = Number(new URL(url).port)
    first.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    const context = await browser.context()
    const page = await context.newPage()
    browser.isExpected = (trouble) => /ERR_|request to|htmx:/.test(trouble)
    await page.goto(`${url}/transfers`)
    const before = await rows(page).count()
    await page.waitForFunction(() => 'htmx' in window)
    await heard(page)
    await first.close()
    await page.getByText('Connection lost. Reconnecting…').waitFor()
    await page.getByRole('button', { name: '+1 min' }).click()
    await page.getByText('No response from the sandbox').waitFor()
    const second = await createSandbox({ clock: 'manual', seed: 'two' })
    await second.listen({ port })
    await page.getByText('The sandbox was restarted').first().waitFor()
    await page.waitForFunction(
      (count) => document.querySelectorAll('tbody tr').length === count,
      before - 1,
    )
    expect(await page.evaluate('heard')).toEqual([
      'listening',
      'Connection lost. Reconnecting…',
      'The sandbox was restarted. This page shows its current world.',
    ])
    await context.close()
    await second.close()
  })
})

describe.skipIf(noChromium)('by keyboard alone', () => {
  const press = async (page: Page, ...keysPressed: string[]) => {
    for (const key of keysPressed) await page.keyboard.press(key)
  }
  const focused = (page: Page) =>
    page.evaluate(() => {
      const it = document.activeElement
      return it?.getAttribute('aria-label') ?? it?.textContent?.trim() ?? ''
    })

  test('one skips to the content, and sees where one is', async () => {
    const page = await browser.visit('/users')
    await press(page, 'Tab')
    expect(await focused(page)).toBe('Skip to content')
    expect((await page.locator('.skip').boundingBox())?.y).toBeGreaterThanOrEqual(0)
    await press(page, 'Enter', 'Tab')
    const outline = await page.evaluate(() => {
      const it = document.activeElement
      return it?.closest('main') ? getComputedStyle(it).outlineStyle : 'outside'
    })
    expect(outline).toBe('solid')
  })

  test('the keys are listed, and lead to pages', async () => {
    const page = await browser.visit('/')
    await press(page, '?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await press(page, 'Escape', 'g', 't')
    await page.waitForURL(`${browser.origin}/transfers`)
    await press(page, 'g', 'k')
    await page.waitForURL(`${browser.origin}/api-keys`)
  })

  test('the choice of worlds closes when one leaves it, and gives the focus back', async () => {
    const page = await browser.visit('/')
    const summary = page.locator('#picker > summary')
    const isOpen = () => page.locator('#picker[open]').count()
    await summary.focus()
    await press(page, 'Enter', 'Tab')
    expect([await isOpen(), await focused(page)]).toEqual([1, 'default world'])
    await press(page, 'Escape')
    expect(await isOpen()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.localName)).toBe('summary')
    await press(page, 'Enter', 'Tab')
    expect(await isOpen()).toBe(1)
    for (let i = 0; i < 20 && (await page.locator('#picker :focus').count()) > 0; i++) {
      await press(page, 'Tab')
    }
    expect(await isOpen()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('find')
  })

  test('a key typed into a field is no shortcut', async () => {
    const page = await browser.visit('/')
    await press(page, '/')
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('find')
    await page.keyboard.type('g?/jk')
    expect(await page.locator('#find').inputValue()).toBe('g?/jk')
    expect(await page.getByRole('dialog').count()).toBe(0)
    await press(page, 'Escape')
    expect(await page.evaluate(() => document.activeElement?.id)).not.toBe('find')
  })

  test('a transfer is found, opened and moved', async () => {
    const { transfer } = await browser.happen()
    const page = await browser.visit('/')
    await press(page, '/')
    await page.keyboard.type(transfer)
    await press(page, 'Enter')
    await page.waitForURL(`${browser.origin}/transfers/${transfer}`)
    for (let i = 0; i < 60 && (await focused(page)) !== 'CONVERSION_PROCESSED'; i++) {
      await press(page, 'Tab')
    }
    await press(page, 'Enter')
    await main(page).getByText('The transfer is CONVERSION_PROCESSED now.').waitFor()
    await page.waitForFunction(() => document.activeElement?.closest('main') !== null)
  })

  test('rows are walked through and opened', async () => {
    const page = await browser.visit('/users')
    await press(page, 'j', 'j', 'k', 'j', 'j')
    const third = await rows(page).nth(2).getByRole('link').first().textContent()
    expect(await focused(page)).toBe(third)
    await press(page, 'Enter')
    await page.getByRole('heading', { level: 1, name: third ?? '' }).waitFor()
    expect(page.url()).not.toBe(`${browser.origin}/users/${users.ada}`)
  })

  test('the search of a page goes before the one at the top', async () => {
    const page = await browser.visit('/requests')
    await press(page, '/')
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('text')
  })
})
