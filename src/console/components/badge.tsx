import type { Risk } from '../../assumptions/register/assumption.js'
import { LongName } from './id.js'

/** Statuses by color: in progress, ended well, ended badly, or waiting for somebody. */
const KINDS: Readonly<Record<string, 'good' | 'bad' | 'wait' | 'way'>> = {
  PENDING: 'wait',
  FUNDS_RECEIVED: 'way',
  CONVERSION_PROCESSED: 'way',
  PAYMENT_SUBMITTED: 'way',
  PAYMENT_PROCESSED: 'good',
  FAILED: 'bad',
  CANCELLED: 'bad',
  PAYOUT_PENDING: 'wait',
  PAYOUT_PROCESSED: 'good',
  PAYOUT_FAILED: 'bad',
  active: 'good',
  under_review: 'wait',
  incomplete: 'wait',
  paused: 'wait',
  suspended: 'wait',
  expired: 'bad',
  rejected: 'bad',
  offboarded: 'bad',
  deactivated: 'bad',
  unmatched: 'bad',
  offramp: 'good',
  wallet: 'good',
}

export const StatusBadge = ({ status }: { status: string }) => (
  <span class={`badge ${KINDS[status] ?? 'plain'}`}>
    <LongName name={status} />
  </span>
)

export const RiskBadge = ({ risk }: { risk: Risk }) => (
  <span class={`badge ${risk === 'high' ? 'bad' : risk === 'medium' ? 'wait' : 'plain'}`}>
    {risk}
  </span>
)

export const BalanceBadge = ({ ok }: { ok: boolean }) => (
  <span class={ok ? 'badge good' : 'badge bad'}>{ok ? 'balanced' : 'broken'}</span>
)

/** The status is null while the request is pending and after a cut connection. */
export const HttpStatus = ({ status, pending }: { status: number | null; pending: boolean }) => {
  if (pending) return <span class="badge wait">pending</span>
  if (status === null) return <span class="badge bad">dropped</span>
  const kind = status < 300 ? 'good' : status < 400 ? 'plain' : status < 500 ? 'wait' : 'bad'
  return <span class={`badge ${kind}`}>{status}</span>
}
