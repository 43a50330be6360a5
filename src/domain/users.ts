import type { Readings } from '../assumptions/use.js'
import { invalidInput, notFound, Refusal, ruleViolation } from '../kernel/refusal.js'
import { inWords } from '../lib/app-error.js'
import { useConsent } from './consents.js'
import { identityKey, type Tables, type Tx, type User, type UserStatus } from './schema.js'
import { assertTransition, type TransitionTable } from './transitions.js'

export const MAX_REASONS = 20
export const MAX_REQUIREMENTS = 50

/** Decided: the contract shows none. */
export const USER_TRANSITIONS: TransitionTable<UserStatus> = {
  under_review: ['active', 'rejected', 'incomplete'],
  incomplete: ['under_review'],
  rejected: ['under_review'],
  active: ['paused', 'offboarded'],
  paused: ['active', 'offboarded'],
  offboarded: [],
}

export type UserInput = Omit<
  User,
  'id' | 'n' | 'status' | 'rejection_reasons' | 'requirements' | 'created_at' | 'updated_at'
>

const MIN_BIRTH_DATE = '1900-01-01'

/**
 * Status under_review. Refusals in order: consent, sharing consent, date of birth, email, identity
 * document.
 */
export const createUser = (tx: Tx, input: UserInput): User => {
  const id = tx.uuid()
  if (input.consent_id !== null) useConsent(tx, input.consent_id, id)
  if (input.sharing_consent === false)
    throw invalidInput('sharing_consent', false, 'true', 'The user must agree to sharing')
  if (input.date_of_birth !== null) assertBirth(tx, input.date_of_birth)
  assertNewPerson(tx, input)
  const user = tx.add('users', {
    ...input,
    id,
    n: tx.tables.users.next,
    status: 'under_review',
    rejection_reasons: null,
    requirements: null,
    created_at: tx.at,
    updated_at: tx.at,
  })
  tx.emit({ type: 'user.created', id })
  return user
}

const MAX_IMAGE_BYTES = 5 * 1024 * 1024

/** Images may have a limit of their own (size.limits). */
export const assertImageSize = (readings: Readings, bytes: number, field: string): void => {
  if (bytes <= MAX_IMAGE_BYTES || readings.size.limits === 'usual') return
  throw invalidInput(
    field,
    inWords(`an image of ${bytes} bytes`),
    `at most ${MAX_IMAGE_BYTES} bytes`,
  )
}

const duplicateError = (field: string, { id }: User, value: string): Refusal =>
  ruleViolation(field, `user ${id} already has ${value}; it must be new`)

/** A retry may create the same person twice (user.duplicate). */
const assertNewPerson = (tx: Tx, input: UserInput): void => {
  const { users } = tx.tables
  const { email_address } = input
  const identity = identityKey(input) ?? ''
  const sameEmail = users.first('email', email_address.toLowerCase())
  // The index contains no empty text.
  const sameIdentity = users.first('identity', identity)
  if (!sameEmail && !sameIdentity) return
  if (tx.readings.user.duplicate === 'second') return
  if (sameEmail) throw duplicateError('email_address', sameEmail, email_address)
  if (sameIdentity) throw duplicateError('identity.identity_number', sameIdentity, identity)
}

const MIN_AGE = 18

const assertBirth = (tx: Tx, date: string): void => {
  if (date < MIN_BIRTH_DATE || date >= tx.at.slice(0, 10)) {
    throw invalidInput('date_of_birth', date, `a date from ${MIN_BIRTH_DATE} to yesterday`)
  }
  const latest = `${Number(tx.at.slice(0, 4)) - MIN_AGE}${tx.at.slice(4, 10)}`
  if (date > latest) {
    throw invalidInput('date_of_birth', date, `a date up to ${latest}, ${MIN_AGE} years ago`)
  }
}

export interface UserTransition {
  readonly id: string
  readonly to: UserStatus
  /** For `rejected`: a general reason is stored if this is empty. */
  readonly reasons?:
    | readonly {
        readonly reason: string
        readonly developer_reason?: string | undefined
      }[]
    | undefined
  readonly requirements?: readonly string[] | undefined
}

const GENERAL_REASON: NonNullable<UserTransition['reasons']>[number] = {
  reason: 'Identity could not be verified',
}
const GENERAL_REQUIREMENTS = ['identity.identity_document_front']

/**
 * The lists of a review: name in the input, name in the record, and the status that has them
 * (contract, User).
 */
export const REVIEW_FIELDS = [
  { given: 'reasons', kept: 'rejection_reasons', by: 'rejected' },
  { given: 'requirements', kept: 'requirements', by: 'incomplete' },
] as const

/** A list for another status would be lost silently. */
const assertReviewLists = (input: UserTransition): void => {
  for (const { given, by } of REVIEW_FIELDS) {
    if (!input[given]?.length || input.to === by) continue
    throw invalidInput(given, inWords(`a list with ${input.to}`), `a list only with ${by}`)
  }
}

export const transitionUser = (tx: Tx, input: UserTransition): User => {
  const user = getUser(tx.tables, input.id, 'id')
  assertReviewLists(input)
  assertTransition(USER_TRANSITIONS, `user ${user.id}`, user.status, input.to)
  const reasons = input.reasons?.length ? input.reasons : [GENERAL_REASON]
  const requirements = input.requirements?.length ? input.requirements : GENERAL_REQUIREMENTS
  const moved = tx.replace('users', user, {
    ...user,
    status: input.to,
    rejection_reasons:
      input.to !== 'rejected'
        ? null
        : reasons.map(({ reason, developer_reason = reason }) => ({
            reason,
            timestamp: tx.at,
            developer_reason,
          })),
    requirements: input.to === 'incomplete' ? [...requirements] : null,
    updated_at: tx.at,
  })
  tx.emit({ type: 'user.moved', id: user.id, from: user.status, to: input.to })
  return moved
}

export const getUser = (tables: Tables, id: string, field = 'user_id'): User => {
  const user = tables.users.get(id)
  if (!user) throw notFound(field, `no user has the id ${id}`)
  return user
}

const inactiveError = (code: Refusal['code'], user: User): Refusal => {
  const problem = `user ${user.id} is ${user.status}; only an active user can do this`
  return new Refusal(code, problem, 'user_id', user)
}

/** Payouts, wallets and offramps may need an active user (user.gate). */
export const assertMayTransact = (tx: Tx, user: User): void => {
  if (user.status === 'active' || tx.readings.user.gate === 'accepted') return
  throw inactiveError(tx.readings.user.gate === 'forbidden' ? 'foreign' : 'rule', user)
}

export const assertActive = (user: User): void => {
  if (user.status !== 'active') throw inactiveError('rule', user)
}

export const fullName = (user: User): string => `${user.first_name} ${user.last_name}`
