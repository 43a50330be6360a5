import { invalidInput, ruleViolation } from '../kernel/refusal.js'
import type { Consent, Tx } from './schema.js'

interface ConsentInput {
  readonly tnc_accepted: boolean
  readonly accepted_at: string
}

/** Refuses declined terms. */
export const createConsent = (tx: Tx, { tnc_accepted, accepted_at }: ConsentInput): Consent => {
  if (!tnc_accepted)
    throw invalidInput('tnc_data.tnc_accepted', false, 'true', 'The user declined the terms')
  const consent = tx.add('consents', {
    id: tx.uuid(),
    n: tx.tables.consents.next,
    accepted_at,
    used_by: null,
    created_at: tx.at,
  })
  tx.emit({ type: 'consent.created', id: consent.id })
  return consent
}

/** A consent serves one user. */
export const useConsent = (tx: Tx, id: string, user: string): void => {
  const consent = tx.tables.consents.get(id)
  if (!consent) {
    const problem = `no consent has the id ${id}; get one from POST /onboarding/api/v1/tnc`
    throw ruleViolation('consent_id', problem)
  }
  if (consent.used_by) {
    const problem = `consent ${id} was already used for another user; get a new one`
    throw ruleViolation('consent_id', problem)
  }
  tx.replace('consents', consent, { ...consent, used_by: user })
}
