import type { Cause, DomainEvent, Entry, RuleCause, RuleStep } from '../kernel/entry.js'
import { describeRepeat, type FindCreator } from './repeats.js'

/**
 * Describes an entry. `findCreator` names the request that an idempotent repeat repeats. With `about`, the id of
 * a record, events of other records name what they are about.
 */
export const describeEntry = (
  entry: Entry,
  events: readonly DomainEvent[],
  findCreator?: FindCreator,
  about?: string,
): string => {
  const { command, cause, input, refused } = entry
  if (cause.kind === 'fixtures') return 'came with the fixtures'
  if (refused)
    return `${describeRequest(command, input)} ${describeCause(cause)} was refused: ${refused.message}`
  if (command === 'rule.fire') return `${describeRule(events)} ${describeCause(cause)}`
  if (events.length === 0) return `changed by ${command}, ${describeCause(cause)}`
  return describeEvents(events, cause, findCreator, about)
}

/** Names a cause once for the events in a row that share it. */
const describeEvents = (
  events: readonly DomainEvent[],
  cause: Cause,
  findCreator: FindCreator | undefined,
  about: string | undefined,
): string => {
  const runs: { readonly actions: string[]; readonly by: string }[] = []
  for (const event of events) {
    const isOther = about !== undefined && event.id !== about && event.subject !== about
    const action = describeRepeatedAction(event, findCreator) ?? describeEvent(event)
    const by = describeActor(event, cause)
    const run = runs.at(-1)
    const words = isOther ? `${nameSubject(event)} ${action}` : action
    if (run?.by === by) run.actions.push(words)
    else runs.push({ actions: [words], by })
  }
  return runs.map(({ actions, by }) => `${actions.join(' and ')} ${by}`).join(' and ')
}

/** `balance` for `balance.credited`. */
const nameSubject = ({ type }: DomainEvent): string =>
  type.slice(0, type.indexOf('.')).replace('api_key', 'API key')

const describeActor = ({ type, id, source, cause }: DomainEvent, ofEntry: Cause): string =>
  type === 'rule.fired' ? `by rule ${id} (${source})` : describeCause(cause ?? ofEntry)

const nameRule = ({ rule, scenario, source }: RuleStep): string =>
  `rule ${rule} of ${scenario} (${source})`

const describeRequest = (command: string, input: unknown): string => {
  const to = (input as { to?: unknown } | undefined)?.to
  return typeof to === 'string' ? `${command} to ${to}` : command
}

/** One rule fired, or rules only counted the request. */
const describeRule = ([fired]: readonly DomainEvent[]): string =>
  fired ? `${fired.id} (${fired.source}) stepped in,` : 'counted it and let it pass,'

const describeRepeatedAction = (
  event: DomainEvent,
  findCreator?: FindCreator,
): string | undefined => {
  const words = describeRepeat(event, findCreator)
  return words === undefined ? undefined : `${words},`
}

const describeEvent = ({
  type,
  from,
  to,
  reason,
  amount,
  currency,
  now,
  mode,
}: DomainEvent): string => {
  if (type === 'rule.fired') return 'left unchanged'
  if (type === 'api_key.set') return 'changed'
  const action = type.slice(type.indexOf('.') + 1)
  if (type.startsWith('timer.')) return `next step ${action}`
  if (type === 'clock.set') return `set to ${now}, ${mode},`
  if (from !== undefined && to !== undefined) {
    return `${action} from ${from} to ${to}${reason === undefined ? '' : ` (${reason})`}`
  }
  return amount === undefined ? action : `${action} with ${amount} ${currency}`
}

export const describeCause = (cause: Cause | RuleCause): string => {
  switch (cause.kind) {
    case 'request':
      return `by request ${cause.request} (${cause.operation})`
    case 'control':
      return `by hand: control call ${cause.operation}, request ${cause.request}`
    case 'read':
      return `by the read of request ${cause.request} (${cause.operation})`
    case 'timer':
    case 'rule':
      return `by ${nameRule(cause)}`
    case 'library':
      return 'by a library call'
    default:
      return `by ${cause.kind}`
  }
}
