import * as z from 'zod'
import { offrampRequest } from '../../contract/offramp.js'
import { payoutRequest } from '../../contract/payout.js'
import { consentRequest, userRequest } from '../../contract/user.js'
import { walletRequest } from '../../contract/wallet.js'
import { acceptedLiterals, type Conditions, isNested, unknownTexts } from './conditions.js'

/** OpenAPI ids in the contract's order. */
export const operationIds = [
  'createPayout',
  'createCustodyWallet',
  'initiateOfframp',
  'createUser',
  'createConsent',
  'listUsers',
  'getOfframpAudit',
  'getTransferAudit',
  'getTotalCustodyBalances',
  'getTransferStatus',
  'getCryptoBalance',
] as const
export type OperationId = (typeof operationIds)[number]

/** The fields of a body; null for a value or a list. */
interface BodyFields {
  readonly [name: string]: null | BodyFields
}

const listFields = ({ shape }: z.ZodObject): BodyFields =>
  Object.fromEntries(
    Object.entries(shape).map(([name, field]) => [
      name,
      field instanceof z.ZodObject ? listFields(field) : null,
    ]),
  )

const bodies: Readonly<Record<string, BodyFields>> = {
  createPayout: listFields(payoutRequest),
  createCustodyWallet: listFields(walletRequest),
  initiateOfframp: listFields(offrampRequest),
  createUser: listFields(userRequest),
  createConsent: listFields(consentRequest),
}

const nestedFields = (asked: readonly BodyFields[], name: string): BodyFields[] =>
  asked.map((it) => it[name] ?? null).filter((it) => it !== null)

/** Whether some body has a field at this path, such as `body.currency`. */
export const isInBody = (path: readonly string[]): boolean => {
  let asked: readonly BodyFields[] = Object.values(bodies)
  for (const name of path) {
    const found = asked.filter((it) => Object.hasOwn(it, name))
    if (found.length === 0) return asked.length === 0
    asked = nestedFields(found, name)
  }
  return true
}

const hasBody = (id: unknown): boolean => typeof id === 'string' && Object.hasOwn(bodies, id)
const isKnown = (id: unknown): boolean => operationIds.some((it) => it === id)

const operationsIn = ({ operation }: Conditions): unknown[] =>
  acceptedLiterals(operation).map(({ value }) => value)

/** Whether all named operations use GET. */
export const onlyReads = (conditions: Conditions = {}): boolean => {
  const named = operationsIn(conditions)
  return named.length > 0 && named.every((id) => typeof id === 'string' && !hasBody(id))
}

const METHOD = 'a method in upper case such as GET'
const PATH = 'a path such as /payment/api/v1/payout, without its query'

/** Refuses methods, paths and fields of the body that no request to the named operations has. */
export const checkRequest = (conditions: Conditions, { addIssue }: z.RefinementCtx): void => {
  const refuse: Refuse = (path, message, isKey = false) =>
    addIssue({ code: 'custom', path: [...path], message, params: { isKey } })
  const refuseTexts = (field: string, accepted: string, isWord: (text: string) => boolean) => {
    for (const place of unknownTexts(conditions[field], isWord)) refuse([field, ...place], accepted)
  }
  refuseTexts('method', METHOD, (it) => it === it.toUpperCase())
  refuseTexts('path', PATH, (it) => it.startsWith('/') && !it.includes('?'))
  const named = operationsIn(conditions)
  if (named.length > 0 && named.every(isKnown)) {
    // GET operations also accept HEAD.
    const all = named.flatMap((id) => (hasBody(id) ? ['POST'] : ['GET', 'HEAD']))
    const methods = [...new Set(all)]
    const accepted = `${methods.join(', ')}, as ${named.join(', ')} has it`
    refuseTexts('method', accepted, (it) => methods.includes(it))
  }
  if (conditions.body !== undefined) checkBody(conditions.body, named, refuse)
}

type Refuse = (path: readonly PropertyKey[], message: string, isKey?: boolean) => void

const checkBody = (body: unknown, named: readonly unknown[], refuse: Refuse): void => {
  if (named.length > 0 && named.every((id) => isKnown(id) && !hasBody(id))) {
    refuse(['body'], `no condition on a body, which ${named.join(', ')} has not`)
    return
  }
  if (named.some((id) => !isKnown(id))) return
  const asked = Object.entries(bodies).filter(([id]) => named.length === 0 || named.includes(id))
  checkNames(
    body,
    asked.map(([, it]) => it),
    ['body'],
    refuse,
  )
}

const checkNames = (
  conditions: unknown,
  asked: readonly BodyFields[],
  path: readonly PropertyKey[],
  refuse: Refuse,
): void => {
  if (!isNested(conditions as Conditions) || asked.length === 0) return
  const names = [...new Set(asked.flatMap((it) => Object.keys(it)))]
  for (const [name, inner] of Object.entries(conditions as Conditions)) {
    const here = [...path, name]
    const found = asked.filter((it) => Object.hasOwn(it, name))
    if (found.length === 0) refuse(here, names.join(', '), true)
    else checkNames(inner, nestedFields(found, name), here, refuse)
  }
}
