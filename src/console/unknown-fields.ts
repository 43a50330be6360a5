import type * as z from 'zod'
import { offrampRequest } from '../contract/offramp.js'
import { payoutRequest } from '../contract/payout.js'
import { consentRequest, userRequest } from '../contract/user.js'
import { walletRequest } from '../contract/wallet.js'
import type { LoggedExchange } from '../history/views.js'
import { type Fields, listFields } from '../lib/schema-fields.js'
import { closestMatch } from '../lib/suggest.js'
import type { FieldError } from './components/json.js'

const BODIES: Readonly<Record<string, z.ZodType>> = {
  createPayout: payoutRequest,
  createCustodyWallet: walletRequest,
  initiateOfframp: offrampRequest,
  createUser: userRequest,
  createConsent: consentRequest,
}

/** Body fields that the call does not have. The service ignores a misspelt field silently. */
export const unknownFields = ({ operation, request }: LoggedExchange): FieldError[] => {
  const body = BODIES[operation ?? '']
  return body ? findUnknownFields(request.body, listFields(body), []) : []
}

const findUnknownFields = (
  value: unknown,
  fields: Fields | undefined,
  path: readonly string[],
): FieldError[] => {
  if (!fields || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    return value.flatMap((item, i) =>
      Array.isArray(item) ? [] : findUnknownFields(item, fields, [...path, String(i)]),
    )
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = [...path, name]
    if (fields.has(name)) return findUnknownFields(inner, fields.get(name), at)
    const missing = [...fields.keys()].filter((it) => !Object.hasOwn(value, it))
    const meant = closestMatch(name, missing)
    const guess = meant === undefined ? '' : `. Did you mean ${meant}?`
    return [{ path: at, text: `unknown field, ignored${guess}` }]
  })
}
