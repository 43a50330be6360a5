import { describe, expect, test } from 'vitest'
import { BY, fixtureWorld, fixtures as given } from '../../test/support/domain-world.js'
import { Refusal } from '../kernel/refusal.js'
import type { CommandName } from './world.js'

const UNKNOWN = 'ffffffff-ffff-4fff-bfff-ffffffffffff'
const ADA = '11111111-1111-4111-8111-000000000001'
const GRACE = '11111111-1111-4111-8111-000000000007'

const [adas] = given.accounts.filter(({ user_id }) => user_id === ADA)
const [graces] = given.accounts.filter(({ user_id }) => user_id === GRACE)
if (!adas || !graces) throw new Error('the fixtures have these')

/** Runs a command on fresh fixtures; answers the refusal as `code message`, or `done`. */
const outcome = (command: CommandName, input: object): string => {
  const world = fixtureWorld()
  world.run('balance.credit', { user_id: ADA, currency: 'JPY', amount: '1' }, BY)
  try {
    world.run(command, input as never, BY)
    return 'done'
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return `${error.code} ${error.message}`
  }
}

/** Everything is wrong at first; each step mends one thing and shows what is wrong next. */
type Mending = readonly (readonly [change: object, refusal: RegExp | 'done'])[]

const mendings: Record<string, readonly [CommandName, Mending]> = {
  'a move of a user': [
    'user.move',
    [
      [{ id: UNKNOWN, to: 'rejected', requirements: ['city'] }, /^unknown Invalid id: /],
      [{ id: ADA }, /^rule Invalid requirements: got a list with rejected/],
      [{ requirements: [] }, /^illegal user .* is active and cannot become rejected/],
      [{ to: 'paused' }, 'done'],
    ],
  ],
  'a bank transfer': [
    'transfer.start',
    [
      [
        { user_id: UNKNOWN, account_id: UNKNOWN, source_currency: 'usd', source_amount: '1.001' },
        /^unknown Invalid user_id: /,
      ],
      [{ user_id: ADA }, /^unknown Invalid account_id: /],
      [{ account_id: graces.id }, /^unknown Invalid account_id: /],
      [{ user_id: GRACE }, /^rule Invalid user_id: .* is paused/],
      [{ user_id: ADA, account_id: adas.id }, /^rule Invalid source_currency: got "usd"/],
      [{ source_currency: 'JPY' }, /^rule Invalid source_amount: .* at most 0 decimals in JPY/],
      [{ source_amount: '100' }, /^rule Invalid source_currency: .*JPY/],
      [{ source_currency: 'USD' }, 'done'],
    ],
  ],
  'a destination account': [
    'account.register',
    [
      [
        { user_id: UNKNOWN, account_number: '1', currency: 'eur', crypto: 'DOGE' },
        /^unknown Invalid user_id: /,
      ],
      [
        { user_id: ADA },
        /^rule Invalid currency: got "eur"\. Expected a currency with a rail: .*EUR/,
      ],
      [{ currency: 'JPY' }, /^rule Invalid currency: got "JPY"/],
      [{ currency: 'EUR' }, /^rule Missing chain\. Expected both chain and crypto, or neither/],
      [{ chain: 'dogechain' }, /^rule Invalid chain: got "dogechain"/],
      [
        { chain: 'tron' },
        /^rule Invalid crypto: got "DOGE"\. Expected a known token on tron: USDT\.$/,
      ],
      [{ crypto: 'USDT' }, 'done'],
    ],
  ],
  'a credit': [
    'balance.credit',
    [
      [{ user_id: UNKNOWN, currency: 'usd', amount: '0' }, /^unknown Invalid user_id: /],
      [{ user_id: GRACE }, /^rule Invalid currency: got "usd"/],
      [{ currency: 'USD' }, /^rule Invalid amount: got "0"\. Expected an amount above zero/],
      [{ amount: '0.01' }, 'done'],
    ],
  ],
}

describe.each(Object.entries(mendings))(
  '%s that is wrong in every way',
  (_, [command, mending]) => {
    test('refuses one problem after another in the documented order', () => {
      let input = {}
      for (const [change, refusal] of mending) {
        input = { ...input, ...change }
        if (refusal === 'done') expect(outcome(command, input)).toBe('done')
        else expect(outcome(command, input)).toMatch(refusal)
      }
    })
  },
)
