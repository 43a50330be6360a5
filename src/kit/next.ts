import type { OperationId } from '../../generated/api-types.js'
import type { ControlClient } from './control-client.js'
import { invalid, SandboxError } from './sandbox-error.js'

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
export interface NextCall {
  /** Makes `await world.next('createPayout')` an error: it arms nothing. */
  then(fault: never, reject: (error: Error) => void): void
  /** Answers instead of the operation, which does nothing. */
  respond(
    status: number,
    details?: {
      readonly code?: string | undefined
      readonly message?: string | undefined
      /** The header has whole seconds: 400 milliseconds become 1. */
      readonly retryAfter?: Duration | undefined
    },
  ): Promise<ArmedCall>
  /** createPayout, initiateOfframp, createUser: the new record fails, or is rejected, at once. */
  fail(reason?: string): Promise<ArmedCall>
  /** Runs the operation; its response never arrives. */
  loseResponse(): Promise<ArmedCall>
  /** Breaks the connection; the operation does nothing. */
  dropBefore(): Promise<ArmedCall>
  /** Waits before the operation, in real time. */
  delay(time: Duration): Promise<ArmedCall>
  /** Holds the request before the operation, or its response after it, in real time. */
  hold(before: 'commit' | 'answer', time: Duration): Promise<ArmedCall>
  /** Runs the operation, and spoils the body of its response. */
  malform(how: 'truncated_json' | 'html' | 'wrong_content_type' | 'empty'): Promise<ArmedCall>
  /** Runs the operation, and changes fields of its response; `absent` removes one. */
  patch(fields: Readonly<Record<string, unknown>>): Promise<ArmedCall>
  /** Answers a GET as of some time ago, in the time of the world. */
  stale(time: Duration): Promise<ArmedCall>
  /** The new record stays in its first status. */
  stayPending(): Promise<ArmedCall>
  /** The payment is processed, and the receiving bank returns it later. */
  return(options?: {
    readonly after?: Duration | undefined
    readonly reason?: string
  }): Promise<ArmedCall>
}

/** Of the records of other operations, the sandbox says that they cannot fail. */
const FAILED: Readonly<Record<string, string>> = {
  createUser: 'rejected',
  initiateOfframp: 'FAILED',
}

/** Other operations make no payment that a bank could return. */
const RETURNED: Readonly<Record<string, object>> = {
  createPayout: { move: 'PAYOUT_FAILED', from: 'PAYOUT_PROCESSED' },
  initiateOfframp: { move: 'FAILED', from: 'PAYMENT_PROCESSED' },
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
  return {
    then: (_, reject) => reject(new SandboxError('invalid', NO_FAULT)),
    respond: async (status, { retryAfter, ...details } = {}) =>
      arm({
        respond: {
          status,
          ...details,
          ...(retryAfter !== undefined && { retry_after: toText(retryAfter) }),
        },
      }),
    fail: async (reason) =>
      arm({
        move: FAILED[operation ?? ''] ?? 'PAYOUT_FAILED',
        ...(reason !== undefined && { reason }),
      }),
    loseResponse: async () => arm({ drop: 'after' }),
    dropBefore: async () => arm({ drop: 'before' }),
    delay: async (time) => arm({ delay_ms: toMilliseconds(time) }),
    hold: async (before, time) => arm({ hold: { before, for: toText(time) } }),
    malform: async (how) => arm({ malform: how }),
    patch: async (fields) => arm({ patch: fields }),
    stale: async (time) => arm({ stale: toText(time) }),
    stayPending: async () => arm({ stop: true }),
    return: async ({ after, reason = 'returned' } = {}) => {
      const move = RETURNED[operation ?? '']
      if (move)
        return arm({ ...move, reason, ...(after !== undefined && { after: toText(after) }) })
      const expected = `${Object.keys(RETURNED).join(' or ')}, whose payment a bank can return`
      throw invalid('operation', operation, expected)
    },
  }
}

const toText = (time: Duration): string => (typeof time === 'number' ? `${time}ms` : time)

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000 }

const toMilliseconds = (time: Duration): number => {
  if (typeof time === 'number') return time
  const [, count = '', unit = ''] = /^(?:PT)?([\d.]+)(ms|s|m)$/i.exec(time) ?? []
  const ms = Number(count) * (UNITS[unit.toLowerCase()] ?? Number.NaN)
  if (ms >= 0) return ms
  throw invalid('time', time, 'milliseconds, or a duration such as 12s')
}
