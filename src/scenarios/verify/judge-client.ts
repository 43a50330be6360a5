import type { Candidate as NearMiss } from '../../../generated/api-types.js'
import { isDelivered, isUnclear } from '../../history/delivered.js'
import { describeEvidence } from '../../history/paid-twice.js'
import { repeatableId } from '../../history/repeatable-id.js'
import { plural } from '../../lib/text.js'
import type { Count, Expectation } from '../language/expectations.js'
import { isCount } from './counts.js'
import type { LoggedRequest } from './logged-request.js'
import { toNearMisses } from './near-misses.js'
import { type Subject, sumOf, type VerificationInput } from './subjects.js'

/** The result of a demand on all found items together. The demand fails if there are candidates. */
export interface Finding {
  readonly words: string
  readonly candidates?: readonly NearMiss[]
}

/** How the client dealt with trouble: the demands `repaired` and `paid_twice`. */
export const judgeClient = (
  { repaired, paid_twice }: Expectation,
  things: readonly Subject[],
  input: VerificationInput,
): Finding[] => [
  ...(repaired ? [judgeRepairs(things, input)] : []),
  ...(paid_twice === undefined ? [] : judgePayments(paid_twice, things, input)),
]

const judgeRepairs = (
  things: readonly Subject[],
  { exchanges, isExcused }: VerificationInput,
): Finding => {
  const ids = new Set(things.map(({ id }) => id))
  const { troubles, unrepaired } = findRepairs(exchanges(), ids)
  if (troubles === 0) return { words: 'not exercised' }
  if (unrepaired.size === 0) return { words: `${plural(troubles, 'trouble')} repaired` }
  const words = `${unrepaired.size} of ${plural(troubles, 'trouble')} not repaired`
  if (isExcused) return { words: `${words}, as the command failed` }
  const came = 'no later request for the same work got a success'
  const left = things.filter(({ id }) => unrepaired.has(id))
  const candidates = toNearMisses(left, () => [{ field: 'repaired', wanted: true, came }])
  return { words, candidates }
}

const judgePayments = (
  wanted: Count,
  things: readonly Subject[],
  { paidTwice }: VerificationInput,
): Finding[] => {
  const { twice, unknown } = paidTwice()
  const known = new Map(twice.map((it) => [it.payout.id, it]))
  const again = things.filter(({ id }) => known.has(id))
  const pending = again.filter(({ id }) => known.get(id)?.kind === 'while_pending')
  const second = again.filter((it) => !pending.includes(it))
  const open = things.filter(({ id }) => unknown.some((it) => it.id === id))
  if (isCount(second.length, wanted, open.length)) {
    return pending.length > 0 ? [{ words: `${pending.length} paid while another was pending` }] : []
  }
  const currencies = [...new Set(second.map(({ reader }) => String(reader('currency'))))]
  const sums = currencies.map((it) => {
    const those = second.filter(({ reader }) => reader('currency') === it)
    return `${sumOf(those, 'amount')} ${it}`
  })
  const words = [
    `${second.length} of them paid twice`,
    ...(sums.length > 0 ? [sums.join(' and ')] : []),
    ...(open.length > 0 ? [`and perhaps ${open.length} more`] : []),
  ].join(', ')
  const candidates = toNearMisses([...second, ...open], ({ id }) => {
    const it = known.get(id)
    const came = it ? describeEvidence(it) : 'unknown: the log no longer has the requests'
    return [{ field: 'paid_twice', wanted, came }]
  })
  return [{ words, candidates }]
}

/** Requests that the client has to send again, and those of them that no later request repaired. */
interface Repairs {
  readonly troubles: number
  readonly unrepaired: ReadonlySet<string>
}

/** Judges those of the exchanges, oldest first, that have one of the ids. */
const findRepairs = (exchanges: readonly LoggedRequest[], ids: ReadonlySet<string>): Repairs => {
  const repaired = new Set<string>()
  const unrepaired = new Set<string>()
  let troubles = 0
  for (const it of exchanges.toReversed()) {
    const key = toKey(it)
    if (isRepair(it)) repaired.add(key)
    else if (isTrouble(it) && ids.has(it.id)) {
      troubles++
      if (!repaired.has(key)) unrepaired.add(it.id)
    }
  }
  return { troubles, unrepaired }
}

const isTrouble = (it: LoggedRequest): boolean =>
  isUnclear(it) || it.status === 401 || it.status === 429

/** Such a conflict shows that an earlier request of this id was carried out. */
const CONFLICT = /^(payout|wallet)\.(changed_)?repeat=conflict$/

const isRepair = (it: LoggedRequest): boolean => {
  if (!isDelivered(it) || it.status === null) return false
  return it.status < 300 || (it.status === 409 && it.assumed.some((id) => CONFLICT.test(id)))
}

const toKey = ({ operation, method, path, request: { body } }: LoggedRequest): string => {
  const { id } = repeatableId(operation, body) ?? {}
  return JSON.stringify([operation ?? method, ...(id === undefined ? [path, body] : [id])])
}
