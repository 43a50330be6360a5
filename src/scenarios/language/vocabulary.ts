import {
  MATCHED,
  PAYOUT_STATUSES,
  TRANSFER_KINDS,
  TRANSFER_STATUSES,
  USER_STATUSES,
} from '../../domain/schema.js'
import type { Conditions } from './conditions.js'
import type { Noun } from './fields.js'
import { type UnknownValue, unknownValuesIn } from './literal-values.js'

type Words = Readonly<Record<string, readonly [string, ...string[]]>>

/** The contract writes statuses of offramps in lower case. */
const lowerCase = TRANSFER_STATUSES.map((it) => it.toLowerCase()) as [string, ...string[]]

/** Fields with a fixed set of values. */
const vocabulary: Partial<Record<Noun, Words>> = {
  users: { status: USER_STATUSES },
  wallets: { status: ['ACTIVE'] },
  offramps: { status: lowerCase },
  deposits: { matched: MATCHED },
  transfers: { status: TRANSFER_STATUSES, kind: TRANSFER_KINDS },
  payouts: { status: PAYOUT_STATUSES },
}

export const knownWords = (noun: Noun): Words => vocabulary[noun] ?? {}

/** Readings change the statuses that the service returns, such as PAYOUT_RETURNED, but not those of records. */
export const listWords = (field: string, words: readonly string[]): string =>
  words.join(', ') + (field === 'status' ? ', as records name it under every reading' : '')

/** Values in conditions on a record or its user that no record has. */
export const unknownRecordValues = (conditions: Conditions, noun: Noun): UnknownValue[] => [
  ...findUnknownWords(conditions, knownWords(noun)),
  ...unknownUserValues(conditions),
]

/** Values in conditions on the user. */
export const unknownUserValues = ({ user }: Conditions): UnknownValue[] => {
  if (typeof user !== 'object' || user === null || Array.isArray(user)) return []
  return findUnknownWords(user as Conditions, knownWords('users')).map(({ path, accepted }) => ({
    path: ['user', ...path],
    accepted,
  }))
}

const findUnknownWords = (conditions: Conditions, fields: Words): UnknownValue[] =>
  Object.entries(fields).flatMap(([field, words]) =>
    unknownValuesIn(conditions, field, listWords(field, words), (it) => words.includes(it)),
  )
