import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { keys, ownId } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'
import { noChromium } from './chromium.js'
import { ConsoleBrowser } from './console-browser.js'

// An integrator finds out in a real browser what happened to a payout.

const browser = new ConsoleBrowser()
const button = (page: Page, name: string) => page.getByRole('button', { name })
const detail = (page: Page) => page.locator('#request')
const lines = (page: Page) => page.locator('.feed li[id^=line]')

const pay = async (number: string, headers = {}): Promise<void> => {
  const body = {
    ...payoutRequest(),
    recipient_details: { ...payoutRequest().recipient_details, recipient_account_number: number },
  }
  await browser.sandbox
    .fetch('/payment/api/v1/payout', {
      method: 'POST',
      headers: { 'x-api-key': keys.full, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    .catch(() => undefined)
}

/** Ids that several elements have. */
const repeatedIds = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const ids = [...document.querySelectorAll('[id]')].map(({ id }) => id)
    return ids.filter((id, i) => ids.indexOf(id) !== i)
  })

/** Holds the requests to an address until the test lets them go. */
const hold = async (page: Page, address: string | ((url: URL) => boolean)) => {
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  let arrive = () => {}
  const arrived = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(address, async (route) => {
    arrive()
    await released
    await route.continue()
  })
  return { release, arrived }
}

describe.skipIf(noChromium)('an integrator', () => {
  test('finds out why a payout failed, by keys alone', async () => {
    const page = await browser.visit('/')
    await page.getByRole('heading', { name: 'Send one, and it appears here' }).waitFor()
    await pay('0690000031', { 'x-sandbox-scenario': 'payout-fails-and-refunds' })
    await lines(page).getByText('Pending').waitFor()
    browser.sandbox.advance('30s')
    await lines(page).getByText('account_closed').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')
    await detail(page).getByText('It made the payout').waitFor()
    expect(await detail(page).locator('.sentence').textContent()).toContain(
      'which failed at 09:00:30: account_closed.',
    )
    expect(new URL(page.url()).searchParams.get('request')).toBe(browser.sandbox.requests()[0]?.id)
    await detail(page).getByRole('link', { name: 'Open the payout' }).click()
    await page.getByRole('heading', { name: '1,500.00 NGN to Marina Test Bank' }).waitFor()
  })

  test('repeats a payment whose response was lost, while an update and the action take long', async () => {
    await pay('0690000031', { 'x-sandbox-scenario': 'committed-then-cut' })
    const page = await browser.visit(`/?request=${browser.sandbox.requests()[0]?.id}`, {})
    await detail(page).getByText('Your client cannot know').waitFor()
    const update = await hold(page, ({ pathname }) => pathname === '/')
    browser.sandbox.run('balance.credit', {
      user_id: payoutRequest().user_id,
      currency: 'EUR',
      amount: '1',
    })
    await update.arrived
    const action = await hold(page, '**/console/do/sendAgain')
    await button(page, 'Send it again, same id').click()
    // An update that waits behind another one is sent first.
    update.release()
    await action.arrived
    action.release()

    await detail(page).getByText('Nothing was paid again.').waitFor()
    await lines(page).getByText('2 attempts, 1 payout').waitFor()
    expect(browser.sandbox.tables.payouts.count('customer_id', ownId(1))).toBe(1)
    expect(await repeatedIds(page)).toEqual([])
    expect(await page.locator('main').count()).toBe(1)
  })

  test('types on in a form while the page is updated', async () => {
    await pay('0690000031')
    const page = await browser.visit(`/?request=${browser.sandbox.requests()[0]?.id}`)
    await detail(page).getByText('Send again…').click()
    await detail(page).getByLabel('Body').fill('{"typed": "by hand"}')
    await page.getByRole('searchbox', { name: 'Filter the activity' }).focus()
    await pay('0690000031')
    await lines(page).getByText('2 attempts, 1 payout').waitFor()
    expect(await detail(page).getByLabel('Body').inputValue()).toBe('{"typed": "by hand"}')
    expect(await repeatedIds(page)).toEqual([])
  })

  test('filters while typing, and shares the address', async () => {
    await pay('0690000031')
    await browser.sandbox.fetch('/payment/nowhere', { headers: { 'x-api-key': keys.full } })
    const page = await browser.visit('/')
    expect(await lines(page).count()).toBe(2)
    await page.keyboard.press('/')
    await page.keyboard.type('1,500')
    await page.waitForURL('**/?text=1%2C500*')
    await page.locator('.feed li[id^=line]').nth(1).waitFor({ state: 'detached' })
    await page.goBack()
    expect(page.url()).toBe('about:blank')
  })

  test('sees the request in place of the list on a phone', async () => {
    await pay('0690000031')
    const page = await browser.visit('/', { viewport: { width: 390, height: 844 } })
    expect(await detail(page).isVisible()).toBe(false)
    await lines(page).getByRole('link').click()
    await detail(page).getByText('It made the payout').waitFor()
    expect(await page.locator('.feed').isVisible()).toBe(false)
    await detail(page).getByRole('link', { name: 'Activity' }).click()
    await page.locator('.feed').waitFor()
  })
})
