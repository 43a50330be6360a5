/** A row of the matrix: it happens to a call, or to the payment that the call makes. */
export interface Fault {
  readonly name: string
  /** Follows the name of a call: `createPayout.1 was done, and …`. */
  readonly does: string
  /** The effect on the request. */
  readonly request?: object
  /** Steps of the payment, by operation. Other operations do not have the fault. */
  readonly record?: Readonly<Record<string, readonly object[]>>
  /** Operations that have the fault; all by default. */
  readonly operations?: readonly string[]
  /** Calls in a row; one by default. */
  readonly limit?: number
  /** The fault ends when the client loses patience, in real time. */
  readonly waits?: true
  /** The command is killed while the call hangs, and started again. */
  readonly kills?: true
}

const busy = (status: number): Fault => ({
  name: String(status),
  does: `was answered with ${status} and retry-after: 2`,
  request: { respond: { status, retry_after: '2s' } },
})

const CHANGES = 'createPayout initiateOfframp createCustodyWallet createUser createConsent'
const WITH_STATUS = 'createPayout createUser listUsers getTransferStatus'

/** The likeliest first: the story of a finding is that of its first cell. */
export const FAULTS: readonly Fault[] = [
  { name: 'lost-answer', does: 'was done, and its answer was lost', request: { drop: 'after' } },
  { name: 'lost-request', does: 'was cut off before it was done', request: { drop: 'before' } },
  {
    ...{ name: 'timeout', does: 'was done, and never answered' },
    ...{ request: { hang: 'after' }, waits: true },
  },
  {
    ...{ name: 'garbled', does: 'was done, and half of its JSON arrived with a status of success' },
    request: { malform: 'truncated_json' },
  },
  busy(503),
  busy(429),
  {
    ...{ name: 'refused', does: 'was refused with 400, each time' },
    ...{ request: { respond: { status: 400 } }, limit: 1_000_000 },
  },
  {
    ...{ name: 'pending', does: 'stayed pending for ten minutes' },
    record: { createPayout: [{ after: '10m', move: 'PAYOUT_PROCESSED' }] },
  },
  {
    ...{ name: 'fails', does: 'failed at the bank' },
    record: {
      createPayout: [{ after: '0s', move: 'PAYOUT_FAILED', reason: 'account_closed' }],
      initiateOfframp: [
        { after: '2s', move: 'FUNDS_RECEIVED' },
        { after: '2s', move: 'CONVERSION_PROCESSED' },
        { after: '2s', move: 'PAYMENT_SUBMITTED' },
        { after: '1m', move: 'FAILED', reason: 'account_closed' },
      ],
    },
  },
  {
    ...{ name: 'new-status', does: 'was answered with a status that the contract does not have' },
    ...{ request: { patch: { status: 'ON_HOLD' } }, operations: WITH_STATUS.split(' ') },
  },
  {
    ...{ name: 'crash', does: 'was done when the command was killed and started again' },
    ...{ request: { hang: 'after' }, kills: true, operations: CHANGES.split(' ') },
  },
]
