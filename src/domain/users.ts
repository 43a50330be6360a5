import type { ReadingOf } from '../assumptions/ids.js'
import type { Readings } from '../assumptions/use.js'
import { invalidInput, notFound, Refusal, ruleViolation } from '../kernel/refusal.js'
import { inWords } from '../lib/app-error.js'
import { readIn } from './assumptions.js'
import { useConsent } from './consents.js'
import {
  identityKey,
  type Tables,
  type Tx,
  USER_STATUSES,
  type User,
  type UserStatus,
} from './schema.js'
import { assertTransition, type TransitionTable } from './transitions.js'

export const MAX_REASONS = 20
export const MAX_REQUIREMENTS = 50

/** Assumed (user.transitions). */
export const USER_TRANSITIONS: TransitionTable<UserStatus> = {
  under_review: ['active', 'rejected', 'incomplete'],
  incomplete: ['under_review'],
  rejected: ['under_review'],
  active: ['paused', 'offboarded'],
  paused: ['active', 'offboarded'],
  offboarded: [],
}

const FREE_TRANSITIONS = Object.fromEntries(
  USER_STATUSES.map((from) => [from, USER_STATUSES.filter((to) => to !== from)]),
) as Record<UserStatus, UserStatus[]>

export const userTransitionsIn = (tables: Tables): TransitionTable<UserStatus> =>
  readIn(tables, 'user.transitions') === 'free' ? FREE_TRANSITIONS : USER_TRANSITIONS

export type UserInput = Omit<
  User,
  'id' | 'n' | 'status' | 'rejection_reasons' | 'requirements' | 'created_at' | 'updated_at'
>

const MIN_BIRTH_DATE = '1900-01-01'

/**
 * Status under_review. Refusals in order: consent, sharing consent, date of birth, email, identity
 * document, phone number.
 */
export const createUser = (tx: Tx, input: UserInput): User => {
  const id = tx.uuid()
  if (input.consent_id !== null) useConsent(tx, input.consent_id, id)
  if (input.sharing_consent === false && tx.useReading('consent.validity') === 'refused') {
    throw invalidInput('sharing_consent', false, 'true', 'The user must agree to sharing')
  }
  if (input.date_of_birth !== null) assertBirth(tx, input.date_of_birth)
  assertNewEmail(tx, input.email_address)
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
  if (bytes <= MAX_IMAGE_BYTES || readings.use('size.limits') !== 'small') return
  throw invalidInput(
    field,
    inWords(`an image of ${bytes} bytes`),
    `at most ${MAX_IMAGE_BYTES} bytes`,
  )
}

const duplicateError = (field: string, { id }: User, value: string): Refusal =>
  ruleViolation(field, `user ${id} already has ${value}; it must be new`)

const isClosed = ({ status }: User): boolean => status === 'rejected' || status === 'offboarded'

/** user.email decides which emails count as the same. */
const assertNewEmail = (tx: Tx, email: string): void => {
  const alike = tx.tables.users.list('email', email.toLowerCase())
  if (alike.length === 0) return
  const reading = tx.useReading('user.email')
  if (reading === 'second') return
  const other = alike.find(
    (user) =>
      (reading !== 'exact' || user.email_address === email) &&
      (reading !== 'freed' || !isClosed(user)),
  )
  if (other) throw duplicateError('email_address', other, email)
}

/** Some readings allow a second user for one person (user.duplicate_person). */
const assertNewPerson = (tx: Tx, input: UserInput): void => {
  const { users } = tx.tables
  // The indexes contain no empty text.
  const identity = identityKey(input) ?? ''
  const phone = input.phone_number ?? ''
  const sameIdentity = users.first('identity', identity)
  const samePhone = users.first('phone', phone)
  if (!sameIdentity && !samePhone) return
  const refused = tx.useReading('user.duplicate_person')
  if (refused === 'second') return
  if (sameIdentity) throw duplicateError('identity.identity_number', sameIdentity, identity)
  if (samePhone && refused === 'same_document_or_phone') {
    throw duplicateError('phone_number', samePhone, phone)
  }
}

/** Checks the minimum age too (user.age). */
const assertBirth = (tx: Tx, date: string): void => {
  if (!isPastBirth(tx, date) && tx.useReading('user.formats') === 'strict') {
    throw invalidInput('date_of_birth', date, `a date from ${MIN_BIRTH_DATE} to yesterday`)
  }
  const latest = `${Number(tx.at.slice(0, 4)) - MIN_AGE}${tx.at.slice(4, 10)}`
  if (date > latest && tx.useReading('user.age') === 'eighteen') {
    throw invalidInput('date_of_birth', date, `a date up to ${latest}, ${MIN_AGE} years ago`)
  }
}

const MIN_AGE = 18
const isPastBirth = (tx: Tx, date: string): boolean =>
  date >= MIN_BIRTH_DATE && date < tx.at.slice(0, 10)

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

/** user.transitions may allow more than the table. */
const allowedTransitions = (
  tx: Tx,
  from: UserStatus,
  to: UserStatus,
): TransitionTable<UserStatus> =>
  !USER_TRANSITIONS[from].includes(to) && tx.useReading('user.transitions') === 'free'
    ? FREE_TRANSITIONS
    : USER_TRANSITIONS

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
  const moves = allowedTransitions(tx, user.status, input.to)
  assertTransition(moves, `user ${user.id}`, user.status, input.to)
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

type Ask = <Id extends 'resource.unknown' | 'error.order'>(id: Id) => ReadingOf<Id>

/** The contract gives no status for an unknown user (resource.unknown). */
export const resolveUser = (tables: Tables, id: string, ask: Ask): User => {
  const user = tables.users.get(id)
  if (user) return user
  const code = ask('resource.unknown') === 'invalid' ? 'rule' : 'unknown'
  throw new Refusal(code, `no user has the id ${id}`, 'user_id')
}

/** Some readings look up the user before all other checks (error.order). */
export const assertUserFirst = (tables: Tables, id: string, ask: Ask): void => {
  if (!tables.users.get(id) && ask('error.order') === 'user_first') resolveUser(tables, id, ask)
}

const inactiveMessage = ({ id, status }: User): string =>
  `user ${id} is ${status}; only an active user can do this`

type GatedAction = 'payout' | 'wallet' | 'offramp'

/** Actions of a user who is not active (user.gate). */
const MAY_TRANSACT: Readonly<Record<ReadingOf<'user.gate'>, readonly GatedAction[]>> = {
  refused: [],
  forbidden: [],
  wallets: ['wallet'],
  payouts_only: ['wallet', 'offramp'],
  accepted: ['payout', 'wallet', 'offramp'],
}

/** user.gate decides which actions need an active user. */
export const assertMayTransact = (tx: Tx, user: User, what: GatedAction): void => {
  if (user.status === 'active') return
  const reading = tx.useReading('user.gate')
  if (MAY_TRANSACT[reading].includes(what)) return
  throw new Refusal(reading === 'forbidden' ? 'foreign' : 'rule', inactiveMessage(user), 'user_id')
}

export const assertActive = (user: User): void => {
  if (user.status !== 'active') {
    throw ruleViolation('user_id', inactiveMessage(user))
  }
}

export const fullName = (user: User): string => `${user.first_name} ${user.last_name}`

/** Some field is missing that the default reading requires. */
export const isSparse = ({ phone_number, date_of_birth, address }: User): boolean =>
  phone_number === null ||
  date_of_birth === null ||
  address.line1 === null ||
  address.city === null ||
  address.country === null ||
  address.sub_division === null ||
  address.postal_code === null
