import { expect } from 'vitest'
import { readBundledScenario } from '../../src/scenarios/language/bundled.js'
import type { Expectation } from '../../src/scenarios/language/expectations.js'
import type { Client } from './client.js'
import { keys, ownId } from './fixture-ids.js'
import { openSandbox } from './open-sandbox.js'
import { payoutRequest } from './requests.js'

/** A sandbox that plays one shipped scenario, and what a client of the service would do there. */
export const playing = (name: string): Promise<Client> => openSandbox({ scenarios: [name] })

/** The raw response: no document knows responses that a rule has garbled. */
export interface Came {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export const send = async (
  { carry }: Pick<Client, 'carry'>,
  path: string,
  body?: unknown,
): Promise<Came> => {
  const headers = { 'x-api-key': keys.full, 'content-type': 'application/json' }
  const init = body === undefined ? { headers } : { method: 'POST', body: JSON.stringify(body) }
  const response = await carry(path, { ...init, headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

export const PAYOUT = '/payment/api/v1/payout'

/** A payout of Ada's; the number makes its customer_payout_id. */
export const payoutOf = (n: number) => ({ ...payoutRequest(), customer_payout_id: ownId(n) })

/** The payouts that came after the fixtures. */
export const newPayouts = ({ sandbox }: Client) =>
  sandbox.tables.payouts.all().filter(({ customer_payout_id: id }) => id.startsWith('abcdef'))

/** Asks for a payout until an answer can be read, with the id that `idOf` gives for each try. */
export const pay = async (
  api: Client,
  idOf: (attempt: number) => number,
  wait: (came: Came | undefined) => void = () => {},
): Promise<number> => {
  for (let attempt = 1; attempt <= 20; attempt++) {
    const came = await send(api, PAYOUT, payoutOf(idOf(attempt))).catch(() => undefined)
    if (came?.status === 200 && isPayout(came)) return attempt
    wait(came)
  }
  throw new Error('no answer to a payout could be read in twenty attempts')
}

const isPayout = ({ headers, text }: Came): boolean => {
  if (headers.get('content-type') !== 'application/json') return false
  try {
    return 'customer_payout_id' in JSON.parse(text)
  } catch {
    return false
  }
}

/** Advances the world by the wait that a response asks for. */
export const waitAsTold =
  ({ sandbox }: Client) =>
  (came: Came | undefined): void => {
    const seconds = came?.headers.get('retry-after')
    if (seconds) sandbox.advance(`${seconds}s`)
  }

/** The service's own word on a transfer. */
export const statusOf = async (api: Client, id: string): Promise<string> => {
  const came = await send(api, `/payment/api/v1/fx-audit/status/${id}`)
  expect(came.status, came.text).toBe(200)
  return JSON.parse(came.text).status
}

const expectationsOf = (name: string): Expectation[] =>
  readBundledScenario(name).expect.map(({ source: _, ...expectation }) => expectation)

/** The failed expectations of a scenario, in words, once no timer is pending. */
export const missesOf = async ({ sandbox }: Client, name: string): Promise<string[]> => {
  const { results } = await sandbox.verify(expectationsOf(name), { until: 'idle' })
  return results.filter(({ ok }) => !ok).map(({ sentence }) => sentence)
}
