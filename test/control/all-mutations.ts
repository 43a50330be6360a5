import type { Client } from '../support/client.js'
import { addresses, payoutId, transferId, users } from '../support/fixture-ids.js'
import {
  consentRequest,
  offrampRequest,
  payoutRequest,
  userRequest,
  walletRequest,
} from '../support/requests.js'

/** Every record of every table, as text. */
export const recordsOf = ({ sandbox }: Client): string =>
  JSON.stringify(
    Object.entries(sandbox.tables).map(([name, table]) => [name, 'all' in table && table.all()]),
    // Numbers of entries continue after a reset.
    (key, value) => (key === 'since' ? undefined : value),
    1,
  )

type Mutation = (api: Client) => Promise<unknown>

/** Something of everything that changes a world, one call each. */
export const mutations: readonly Mutation[] = [
  (api) => api.make('/onboarding/api/v1/tnc', consentRequest()),
  (api) => api.make('/onboarding/api/v1/users', userRequest()),
  (api) => api.make('/payment/api/v1/payout', payoutRequest()),
  (api) => api.make('/payment/api/v1/custody-wallet', walletRequest()),
  (api) => api.make('/payment/api/v1/offramp', offrampRequest()),
  (api) =>
    api.make('/_sandbox/next', {
      operation: 'initiateOfframp',
      times: 2,
      then: { move: 'FAILED', after: '1h' },
    }),
  (api) => api.make('/payment/api/v1/offramp', offrampRequest()),
  (api) => api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: 55 }),
  (api) => api.make('/_sandbox/deposits', { address: 'nowhere', amount: 1 }),
  (api) => api.make('/_sandbox/clock/advance', { by: '3s' }).then(() => api.sandbox.now),
  (api) => api.make(`/_sandbox/transfers/${transferId(9)}/advance`, { to: 'FAILED' }),
  (api) => api.make(`/_sandbox/payouts/${payoutId(3)}/advance`),
  (api) => api.make(`/_sandbox/users/${users.ben}/status`, { status: 'paused' }),
  (api) => api.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'JPY', amount: 7 }),
  (api) => api.call('PUT', '/_sandbox/clock', { body: { mode: '60x' } }).then(() => 'faster'),
]

/** Does all of it; answers all that was answered, ids included. */
export const live = async (api: Client): Promise<unknown[]> => {
  const answers: unknown[] = []
  for (const deed of mutations) answers.push(await deed(api))
  return answers
}
