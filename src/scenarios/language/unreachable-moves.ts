import type { Condition } from './conditions.js'
import { type EventName, events, type Subject } from './events.js'
import { acceptedLiterals } from './literal-values.js'
import type { SubjectStep } from './steps.js'

/** A move that the status table can never allow, and what would be allowed there. */
export interface UnreachableMove {
  /** Place of the step among the rule's steps. */
  readonly step: number
  readonly message: string
}

/**
 * The first move of a rule that cannot come true, wherever the rule's own steps have led the subject by
 * then. It goes by the default readings, since a file is read before any world chooses others. What becomes
 * impossible because of others is refused when it happens.
 */
export const unreachableMove = (
  event: EventName,
  status: Condition | undefined,
  steps: readonly SubjectStep[],
): UnreachableMove | undefined => {
  const { subject, begins } = events[event] as { subject: Subject; begins?: string }
  const { moves } = subject
  if (!moves) return undefined
  let from = begun(begins, status) ?? Object.keys(moves)
  for (const [step, { move }] of steps.entries()) {
    if (move === undefined) continue
    const legal = [...new Set(from.flatMap((it) => moves[it] ?? []))]
    if (!legal.includes(move)) return { step, message: saying(from, legal, moves) }
    from = [move]
  }
  return undefined
}

/** The statuses that a condition names, or the one that the event begins with; undefined for any. */
const begun = (begins: string | undefined, status: Condition | undefined): string[] | undefined => {
  const named = acceptedLiterals(status)
  if (status !== null && named.length > 0) return named.map(({ value }) => String(value))
  return begins === undefined || status !== undefined ? undefined : [begins]
}

const saying = (
  from: readonly string[],
  legal: readonly string[],
  moves: Readonly<Record<string, readonly string[]>>,
): string => {
  const [only] = from
  if (from.length !== 1 || only === undefined) return legal.join(', ')
  return legal.length > 0
    ? `${legal.join(', ')}, which can follow ${only}`
    : `no move: ${only} is final${moves[only] ? '' : ' or unknown'}`
}
