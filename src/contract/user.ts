import * as z from 'zod'
import { DEFAULTS, type Readings } from '../assumptions/use.js'
import { type Address, type RejectionReason, USER_STATUSES, type User } from '../domain/schema.js'
import {
  country,
  date,
  email,
  formatTime,
  imageUri,
  instant,
  MAX_TEXT,
  mediaUri,
  phone,
  text,
  timeAs,
  uuid,
  withoutControls,
} from './fields.js'
import { pagination } from './pagination.js'
import { assumed, documented, inContract, observed } from './provenance.js'
import { chosenByDefault, type ReadingSource } from './schema-variants.js'
import { noteShown } from './shown.js'

/** Fields of a rejection reason: for the customer, time, for the developer. */
const REJECTION_FIELDS = {
  reason: ['reason', 'timestamp', 'developer_reason'],
  customer_reason: ['customer_reason', 'created_at', 'internal_reason'],
} as const

export const IMAGE_EXAMPLE =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

const JSON_TEXT = 'text that holds a JSON object, such as {"tier":"gold"}'
const TOO_LONG = `${JSON_TEXT}, of at most ${MAX_TEXT} characters`

const metadata = () =>
  withoutControls(z.string(JSON_TEXT).max(MAX_TEXT, { error: TOO_LONG, abort: true })).refine(
    isJsonObject,
    JSON_TEXT,
  )

const isJsonObject = (value: string): boolean => {
  try {
    const parsed: unknown = JSON.parse(value)
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
  } catch {
    return false
  }
}

/**
 * No user of the fixtures: emails and documents are unique, so an example of an existing user would
 * be refused.
 */
const person = {
  first_name: documented(text(), 'First name', 'Tola'),
  last_name: documented(text(), 'Last name', 'Adeyemi'),
  email_address: documented(email(), 'Email address', 'tola.adeyemi@example.com'),
  phone_number: documented(phone(), 'Phone number in international format', '+2348012345678'),
  date_of_birth: documented(date(), 'YYYY-MM-DD', '1990-04-12'),
}

const addressRequest = z
  .object({
    line1: documented(text(), 'First line', '14 Marina Road'),
    line2: assumed(text().nullish(), 'Second line', null),
    city: documented(text(), 'City', 'Lagos'),
    sub_division: documented(text(), 'Sub-division', 'Lagos'),
    region: assumed(text().nullish(), 'Region', null),
    country: documented(country(), 'Three-letter country code', 'NGA'),
    postal_code: documented(text(), 'Postal code', '101241'),
  })
  .meta({ id: 'AddressRequest' })

const identityRequest = z
  .object({
    identity_country_code: documented(country(), 'Three-letter country code', 'NGA'),
    identity_number: documented(text(), 'Identity number', 'A07654321'),
    identity_document_name: documented(text(), 'Name of the document kind', 'Passport'),
    identity_document_front: documented(
      imageUri(),
      'Front, a base64 image as data URI',
      IMAGE_EXAMPLE,
    ),
    identity_document_back: documented(
      imageUri(),
      'Back, a base64 image as data URI',
      IMAGE_EXAMPLE,
    ),
  })
  .meta({ id: 'IdentityDocument' })

const documentRequest = z
  .object({
    name: documented(text(), 'Name of the document', 'Tax certificate'),
    type: documented(text(), 'Type of the document', 'tax_document'),
    issuing_country: documented(country(), 'Issuing country', 'NGA'),
    document_number: documented(text(), 'Number of the document', 'TIN-0042'),
    document_front: documented(mediaUri(), 'Front, as data URI', IMAGE_EXAMPLE),
    document_back: documented(mediaUri().nullish(), 'Back, as data URI', IMAGE_EXAMPLE),
  })
  .meta({ id: 'SupportingDocument' })

export const userRequest = z
  .object({
    ...person,
    user_type: documented(z.enum(['individual']), 'individual is the one value', 'individual'),
    consent_id: documented(
      uuid(),
      'From POST /onboarding/api/v1/tnc',
      '99999999-9999-4999-8999-000000000009',
    ),
    sharing_consent: documented(z.boolean(), 'Consent to sharing', true),
    identity: documented(identityRequest, 'Identity and its document'),
    address: documented(addressRequest, 'Address of the user'),
    metadata: documented(metadata().nullish(), 'Text holding a JSON object', '{"tier":"gold"}'),
    documents: documented(
      z.array(documentRequest).max(20, 'at most 20 documents').nullish(),
      'Additional supporting documents, for example proof of address or source of funds',
    ),
  })
  .meta({ id: 'UserRequest' })
export type UserRequest = z.output<typeof userRequest>

const rejectionReasonAs = (mayRead: ReadingSource) => {
  const id = 'user.rejection_reasons'
  const parts = [
    assumed(z.string(), 'For the customer', 'Document expired', id),
    assumed(timeAs(mayRead), 'When', '2026-06-15T09:00:00.000Z', id),
    assumed(z.string(), 'For the developer', 'identity_document_front expired 2025-12-31', id),
  ]
  const shape = REJECTION_FIELDS[mayRead(id, 'reason') ? 'reason' : 'customer_reason']
  return z
    .object(Object.fromEntries(shape.map((name, n) => [name, parts[n] ?? z.string()])))
    .meta({ id: 'RejectionReason' })
}

const missingField = z
  .object({
    field: assumed(z.string(), 'The missing field', 'address.line1', 'user.requirements'),
    reason: assumed(z.string(), 'Why', 'missing', 'user.requirements'),
  })
  .meta({ id: 'MissingField' })

