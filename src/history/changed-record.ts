import { describeStatus } from '../contract/shown.js'
import type { MemoryJournal } from './memory-journal.js'

interface ChangedRecord {
  /** `payout 7777…` */
  readonly record?: string
  /** `1500.00 NGN` */
  readonly amount?: string
  /** Its status and reason. */
  readonly outcome?: string
}

/** A rule precedes the change of its request. */
const OF_RULES = ['rule.fired', 'next.taken']

/** The first record that a request was about, by its journal entries. */
export const findChangedRecord = (
  journal: MemoryJournal,
  from: number,
  to: number,
): ChangedRecord => {
  if (to < from || !journal.hasAllAfter(from - 1)) return {}
  for (const { events, changes } of journal.oldestAfter(from - 1, to - from + 1)) {
    const event = events.find(({ type }) => !OF_RULES.includes(type))
    if (!event) continue
    const noun = event.type.slice(0, event.type.indexOf('.'))
    const fields: Fields = Object(changes.find((it) => it.id === event.id)?.record)
    const [amount, outcome] = [formatAmount(fields), describeStatus(fields)]
    const record = `${noun} ${event.id}`
    return { record, ...(amount && { amount }), ...(outcome && { outcome }) }
  }
  return {}
}

type Fields = Readonly<Record<string, string | undefined>>

const formatAmount = (fields: Fields) => {
  const { amount = fields.source_amount, currency = fields.source_currency } = fields
  const unit = currency ?? fields.crypto
  return amount && unit && `${amount} ${unit}`
}
