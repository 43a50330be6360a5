import { describe, expect, test } from 'vitest'
import { keys, ownId } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'
import { noChromium } from './chromium.js'
import { ConsoleBrowser } from './console-browser.js'

const browser = new ConsoleBrowser()

/** Resolves to undefined if the connection breaks off. */
const pay = async (customer_payout_id: string, key: string = keys.full) => {
  const response = await fetch(`${browser.origin}/payment/api/v1/payout`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ ...payoutRequest(), customer_payout_id }),
  }).catch(() => undefined)
  await response?.text()
  return response?.status
}

describe.skipIf(noChromium)('journeys through the console', () => {
  test('the next call loses its response', async () => {
    const page = await browser.visit('/control')
    await page.getByLabel('Operation').selectOption('createUser')
    await page.getByText('is rejected after 2 s').waitFor()
    await page.getByLabel('Operation').selectOption('createPayout')
    await page.getByRole('radio', { name: /pays, and loses its response/ }).check()
    await page.locator('#next-parts .json', { hasText: 'drop: after' }).waitFor()
    await page.getByRole('button', { name: 'Set for the next call' }).click()
    await page.getByText('Waits: The next createPayout pays').waitFor()
    expect([await pay(ownId(1)), await pay(ownId(1))]).toEqual([undefined, 200])
    await page.getByText('Waits:').waitFor({ state: 'detached' })
    const paid = browser.sandbox.tables.payouts
      .all()
      .filter((it) => it.customer_payout_id === ownId(1))
    expect(paid).toHaveLength(1)
  })

  test('find the failed world among sixty and compare it with a good one', async () => {
    const create = async (name: string): Promise<string> => {
      const response = await fetch(`${browser.origin}/_sandbox/worlds`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name }),
      })
      return (await response.json()).key
    }
    const loseNext = (key: string) =>
      fetch(`${browser.origin}/_sandbox/next`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ then: { drop: 'after' } }),
      })
    for (let i = 0; i < 60; i++) {
      const key = await create(`pays once, test ${i}`)
      if (i === 33 || i === 34) await loseNext(key)
      await pay(ownId(1), key)
      await pay(ownId(i === 33 ? 2 : 1), key)
    }
    const page = await browser.visit('/worlds')
    await page.getByText('With a problem: 1.').waitFor()
    const failed = page.locator('tr', { hasText: 'Looks paid twice' })
    await failed.getByRole('link', { name: 'pays once, test 33', exact: true }).waitFor()
    await failed.getByRole('checkbox').check()
    await page.getByText(/worlds without a problem/).click()
    await page.getByRole('checkbox', { name: 'Choose pays once, test 34' }).check()
    // The tray covers the rows below it, also their controls.
    const isCovering = await page.locator('.tray').evaluate((tray) => {
      const { left, top, height } = tray.getBoundingClientRect()
      const heights = Array.from({ length: Math.floor(height) - 2 }, (_, i) => top + 1 + i)
      return heights.every((y) => tray.contains(document.elementFromPoint(left + 6, y)))
    })
    expect(isCovering).toBe(true)
    await page.getByRole('link', { name: 'Compare', exact: true }).click()
    await page.getByText('They begin alike. They part at request 2').waitFor()
    await page.locator('tr.bad', { hasText: '2, here they part' }).waitFor()
  })
})
