import * as z from 'zod'
import { offrampRequest } from '../contract/offramp.js'
import { payoutRequest } from '../contract/payout.js'
import { consentRequest, userRequest } from '../contract/user.js'
import { walletRequest } from '../contract/wallet.js'
import type { LoggedExchange } from '../exchanges/exchange.js'
import { nearest } from '../nearest.js'
import type { Complaint } from './json-view.js'

const BODIES: Readonly<Record<string, z.ZodType>> = {
  createPayout: payoutRequest,
  createCustodyWallet: walletRequest,
  initiateOfframp: offrampRequest,
  createUser: userRequest,
  createConsent: consentRequest,
}

/** As much of a JSON Schema as names fields. */
interface Fields {
  readonly properties?: Readonly<Record<string, Fields>>
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Fields>>
}

const known = new Map<string, Fields>()

const fieldsOf = (operation: string): Fields | undefined => {
  const body = BODIES[operation]
  if (!body || known.has(operation)) return known.get(operation)
  const fields = z.toJSONSchema(body, { io: 'input', unrepresentable: 'any' }) as Fields
  known.set(operation, fields)
  return fields
}

/** Fields of the body that the call does not have: a misspelt one is missed in silence otherwise. */
export const strangersOf = ({ operation, request }: LoggedExchange): Complaint[] => {
  const root = fieldsOf(operation ?? '')
  return root ? strangersIn(request.body, root, root, []) : []
}

const strangersIn = (
  value: unknown,
  fields: Fields,
  root: Fields,
  path: readonly string[],
): Complaint[] => {
  const { properties: names } = fields.$ref ? named(root, fields.$ref) : fields
  if (!names || typeof value !== 'object' || value === null || Array.isArray(value)) return []
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = [...path, name]
    const known = Object.hasOwn(names, name) ? names[name] : undefined
    if (known) return strangersIn(inner, known, root, at)
    const missing = Object.keys(names).filter((it) => !Object.hasOwn(value, it))
    const meant = nearest(name, missing)
    const guess = meant === undefined ? '' : `; did you mean ${meant}?`
    return [{ path: at, text: `this call has no such field, so nothing read it${guess}` }]
  })
}

const named = ({ $defs }: Fields, ref: string): Fields =>
  $defs?.[ref.slice(ref.lastIndexOf('/') + 1)] ?? {}