const requirementAs = (mayRead: ReadingSource) =>
  mayRead('user.requirements', 'names')
    ? assumed(z.string(), 'A missing field', 'address.line1', 'user.requirements')
    : missingField

const address = z
  .object({
    line1: documented(z.string(), 'First line', '14 Marina Road'),
    line2: documented(z.string().nullable(), 'Second line', null),
    city: documented(z.string(), 'City', 'Lagos'),
    country: documented(z.string(), 'Country', 'NGA'),
    region: documented(z.string().nullable(), 'Region', null),
    sub_division: documented(z.string(), 'Sub-division', 'Lagos'),
    postal_code: documented(z.string(), 'Postal code', '101241'),
  })
  .meta({ id: 'Address' })

const userDocument = z
  .object({
    name: documented(z.string(), 'Name', 'Passport'),
    type: observed(
      z.string(),
      'identity_front, identity_back and tax_document are observed',
      'identity_front',
    ),
  })
  .meta({ id: 'UserDocument' })

const ENUMERATED_STATUSES = USER_STATUSES.filter((it) => it !== 'paused')

const userStatusesAs = (mayRead: ReadingSource): readonly string[] =>
  mayRead('user.paused', 'shown') ? USER_STATUSES : ENUMERATED_STATUSES

export const userAs = (mayRead: ReadingSource) =>
  z
    .object({
      id: documented(z.uuid(), 'Identifier', '11111111-1111-4111-8111-000000000001'),
      status: documented(
        inContract(z.enum(userStatusesAs(mayRead)), { enum: ENUMERATED_STATUSES }),
        'Status of the user. The contract also names paused, but its enumerated values do not include it',
        'under_review',
        'user.paused',
      ),
      first_name: documented(z.string(), 'First name', 'Ada'),
      last_name: documented(z.string(), 'Last name', 'Okafor'),
      email_address: documented(z.string(), 'Email address', 'ada.okafor@example.com'),
      phone_number: documented(z.string(), 'International format', '+2348012345678'),
      date_of_birth: documented(z.iso.date(), 'YYYY-MM-DD', '1990-04-12'),
      documents: documented(z.array(userDocument), 'Identity and supporting documents'),
      address: documented(address, 'Address of the user'),
      rejection_reasons: documented(
        z.array(rejectionReasonAs(mayRead)).nullable(),
        'Populated only for rejected users, otherwise null',
        null,
      ),
      requirements: documented(
        z.array(requirementAs(mayRead)).nullable(),
        'Missing requirements of an incomplete user, null when none are missing',
        null,
      ),
    })
    .meta({ id: 'User' })

export const user = userAs(chosenByDefault)

export const toUserResponse = (record: User, readings = DEFAULTS) =>
  noteShown(record, {
    id: record.id,
    status: record.status === 'paused' ? PAUSED[readings.user.paused] : record.status,
    first_name: record.first_name,
    last_name: record.last_name,
    email_address: record.email_address,
    phone_number: record.phone_number,
    date_of_birth: record.date_of_birth,
    documents: record.documents.map(({ name, type }) => ({ name, type })),
    address: formatPostalAddress(record.address),
    rejection_reasons:
      record.rejection_reasons && formatReasons(record.rejection_reasons, readings),
    requirements: record.requirements && formatRequirements(record.requirements, readings),
  })

/** The contract's order of fields. */
const formatPostalAddress = (address: Address): Address => ({
  line1: address.line1,
  line2: address.line2,
  city: address.city,
  country: address.country,
  region: address.region,
  sub_division: address.sub_division,
  postal_code: address.postal_code,
})

const PAUSED = { shown: 'paused', as_active: 'active' } as const

const formatReasons = (reasons: readonly RejectionReason[], readings: Readings): object[] =>
  reasons.map(({ reason, timestamp, developer_reason }) => {
    const fields = REJECTION_FIELDS[readings.user.rejection_reasons]
    const values = [reason, formatTime(timestamp, readings), developer_reason]
    return Object.fromEntries(fields.map((name, n) => [name, values[n]]))
  })

const formatRequirements = (fields: readonly string[], readings: Readings): (string | object)[] =>
  readings.user.requirements === 'names'
    ? [...fields]
    : fields.map((field) => ({ field, reason: 'missing' }))

const userPageAs = (mayRead: ReadingSource) =>
  z
    .object({
      users: assumed(z.array(userAs(mayRead)), 'The users of this page', undefined, 'users.list'),
      pagination: assumed(pagination, 'Page and totals', undefined, 'users.list'),
    })
    .meta({ id: 'UserPage' })

export const userListAs = (mayRead: ReadingSource): z.ZodType =>
  assumed(
    mayRead('users.list', 'array') ? z.array(userAs(mayRead)) : userPageAs(mayRead),
    'All users',
    undefined,
    'users.list',
  )

export const consentRequest = z
  .object({
    tnc_data: documented(
      z
        .object({
          tnc_accepted: documented(
            z.boolean(),
            'Whether the terms and conditions were accepted',
            true,
          ),
          accepted_at: documented(
            instant(),
            'Time of acceptance, ISO 8601 UTC with milliseconds',
            '2026-06-15T08:59:00.000Z',
          ),
        })
        .meta({ id: 'TncData' }),
      'The acceptance',
    ),
  })
  .meta({ id: 'ConsentRequest' })

export const consentId = documented(
  z.uuid(),
  'The consent id, as a JSON string',
  '99999999-9999-4999-8999-000000000009',
)
