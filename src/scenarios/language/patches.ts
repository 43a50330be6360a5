import type * as z from 'zod'
import { offrampAuditAs, transferAuditAs } from '../../contract/audit.js'
import { errorBodySchema } from '../../contract/errors.js'
import { offrampInstruction } from '../../contract/offramp.js'
import { payout } from '../../contract/payout.js'
import { chosenByDefault } from '../../contract/schema-variants.js'
import { transfer } from '../../contract/transfer.js'
import { consentId, user } from '../../contract/user.js'
import { cryptoBalance, totalBalances, wallet } from '../../contract/wallet.js'
import { type Fields, listFields } from '../../lib/schema-fields.js'
import { isMisspelling } from '../../lib/suggest.js'
import type { RequestStep } from '../faults/fault.js'
import { acceptedLiterals, type Conditions } from './conditions.js'

const responses: Readonly<Record<string, z.ZodType>> = {
  createPayout: payout,
  createCustodyWallet: wallet,
  initiateOfframp: offrampInstruction,
  createUser: user,
  createConsent: consentId,
  listUsers: user,
  getOfframpAudit: offrampAuditAs(chosenByDefault),
  getTransferAudit: transferAuditAs(chosenByDefault),
  getTotalCustodyBalances: totalBalances,
  getTransferStatus: transfer,
  getCryptoBalance: cryptoBalance,
}

const responseFields = (operation: string): Fields | undefined =>
  responses[operation] && listFields(responses[operation])

/** Whether the response of an operation is a bare number or text, which no patch can change. */
export const isBare = (operation: string): boolean =>
  Object.hasOwn(responses, operation) && !responseFields(operation)

/** A value that a rule cannot have; with `isKey` the last name of the path is wrong. */
interface UnknownValue {
  readonly path: readonly PropertyKey[]
  readonly accepted: string
  readonly isKey?: true
}

/** Operations that no patch can change, and its dotted or misspelt names. Paths are those in the rule. */
export const unknownPatches = (
  { operation }: Conditions,
  steps: readonly RequestStep[],
): UnknownValue[] =>
  steps.flatMap(({ patch }, i): UnknownValue[] => {
    if (!patch) return []
    const named = acceptedLiterals(operation).map((it) => ({ ...it, id: String(it.value) }))
    const bare = named.filter(({ id }) => isBare(id))
    if (bare.length > 0)
      return bare.map(({ place }) => ({ path: ['if', 'operation', ...place], accepted: FIELDS }))
    const ids = named.length > 0 ? named.map(({ id }) => id) : Object.keys(responses)
    const fields = [...ids.map(responseFields), listFields(errorBodySchema)]
    return unknownNames(patch, fields, ['then', i, 'patch'])
  })

const FIELDS = 'an operation to patch, whose response is an object or a list'

const NEW_FIELD = ', or a new field that differs in at least 3 letters'

/** A patch adds names that no response has, unless they look like a mistake. */
const unknownNames = (
  patch: object,
  fields: readonly (Fields | undefined)[],
  path: readonly PropertyKey[],
): UnknownValue[] =>
  Object.entries(patch).flatMap(([name, value]): UnknownValue[] => {
    const here = [...path, name]
    const [outer = '', ...inner] = name.split('.')
    if (inner.length > 0)
      return [{ path: here, accepted: `${outer}, or another name without a dot`, isKey: true }]
    const known = new Set(fields.flatMap((it) => [...(it?.keys() ?? [])]))
    const near = known.has(name) ? [] : [...known].filter((word) => isMisspelling(name, word))
    if (near.length > 0)
      return [{ path: here, accepted: `${near.join(', ')}${NEW_FIELD}`, isKey: true }]
    const isNested = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isNested
      ? unknownNames(
          value,
          fields.map((it) => it?.get(name)),
          here,
        )
      : []
  })
