import type { OperationId } from '../../generated/api-types.js'
import { createNextFaults, type NextFaults } from '../../generated/next-faults.js'
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
export interface NextCall extends NextFaults<Duration, ArmedCall> {
  /** Makes `await world.next('createPayout')` an error: it arms nothing. */
  then(fault: never, reject: (error: Error) => void): void
  /** createPayout, initiateOfframp, createUser: the new record fails, or is rejected, at once. */
  fail(reason?: string): Promise<ArmedCall>
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
    ...createNextFaults<Duration, ArmedCall>(arm, toText),
    then: (_, reject) => reject(new SandboxError('invalid', NO_FAULT)),
    fail: async (reason) =>
      arm({
        move: FAILED[operation ?? ''] ?? 'PAYOUT_FAILED',
        ...(reason !== undefined && { reason }),
      }),
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

const toText = (time: Duration | undefined) => (typeof time === 'number' ? `${time}ms` : time)
