import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { addresses, keys, users } from '../support/fixture-ids.js'
import { createInner } from '../support/inner-sandbox.js'
import { noChromium } from './chromium.js'
import { ConsoleBrowser } from './console-browser.js'

// A tester uses the console in a real browser.

const browser = new ConsoleBrowser()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const main = (page: Page) => page.getByRole('main')
const amount = (page: Page) => page.locator('[name=amount]').locator('visible=true')
const toast = (page: Page, text: string | RegExp) => page.locator('#toast').getByText(text)

/** Counts documents that are loaded: an action in place loads none. */
const countLoads = (page: Page): (() => number) => {
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  return () => loads
}

const makeWorld = async (name: string): Promise<{ id: string }> => {
  const response = await fetch(`${browser.origin}/_sandbox/worlds`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  })
  return response.json()
}

describe.skipIf(noChromium)('an action', () => {
  test('answers with a toast whose Undo and Redo take back it alone, until something else happens', async () => {
    const { transfer } = await browser.happen()
    const page = await browser.visit(`/transfers/${transfer}`)
    const loads = countLoads(page)
    const status = (text: string) => page.locator('.head .status', { hasText: text }).waitFor()
    await button(page, 'Convert now').click()
    await toast(page, /^You marked .* as Conversion processed\.$/).waitFor()
    await status('Conversion processed')
    await page.locator('#toast').getByRole('button', { name: 'Undo' }).click()
    await status('Funds received')
    await page.locator('#toast').getByRole('button', { name: 'Redo' }).click()
    await status('Conversion processed')
    browser.sandbox.run('balance.credit', { user_id: users.ada, currency: 'EUR', amount: '1' })
    await page.locator('.toast').waitFor({ state: 'detached' })
    expect(loads()).toBe(0)
  })

  test('that is rejected shows the form again with its values and the error at its field', async () => {
    const page = await browser.visit(`/users/${users.ada}`)
    browser.isExpected = (trouble) => /400/.test(trouble)
    await page.getByText('Credit…').click()
    await amount(page).fill('12,50')
    await button(page, 'Credit').click()
    await page.locator('[name=amount][aria-invalid]').waitFor()
    expect(await amount(page).inputValue()).toBe('12,50')
    await page.locator('.field .error', { hasText: 'an amount above zero' }).waitFor()
    await amount(page).fill('3.999')
    await button(page, 'Credit').click()
    await page.locator('.field .error', { hasText: 'at most 2 decimals in EUR' }).waitFor()
    browser.sandbox.advance('1m')
    await page.locator('.bar time', { hasText: '09:01:00' }).waitFor()
    await page.locator('[popovertarget=clock-menu]').click()
    await page.getByRole('button', { name: '+1 minute' }).click()
    await page.locator('.bar time', { hasText: '09:02:00' }).waitFor()
    expect(await amount(page).inputValue()).toBe('3.999')
    await amount(page).fill('12.50')
    await button(page, 'Credit').click()
    await toast(page, 'You credited 12.50 EUR to Ada Okafor.').waitFor()
    expect(await amount(page).isVisible()).toBe(false)
  })

  test('runs once by a double click', async () => {
    const page = await browser.visit(`/payments?do=receiveDeposit&to=${addresses.adaEur}`)
    const count = browser.sandbox.tables.transfers.size
    await amount(page).fill('10')
    await button(page, 'Deposit').dblclick()
    await toast(page, /You deposited/).waitFor()
    expect(browser.sandbox.tables.transfers.size).toBe(count + 1)
  })

  test('shows the secret of a new key until the next action', async () => {
    const page = await browser.visit('/connect?do=createApiKey')
    await page.getByLabel('Name').fill('Mine')
    await button(page, 'Create').click()
    expect(await page.locator('.toast code').textContent()).toMatch(/^\w{32}$/)
    await page.reload()
    expect(await page.locator('.toast').count()).toBe(0)
  })
})

