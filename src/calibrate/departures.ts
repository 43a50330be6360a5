import { groupBy } from '../lib/group-by.js'
import {
  answerSchema,
  type Contract,
  compareToSchema,
  type Departure,
  hasStatus,
} from './contract.js'
import { type Exchange, getField, listedUsers } from './exchange.js'

/** Something that the contract does not have, and how often it was seen. */
export interface NewFact extends Departure {
  readonly operation: string
  readonly count: number
  readonly first: Exchange
  /** The sandbox has a reading that does the same. */
  readonly isOurs: boolean
}

const CONTRACT_CODES = /^(?:4030|4100|4101|4102|4103|4300)$/

/** Departures that some reading of the sandbox has too, as `kind path value`. */
const OURS =
  /^(?:status {2}409|code code 4\d\d .*|value .*status (?:PAYOUT_(?:PENDING|FAILED|INITIATED|REJECTED|RETURNED)|PENDING|[a-z_]+|(?:PENDING|FUNDS_RECEIVED|(?:CONVERSION|PAYMENT)_[A-Z]+|FAILED|CANCELLED)|paused)|type (?:.*\.)?(?:fiat_amount|target_amount|destination_amount|exchange_rate|fees) null instead of number|missing \w+_at absent)$/

const nameKey = ({ operation, departure: { kind, path, value } }: Seen): string =>
  `${operation} ${kind} ${path} ${value}`

interface Seen {
  readonly operation: string
  readonly departure: Departure
  readonly x: Exchange
}

export const findNewFacts = (contract: Contract, exchanges: readonly Exchange[]): NewFact[] =>
  [
    ...groupBy(
      exchanges.flatMap((x) => findInAnswer(contract, x)),
      nameKey,
    ).values(),
  ].flatMap((group) => {
    const [first] = group
    if (!first) return []
    const { kind, path, value } = first.departure
    const isOurs = OURS.test(`${kind} ${path} ${value}`)
    return {
      ...first.departure,
      operation: first.operation,
      count: group.length,
      first: first.x,
      isOurs,
    }
  })

const findInAnswer = (contract: Contract, x: Exchange): Seen[] => {
  const { operation, status, answer } = x
  if (operation === undefined || status === 0) return []
  const found: Seen[] = []
  const add = (departure: Departure) => found.push({ operation, departure, x })
  if (!hasStatus(contract, operation, status))
    add({ kind: 'status', path: '', value: String(status) })
  if (answer === undefined) return found
  if (operation === 'listUsers' && status < 300)
    for (const user of listedUsers(answer))
      compareToSchema(contract, contract.components.schemas.User, user, '[]', add)
  else compareToSchema(contract, answerSchema(contract, operation, status), answer, '', add)
  const code = getField(answer, 'code')
  if (status >= 400 && code !== undefined && !CONTRACT_CODES.test(String(code)))
    add({ kind: 'code', path: 'code', value: `${status} ${code}` })
  return found
}
