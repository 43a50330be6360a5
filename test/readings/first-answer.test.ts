import { expect, test } from 'vitest'
import { Client } from '../support/client.js'
import { openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'

/** payout.repeat=replay returns the first response byte for byte, whatever happened to the payout. */

const PAYOUT = '/payment/api/v1/payout'

/** Pays, and gives the text of the answer. */
const pay = async (api: Client, reading: string, number: string): Promise<string> => {
  const { recipient_details, ...request } = payoutRequest()
  const body = {
    ...request,
    recipient_details: { ...recipient_details, recipient_account_number: number },
  }
  let text = ''
  const listening = new Client(api.sandbox, async (path, init) => {
    const response = await api.carry(path, init)
    text = await response.clone().text()
    return response
  })
  await listening.post(PAYOUT, body, { headers: { 'x-sandbox-reading': reading } })
  return text
}

const USUAL = '0690000031'
const SLOW = '00000002'
const STUCK = '00000003'
const FAILS = '00000001'

test.each([
  ['that is processed at once', 'payout.fee=on_top', USUAL],
  ['that fails at once', 'payout.fee=on_top', FAILS],
  ['that was shown as pending', 'payout.status=pending', USUAL],
  ['that takes its time', 'payout.fee=on_top', SLOW],
  ['that waits for somebody', 'payout.fee=on_top', STUCK],
  ['that waits, under other names', 'payout.statuses=initiated, payout.status=pending', STUCK],
  ['that waits, under another name', 'payout.statuses=initiated', STUCK],
  ['with shorter times', 'time.form=seconds', STUCK],
  ['with a deducted fee', 'payout.fee=deducted', USUAL],
])('payout.repeat=replay returns the first response of a payout %s', async (_, reading, number) => {
  const api = await openSandbox()
  const first = await pay(api, reading, number)
  const again = () => pay(api, 'payout.repeat=replay', number)
  expect(await again()).toBe(first)
  const { id } = JSON.parse(first) as { id: string }
  if (number === STUCK) await api.make(`/_sandbox/payouts/${id}/advance`)
  expect(await again()).toBe(first)
  api.sandbox.advance('1h')
  expect(await again()).toBe(first)
})

const RETURN_READINGS = ['failed', 'returned', 'unchanged'].flatMap((transitions) =>
  ['processed', 'pending'].flatMap((status) =>
    ['three', 'initiated'].map((statuses) =>
      [
        `payout.transitions=${transitions}`,
        `payout.status=${status}`,
        `payout.statuses=${statuses}`,
      ].join(', '),
    ),
  ),
)

test.each(
  [USUAL, STUCK].flatMap((number) => RETURN_READINGS.map((reading) => [number, reading] as const)),
)(
  'payout.repeat=replay returns the first response of a returned payout: %s, %s',
  async (number, reading) => {
    for (const delay of ['0s', '1h'] as const) {
      const api = await openSandbox()
      const first = await pay(api, reading, number)
      const { id } = JSON.parse(first) as { id: string }
      const move = (to: string) => api.make(`/_sandbox/payouts/${id}/advance`, { to })
      if (number === STUCK) await move('PAYOUT_PROCESSED')
      api.sandbox.advance(delay)
      await move('PAYOUT_FAILED')
      expect(await pay(api, 'payout.repeat=replay', number), delay).toBe(first)
      expect(await pay(api, `payout.repeat=replay, ${reading}`, number), delay).toBe(first)
    }
  },
)

test('payout.repeat=replay returns the first response to a request with other fields, where it is not refused', async () => {
  const api = await openSandbox()
  const first = await pay(api, 'payout.fee=on_top', USUAL)
  const reading = 'payout.repeat=replay, payout.changed_repeat=first'
  expect(await pay(api, reading, '0690000032')).toBe(first)
  expect(await pay(api, 'payout.repeat=replay', '0690000032')).toContain('already names payout')
})
