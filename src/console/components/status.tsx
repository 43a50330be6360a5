import type { Child } from 'hono/jsx'
import { statusWord } from '../format.js'

/** A mark before a word: dashed is not yet, a pie is under way, a disc is done, a cross is failed. */
const MARKS: Readonly<Record<string, string>> = {
  PENDING: 'pending',
  FUNDS_RECEIVED: 'part-1',
  CONVERSION_PROCESSED: 'part-2',
  PAYMENT_SUBMITTED: 'part-3',
  PAYMENT_PROCESSED: 'done',
  FAILED: 'failed',
  CANCELLED: 'cancelled',
  PAYOUT_PENDING: 'pending',
  PAYOUT_PROCESSED: 'done',
  PAYOUT_FAILED: 'failed',
  active: 'done',
  under_review: 'pending',
  incomplete: 'pending',
  paused: 'cancelled',
  suspended: 'cancelled',
  expired: 'cancelled',
  rejected: 'failed',
  offboarded: 'cancelled',
  deactivated: 'cancelled',
  offramp: 'done',
  wallet: 'done',
  unmatched: 'failed',
}

export const markOf = (status: string): string => MARKS[status] ?? ''

/** The title has the exact value of the API. */
export const Status = ({ status, children }: { status: string; children?: Child }) => (
  <span class={`status ${markOf(status)}`} title={status}>
    {children ?? statusWord(status)}
  </span>
)

/** An HTTP status; null while the request runs and after a cut connection. 200 has no colour. */
export const Code = ({ status, isPending }: { status: number | null; isPending?: boolean }) => {
  const kind = status === null ? 'bad' : status >= 500 ? 'bad' : status >= 400 ? 'warn' : ''
  return (
    <code class={`code ${isPending ? '' : kind}`}>
      {status ?? (isPending ? 'running' : 'no answer')}
    </code>
  )
}
