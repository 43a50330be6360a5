import { broken } from './kernel/refusal.js'
import { layout, type Row } from './kernel/table.js'
import type { Tx } from './world.js'

/** A recorded acceptance of terms and conditions (contract, endpoint 5). */
export interface Consent extends Row {
  readonly accepted_at: string
  /** The user created with it; a consent serves once (reading user.consent). */
  readonly used_by: string | null
  readonly created_at: string
}

export const consentsLayout = layout<Consent>()({ all: () => '' })

export interface ConsentInput {
  readonly tnc_accepted: boolean
  readonly accepted_at: string
}

/** Records a consent and answers it. Refuses a declined one (reading consent.declined). */
export const createConsent = (tx: Tx, input: ConsentInput): Consent => {
  if (!input.tnc_accepted) {
    throw broken(
      'tnc_data.tnc_accepted',
      'false came; a consent needs true, the terms were declined',
    )
  }
  const consent = tx.add('consents', {
    id: tx.uuid(),
    n: tx.tables.consents.next,
    accepted_at: input.accepted_at,
    used_by: null,
    created_at: tx.at,
  })
  tx.emit({ type: 'consent.created', id: consent.id })
  return consent
}

/** Takes the consent for a new user; refuses one that is unknown or was used before. */
export const useConsent = (tx: Tx, id: string, user: string): void => {
  const consent = tx.tables.consents.get(id)
  if (!consent)
    throw broken(
      'consent_id',
      `no consent has the id ${id}; get one from POST /onboarding/api/v1/tnc`,
    )
  if (consent.used_by)
    throw broken('consent_id', `consent ${id} was already used for another user; get a new one`)
  tx.replace('consents', consent, { ...consent, used_by: user })
}
