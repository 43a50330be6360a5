import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { noChromium } from '../support/chromium.js'
import { ConsoleBrowser } from '../support/console-browser.js'
import { addresses, users } from '../support/fixture-ids.js'
import { didYouMean } from '../support/invalid.js'

// Actions of a tester in the console, by mouse, in a real browser.

const browser = new ConsoleBrowser()
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })
const main = (page: Page) => page.getByRole('main')

/** Notes documents that are loaded: an action in place loads none. */
const countLoads = (page: Page): (() => number) => {
  let loads = 0
  page.on('domcontentloaded', () => loads++)
  return () => loads
}

describe.skipIf(noChromium)('the clock', () => {
  test('is moved without leaving the page', async () => {
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

  test('ends where time does', async () => {
    browser.sandbox.advance({ to: '9999-12-31T23:59:50Z' })
    const page = await browser.visit('/')
    await button(page, 'Run 60×').click()
    await page.locator('#clock time', { hasText: '9999-12-31 23:59:59' }).waitFor()
    expect(await page.locator('.big-now time').textContent()).toMatch(/^9999-12-31 23:59:5/)
  })

  test('runs, and brings nearer what is pending, in sight', async () => {
    await browser.sandbox.fetch('/_sandbox/scenarios', {
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body: 'name: slow\ntitle: Slow\nrules:\n  - when: transfer.created\n    then:\n      - { after: 50m, move: FUNDS_RECEIVED }\n',
    })
    await browser.sandbox.fetch('/_sandbox/scenarios/active', {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: '{"names":["slow"]}',
    })
    const page = await browser.visit('/')
    await button(page, 'Run 60×').click()
    await main(page).getByText('The clock runs.').waitFor()
    browser.sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    const clock = await page.locator('.big-now time').textContent()
    for (const place of ['#clock', '.time-line', '.lines']) {
      const until = page.locator(`${place} [data-due]`)
      const first = await until.textContent()
      expect(first).toMatch(/min/)
      await page.waitForFunction(
        ([selector, before]) => document.querySelector(selector)?.textContent !== before,
        [`${place} [data-due]`, first] as const,
      )
    }
    expect(await page.locator('.big-now time').textContent()).not.toBe(clock)
    await button(page, 'Pause').click()
    await main(page).getByText('The clock is paused.').waitFor()
  })
})

describe.skipIf(noChromium)('records', () => {
  test('a transfer is moved, and fails for a reason', async () => {
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

  test('a user is approved, credited and gets a transfer', async () => {
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

  test('a button that closes with its form keeps the focus', async () => {
    const page = await browser.visit(`/users/${users.ada}`)
    await page.getByText('Register an account…').click()
    await page.locator('[name=account_number]').fill('DE89370400440532013000')
    await page.getByRole('button', { name: 'Register', exact: true }).click()
    await main(page).getByText('is registered.').waitFor()
    await page.locator('summary:focus', { hasText: 'Register an account…' }).waitFor()
  })

  test('a form that is sent by Enter keeps the focus, and its result is announced', async () => {
    const page = await browser.visit('/wallets')
    const third = main(page)
      .getByRole('form', { name: /^Deposit to/ })
      .nth(2)
    await third.getByLabel('Amount').fill('5')
    await page.keyboard.press('Enter')
    await main(page).getByText('into the wallet.').waitFor()
    await third.locator('[name=amount]:focus').waitFor()
    const said = page.locator('body > [role=status].unseen')
    await expect.poll(() => said.textContent()).toContain('into the wallet.')
  })

  test('the result of a deposit is shown in place, or on the next page', async () => {
    const page = await browser.visit('/deposits')
    const loads = countLoads(page)
    const deposit = async (address: string) => {
      await page.locator('main [name=address]').fill(address)
      await page.locator('main [name=amount]').fill('5')
      await button(page, 'Deposit').click()
    }
    const heard = (text: RegExp) => page.locator('.unseen[role=status]', { hasText: text })
    await deposit('nowhere')
    await heard(/as unmatched/).waitFor({ state: 'attached' })
    expect(loads()).toBe(0)
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Deposit')
    await deposit(addresses.adaEur)
    await page.waitForURL(/transfers/)
    await heard(/It started this transfer/).waitFor({ state: 'attached' })
  })
})

describe.skipIf(noChromium)('a secret', () => {
  test('that is shown once stays during other actions', async () => {
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

  test('that is shown once is announced to screen readers', async () => {
    const page = await browser.visit('/worlds')
    await button(page, 'Create a world').click()
    const heard = page.locator('.unseen[role=status]', { hasText: 'The key of world' })
    await heard.waitFor({ state: 'attached' })
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Create a world')
  })
})

describe.skipIf(noChromium)('requests', () => {
  test('are downloaded as an archive', async () => {
    await browser.happen()
    const page = await browser.visit('/requests')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download as HAR' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('sandramp.har')
  })
})

describe.skipIf(noChromium)('scenarios', () => {
  test('are pasted, with errors at the line, mended, and lit once they fired', async () => {
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
})

describe.skipIf(noChromium)('a click copies', () => {
  test('the secret of a new key, and the id of a record', async () => {
    const page = await browser.visit('/api-keys')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    await page.getByLabel('Name').fill('Nightly')
    await button(page, 'Create').click()
    const secret = await page.locator('.secret code').textContent()
    await button(page, 'Copy secret').click()
    expect(await copied()).toBe(secret)
    await page.goto(`${browser.origin}/users/${users.ada}`)
    await page.getByTitle(users.ada).first().click()
    await expect.poll(copied).toBe(users.ada)
  })
})

describe.skipIf(noChromium)('work in progress', () => {
  test('stays when something else on the page is done', async () => {
    const page = await browser.visit('/scenarios')
    await page.getByText('Paste a file…').click()
    await page.getByRole('textbox', { name: 'Scenario' }).fill('name: half')
    await page.getByRole('checkbox', { name: 'Activate it' }).uncheck()
    await button(page, '+1 min').focus()
    await page.keyboard.press('Enter')
    await main(page).getByText('Advanced to 09:01:00').waitFor()
    await page.locator('#clock button[value="1m"]:focus').waitFor()
    await page.keyboard.press('Enter')
    await main(page).getByText('Advanced to 09:02:00').waitFor()
    expect(await page.getByRole('textbox', { name: 'Scenario' }).inputValue()).toBe('name: half')
    expect(await page.getByRole('checkbox', { name: 'Activate it' }).isChecked()).toBe(false)
  })

  test('is done once by a double click', async () => {
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

describe.skipIf(noChromium)('an action', () => {
  test('that is sent before all scripts are there waits for them', async () => {
    const page = await (await browser.context()).newPage()
    let arrive = () => {}
    const arrival = new Promise<void>((resolve) => {
      arrive = resolve
    })
    await page.route('**/htmx.js*', (route) => arrival.then(() => route.continue()))
    await page.goto(browser.origin, { waitUntil: 'commit' })
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    await page.getByRole('button', { name: '+1 day' }).click()
    expect(browser.sandbox.now).toBe('2026-06-15T09:00:00.000Z')
    arrive()
    await page.locator('.big-now').getByText('2026-06-16 09:00:00').waitFor()
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
  })
})
