import type { OperationId } from '../../generated/api-types.js'
import { type NextFault, type NextFaults, nextFaults } from '../../generated/next-faults.js'
import type { ControlClient } from './control-client.js'
import { assertKnown, assertNoSurplus, SandboxError } from './sandbox-error.js'

/** Such as `12s`, `1.5h` or `PT30M`. */
export type DurationText = `${number}${'ms' | 's' | 'm' | 'h' | 'd'}` | `P${string}`
/** Or milliseconds. */
export type Duration = DurationText | number

export interface NextOptions {
  /** How many calls take it; default 1. */
  readonly times?: number | 'always' | undefined
  /** Only calls about this user, by id or by name. */
  readonly userId?: string | undefined
  /** The test passes even if no call takes it. */
  readonly optional?: boolean | undefined
}

export interface ArmedCall {
  readonly id: string
  /** Its name in `x-sandbox-fault`. */
  readonly rule: string
  /** The scenario file that does the same. */
  readonly yaml: string
}

/** Decides the fate of the next call. Each method arms it. */
export interface NextCall extends NextFaults<Duration, ArmedCall> {
  /** Makes `await world.next('createPayout')` an error: it arms nothing. */
  then(fault: never, reject: (error: Error) => void): void
}

const NO_FAULT =
  'world.next(…) was called without a fault. Expected one behind it, such as world.next(…).loseResponse().'

export const createNextCall = (
  client: ControlClient,
  operation: OperationId | undefined,
  { times, userId, optional }: NextOptions,
): NextCall => {
  const arm = (then: object): Promise<ArmedCall> =>
    client.send('POST', '/next', {
      ...(operation !== undefined && { operation }),
      ...(userId !== undefined && { user_id: userId }),
      ...(times !== undefined && { times }),
      ...(optional !== undefined && { optional }),
      then,
    })
  const faults = Object.entries(nextFaults).map(([name, fault]) => [
    name,
    async (...given: readonly unknown[]) => arm({ [toWord(name)]: toValue(name, fault, given) }),
  ])
  const call = { ...Object.fromEntries(faults), then: refuseAwait }
  // A misspelt fault gets the nearest, in JavaScript too.
  return new Proxy(call, {
    get: (_, name) =>
      typeof name === 'string'
        ? (call[name] ?? (() => assertKnown('fault', name, Object.keys(nextFaults))))
        : undefined,
  })
}

const refuseAwait = (_: never, reject: (error: Error) => void) =>
  reject(new SandboxError('invalid', NO_FAULT))

const toWord = (name: string): string => name.replace(/[A-Z]/g, (it) => `_${it.toLowerCase()}`)

/** The value of a word: its fields, an argument without one, or true. The control API checks it. */
const toValue = (
  fault: string,
  { positional, options, times }: NextFault,
  given: readonly unknown[],
): unknown => {
  assertNoSurplus(fault, given, positional.length + (options.length > 0 ? 1 : 0))
  const named = Object.entries(Object(given[positional.length]))
  for (const [name] of named) assertKnown('option', name, options)
  const fields = [
    ...positional.map((field, i) => [field, given[i]] as const),
    ...named.map(([name, value]) => [toWord(name), value] as const),
  ].map(([field, value]) => {
    const isTime = typeof value === 'number' && times.includes(field)
    return [field, isTime ? `${value}ms` : value] as const
  })
  if (positional[0] === '') return fields[0]?.[1]
  return fields.some(([, value]) => value !== undefined) ? Object.fromEntries(fields) : true
}