describe.skipIf(noChromium)('a page that is open', () => {
  test('follows what another window does', async () => {
    const { transfer } = await browser.happen()
    const context = await browser.context()
    const [one, other] = [await context.newPage(), await context.newPage()]
    for (const page of [one, other]) await page.goto(`${browser.origin}/transfers/${transfer}`)
    await button(one, 'Convert now').click()
    await other.locator('.head .status', { hasText: 'Conversion processed' }).waitFor()
    await button(other, 'Submit payment now').click()
    await one.locator('.head .status', { hasText: 'Payment submitted' }).waitFor()
    expect(await one.locator('main').count()).toBe(1)
  })

  test('filters the worlds and keeps those that are ticked, also in an unfolded part', async () => {
    // The default world has a failed request, so the others are folded.
    await browser.happen()
    for (const name of ['one', 'two', 'three']) await makeWorld(name)
    const page = await browser.visit('/worlds')
    const filter = page.getByRole('searchbox', { name: 'Filter worlds' })
    await page.getByText('worlds without a problem').click()
    await page.getByLabel('Choose one').click()
    await page.getByText('1 chosen: one.').waitFor()
    expect(await page.getByLabel('Choose three').isVisible()).toBe(true)
    await filter.fill('two')
    await page.getByLabel('Choose three').waitFor({ state: 'detached' })
    await page.getByLabel('Choose two').click()
    await page.getByText('2 chosen: one, two.').waitFor()
    await filter.fill('')
    await page.getByLabel('Choose three').waitFor({ state: 'attached' })
    expect(await page.locator('[name=a]:checked').count()).toBe(2)
    await page.getByRole('link', { name: 'Clear' }).click()
    await page.getByText('Tick two worlds').waitFor()
    expect(await page.locator('[name=a]:checked').count()).toBe(0)
  })

  test('says once that its world is gone', async () => {
    browser.isExpected = (trouble) => /404|htmx:|object Event/.test(trouble)
    const { id } = await makeWorld('short')
    const page = await browser.visit(`/users?world=${id}`)
    await fetch(`${browser.origin}/_sandbox/worlds/${id}`, { method: 'DELETE' })
    await page.getByRole('heading', { name: 'World not found' }).waitFor()
    expect(await page.locator('#live').count()).toBe(0)
  })

  test('moves the time of now in a story as the clock runs', async () => {
    const { payout } = await browser.happen()
    await fetch(`${browser.origin}/_sandbox/clock`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"mode":"60x"}',
    })
    const page = await browser.visit(`/payouts/${payout}`)
    const drawn = await page.locator('.step.now time').textContent()
    await page.waitForFunction((text) => {
      const [bar, story] = document.querySelectorAll('.bar time, .step.now time')
      return story?.textContent !== text && story?.textContent === bar?.textContent
    }, drawn)
  })

  test('says that it copied', async () => {
    const permissions = ['clipboard-read', 'clipboard-write']
    const page = await browser.visit('/users', { permissions })
    await page.bringToFront()
    await page.locator('.pages [data-copy]').last().click()
    const copied = await page.waitForFunction(() => {
      const element = document.querySelector('.copied')
      return element && getComputedStyle(element, '::after').content
    })
    expect(await copied.jsonValue()).toBe('"Copied"')
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(keys.full)
  })

  test('finds a sandbox that was restarted, and shows its new world', async () => {
    browser.isExpected = (trouble) => /ERR_|request to|htmx:|object Event/.test(trouble)
    const first = await createInner({ clock: 'manual', seed: 'one' })
    const { url } = await first.listen({ port: 0 })
    const page = await (await browser.context()).newPage()
    await page.goto(`${url}/payments`)
    const before = await page.locator('tbody tr').count()
    await first.close()
    await page.getByText('Connection lost. Reconnecting…').waitFor()
    const second = await createInner({ clock: 'manual', seed: 'two' })
    second.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    await second.listen({ port: Number(new URL(url).port) })
    await page.waitForFunction(
      (count) => document.querySelectorAll('tbody tr').length === count,
      before + 1,
    )
    await page.close()
    await second.close()
  })
})

describe.skipIf(noChromium)('a keyboard alone', () => {
  test('finds, opens and moves a transfer', async () => {
    const { transfer } = await browser.happen()
    const page = await browser.visit('/users')
    await page.keyboard.press('Control+k')
    await page.keyboard.type(transfer)
    await page.locator(`#hits[data-text="${transfer}"] .option`).first().waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${browser.origin}/transfers/${transfer}`)
    await page.waitForFunction(() => 'htmx' in window)
    await page.getByRole('button', { name: 'Convert now' }).press('Enter')
    await toast(page, /as Conversion processed/).waitFor()
    expect(browser.sandbox.tables.transfers.get(transfer)?.status).toBe('CONVERSION_PROCESSED')
    await page.keyboard.press('u')
    await toast(page, /Taken back/).waitFor()
    await page.goto(`${browser.origin}/payments?kind=transfers`)
    await page.waitForFunction(() => 'htmx' in window)
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await page.waitForURL(`${browser.origin}/transfers/${transfer}`)
    await main(page).getByText('Story').waitFor()
  })

  test('chooses the first hit of what was typed, though Enter came before it', async () => {
    const page = await browser.visit('/users')
    await page.keyboard.press('Control+k')
    await page.locator('#palette').getByText('New payout…').waitFor()
    await page.keyboard.type('ada okafor')
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/users\/1111/)
  })

  test('can switch single keys off', async () => {
    const page = await browser.visit('/users')
    await page.keyboard.press('?')
    await page.getByLabel('Single keys').click()
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await page.keyboard.press('Control+k')
    await page.locator('#palette').getByText('New payout…').waitFor()
    expect(browser.sandbox.now).toBe('2026-06-15T09:00:00.000Z')
    await page.evaluate(() => localStorage.clear())
  })
})
