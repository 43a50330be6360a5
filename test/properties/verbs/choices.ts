import fc from 'fast-check'
import type { Tables } from '../../../src/domain/schema.js'
import type { TransitionTable } from '../../../src/domain/transitions.js'
import type { CommandName, Commands } from '../../../src/domain/world.js'
import type { InputOf } from '../../../src/kernel/kernel.js'

/** How to ask for a command: what there is to choose, and the input that a choice makes in a world. */
export interface Verb<K extends CommandName, Choice> {
  /** How often it comes up in a history. */
  readonly weight: number
  readonly choice: fc.Arbitrary<Choice>
  readonly input: (tables: Tables, choice: Choice) => InputOf<Commands[K]>
}

export const verb = <K extends CommandName, Choice>(
  _command: K,
  weight: number,
  choice: fc.Arbitrary<Choice>,
  input: Verb<K, Choice>['input'],
): Verb<K, Choice> => ({ weight, choice, input })

/** Rarely the second, so that most of a history is taken and not refused. */
export const mostly = <A, B>(usual: fc.Arbitrary<A>, odd: fc.Arbitrary<B>): fc.Arbitrary<A | B> =>
  fc.oneof({ weight: 9, arbitrary: usual }, { weight: 1, arbitrary: odd })

export const rarely = mostly(fc.constant(false), fc.constant(true))

const UNKNOWN = 'ffffffff-ffff-4fff-bfff-ffffffffffff'

/** Which record of a table, counted from the newest; -1 is one that is not there. */
export const which = mostly(fc.nat(12), fc.constant(-1))

type Listing =
  | 'api_keys'
  | 'users'
  | 'consents'
  | 'accounts'
  | 'wallets'
  | 'instructions'
  | 'transfers'
  | 'payouts'
  | 'rates'

export const idAt = (tables: Tables, name: Listing, place: number): string => {
  const table = tables[name]
  if (place < 0 || table.size === 0) return UNKNOWN
  return table.page('all', '', place % table.size, 1)[0]?.id ?? UNKNOWN
}

/** The user of a destination account, or somebody else. */
export const ownerOf = (tables: Tables, account: string, other: boolean): string => {
  const owner = tables.accounts.get(account)?.user_id ?? UNKNOWN
  return other
    ? (tables.users.list('all', '').find(({ id }) => id !== owner)?.id ?? UNKNOWN)
    : owner
}

/** One of few names in the shape of a UUID, so that a history uses a name twice. */
export const names = fc.nat(15).map((n) => `eeeeeeee-eeee-4eee-8eee-${String(n).padStart(12, '0')}`)

export const amounts = mostly(
  fc.constantFrom('1', '12.50', '0.01', '75', '100', '2500.75', '20000', '007.50'),
  fc.constantFrom('0', '0.00', '-5', '1e3', 'ten', '', '0.0001', '0.0000001', '99999999999999.99'),
)

export const currencies = mostly(
  fc.constantFrom('USD', 'EUR', 'NGN', 'KES', 'GBP'),
  fc.constantFrom('JPY', 'XXX'),
)

export const tokens = mostly(fc.constantFrom('USDC', 'USDT'), fc.constant('DOGE'))

export const chains = mostly(
  fc.constantFrom('ethereum', 'polygon', 'base', 'arbitrum', 'solana', 'tron'),
  fc.constant('dogechain'),
)

export const reasons = fc.constantFrom(undefined, 'account_closed')

/** A legal move by its place among the legal ones, or any status. */
export const moves = <S extends string>(statuses: readonly S[]): fc.Arbitrary<number | S> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.nat(2) },
    { weight: 1, arbitrary: fc.constantFrom(...statuses) },
  )

export const moveFrom = <S extends string>(
  table: TransitionTable<S>,
  from: S | undefined,
  to: number | S,
): S => {
  if (typeof to !== 'number') return to
  const statuses = Object.keys(table) as [S, ...S[]]
  const legal = from === undefined ? [] : table[from]
  return legal[to % legal.length] ?? statuses[0]
}
