import { invalidInput, ruleViolation } from '../kernel/refusal.js'
import type { Consent, Tx } from './schema.js'

export interface ConsentInput {
  readonly tnc_accepted: boolean
  readonly accepted_at?: string | undefined
}

/** Refusals in order: declined, accepted in the future. */
export const createConsent = (tx: Tx, input: ConsentInput): Consent => {
  const { tnc_accepted, accepted_at = tx.at } = input
  if (!tnc_accepted && tx.useReading('consent.validity') === 'refused') {
    throw invalidInput('tnc_data.tnc_accepted', false, 'true', 'The user declined the terms')
  }
  if (accepted_at > tx.at && tx.useReading('consent.time') === 'past') {
    throw invalidInput(
      'tnc_data.accepted_at',
      accepted_at,
      `an instant up to the world’s now, ${tx.at}`,
    )
  }
  const consent = tx.add('consents', {
    id: tx.uuid(),
    n: tx.tables.consents.next,
    accepted_at,
    ...(!tnc_accepted && { declined: true }),
    used_by: null,
    created_at: tx.at,
  })
  tx.emit({ type: 'consent.created', id: consent.id })
  return consent
}

/** Refuses a consent that is unknown, declined (consent.validity) or used (consent.reuse). */
export const useConsent = (tx: Tx, id: string, user: string): void => {
  const consent = tx.tables.consents.get(id)
  const flaw = findProblem(id, consent)
  if (flaw !== undefined && tx.useReading('consent.validity') === 'refused') {
    throw ruleViolation('consent_id', flaw)
  }
  if (consent?.used_by && tx.useReading('consent.reuse') === 'refused') {
    const problem = `consent ${id} was already used for another user; get a new one`
    throw ruleViolation('consent_id', problem)
  }
  if (consent && !consent.used_by) tx.replace('consents', consent, { ...consent, used_by: user })
}

const findProblem = (id: string, consent: Consent | undefined): string | undefined => {
  if (!consent) return `no consent has the id ${id}; get one from POST /onboarding/api/v1/tnc`
  return consent.declined
    ? `consent ${id} declines the terms; get one that accepts them`
    : undefined
}
