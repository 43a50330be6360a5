import { acceptedLiterals, type Condition } from './conditions.js'
import { type EventName, events, type Subject } from './events.js'
import type { SubjectStep } from './steps.js'

/** A move that the status table never allows, and the allowed ones. */
interface UnreachableMove {
  readonly step: number
  readonly message: string
}

/**
 * The first move that is illegal after the earlier steps of the rule. Uses the default readings,
 * because no world has chosen others yet. A move that other readings make illegal is refused when
 * it runs.
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
    if (!legal.includes(move)) return { step, message: withMessage(from, legal, moves) }
    from = [move]
  }
  return undefined
}

/** Statuses of the condition, or the first status of the event; undefined for any. */
const begun = (begins: string | undefined, status: Condition | undefined): string[] | undefined => {
  const named = acceptedLiterals(status)
  if (status !== null && named.length > 0) return named.map(({ value }) => String(value))
  return begins === undefined || status !== undefined ? undefined : [begins]
}

const withMessage = (
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
