import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { noChromium } from '../support/chromium.js'
import { ConsoleBrowser } from '../support/console-browser.js'
import { addresses, users } from '../support/fixture-ids.js'
import { didYouMean } from '../support/invalid.js'

// A tester uses the console in a real browser.

const browser = new ConsoleBrowser()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const main = (page: Page) => page.getByRole('main')
const rows = (page: Page) => page.locator('tbody tr')

/** Notes documents that are loaded: an action in place loads none. */
const countLoads = (page: Page): (() => number) => {
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  return () => loads
}

describe.skipIf(noChromium)('a tester', () => {
  test('moves the clock without leaving the page', async () => {
    await browser.happen()
    const page = await browser.visit('/')
    const loads = countLoads(page)
    await button(page, '+1 h').click()
    await main(page).getByText('Advanced to 10:00:03').waitFor()
    await main(page).getByText('No timer is pending.').waitFor()
    await page.locator('#clock time', { hasText: '10:00:03' }).waitFor()
    expect(loads()).toBe(0)
    expect(page.url()).toBe(`${browser.origin}/`)
    await page.reload()
    expect(await page.getByText('Advanced to 10:00:03').count()).toBe(0)
  })

  test('moves a transfer, and lets it fail for a reason', async () => {
    const { transfer } = await browser.happen()
    const page = await browser.visit(`/transfers/${transfer}`)
    const loads = countLoads(page)
    await button(page, 'CONVERSION_PROCESSED').click()
    await main(page).getByText('The transfer is CONVERSION_PROCESSED now.').waitFor()
    await page.getByLabel('Reason').fill('account_closed')
    await button(page, 'FAILED').click()
    await main(page).getByText('Reason: account_closed').waitFor()
    expect(loads()).toBe(0)
    expect(browser.sandbox.tables.transfers.get(transfer)?.status).toBe('FAILED')
  })

  test('approves and credits a user, and starts a transfer', async () => {
    const page = await browser.visit(`/users/${users.underReview}`)
    await button(page, 'Approve').click()
    await main(page).getByText('The user is active now.').waitFor()
    await page.goto(`${browser.origin}/users/${users.ada}`)
    const amount = page.getByLabel('Amount').first()
    await amount.fill('12,50')
    await button(page, 'Credit').click()
    await page.getByText('an amount above zero').waitFor()
    await page.locator('[name=amount][aria-invalid]:focus').first().waitFor()
    expect(await amount.inputValue()).toBe('12,50')
    await amount.fill('12.50')
    await button(page, 'Credit').click()
    await main(page)
      .getByText(/The balance is [\d.,]+ EUR now\./)
      .waitFor()
    await page.getByText('Start a bank transfer…').click()
    await page.getByPlaceholder('500.00').fill('20')
    await button(page, 'Start').click()
    await main(page).getByText('Transfer started.').waitFor()
    expect(page.url()).toMatch(/\/transfers\/[0-9a-f-]{36}$/)
  })

  test('pastes a scenario, mends it at the line of its error, and sees it fire', async () => {
    browser.isExpected = (trouble) => /400/.test(trouble)
    const page = await browser.visit('/scenarios')
    await page.getByText('Paste a file…').click()
    const text = page.getByLabel('Scenario, YAML or JSON')
    const good = await text.inputValue()
    await text.fill(good.replace('FAILED', 'FALED'))
    await button(page, 'Upload').click()
    await main(page).getByText(didYouMean('FAILED')).waitFor()
    await main(page)
      .getByText(/^line 7, column/)
      .waitFor()
    const top = await main(page).getByText('The file is invalid.').boundingBox()
    expect(top?.y).toBeGreaterThan(0)
    expect(await text.inputValue()).toContain('FALED')
    await text.fill(good)
    await button(page, 'Upload').click()
    await main(page).getByText('euro-fails is uploaded.').waitFor()
    await page.goto(`${browser.origin}/scenarios/euro-fails`)
    browser.sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    await page.locator('.lit', { hasText: 'fired 1 time' }).waitFor()
  })

  test('sees the secret of a new key until the page is loaded again', async () => {
    const page = await browser.visit('/api-keys')
    await page.getByLabel('Name').first().fill('Mine')
    await button(page, 'Create').click()
    const secret = await page.locator('.secret code').textContent()
    await button(page, '+1 min').click()
    await main(page).getByText('Advanced to 09:01:00').waitFor()
    expect(await page.locator('.secret code').textContent()).toBe(secret)
    await page.getByLabel('Name').first().fill('Another')
    await button(page, 'Create').click()
    await page.locator('.secret', { hasText: 'Another' }).waitFor()
    expect(await page.locator('.secret').count()).toBe(1)
    await page.reload()
    expect(await page.locator('.secret').count()).toBe(0)
  })

  test('does a thing once by a double click', async () => {
    const { transfer } = await browser.happen()
    const page = await browser.visit(`/transfers/${transfer}`)
    const box = await button(page, 'CONVERSION_PROCESSED').boundingBox()
    await page.mouse.move((box?.x ?? 0) + 20, (box?.y ?? 0) + 10)
    for (const clickCount of [1, 2]) {
      await page.mouse.down({ clickCount })
      await page.mouse.up({ clickCount })
      await main(page).getByText('The transfer is CONVERSION_PROCESSED now.').waitFor()
    }
    const count = browser.sandbox.tables.transfers.size
    await page.goto(`${browser.origin}/offramps`)
    await page.waitForFunction(() => 'htmx' in window)
    await page.getByLabel('Amount').first().fill('10')
    await button(page, 'Deposit').first().dblclick()
    await main(page).getByText('It started this transfer').waitFor()
    expect(browser.sandbox.tables.transfers.size).toBe(count + 1)
    expect(browser.sandbox.tables.transfers.get(transfer)?.status).toBe('CONVERSION_PROCESSED')
  })
})

describe.skipIf(noChromium)('a page that is open', () => {
  test('follows what another window does', async () => {
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

  test('says so when what it shows was undone', async () => {
    const { transfer_id } = browser.sandbox.run('deposit.receive', {
      address: addresses.adaEur,
      amount: '10',
    })
    const page = await browser.visit(`/transfers/${transfer_id}`)
    browser.isExpected = (trouble) => /404|Failed to load/.test(trouble)
    await browser.sandbox.fetch('/_sandbox/undo', { method: 'POST' })
    await page.getByText('This record no longer exists').waitFor()
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

describe.skipIf(noChromium)('a keyboard alone', () => {
  const press = async (page: Page, ...keysPressed: string[]) => {
    for (const key of keysPressed) await page.keyboard.press(key)
  }
  const focused = (page: Page) =>
    page.evaluate(() => {
      const it = document.activeElement
      return it?.getAttribute('aria-label') ?? it?.textContent?.trim() ?? ''
    })

  test('finds, opens and moves a transfer', async () => {
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
})
