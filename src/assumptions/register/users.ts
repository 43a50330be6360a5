import { type Assumption, reading, SILENT, STRICTER, TAKES_MORE } from './assumption.js'

const operations = ['createUser']
/** A new user is under review, so only the list shows later statuses. */
const listed = ['listUsers']
const shown = [...operations, ...listed]

export const userAssumptions = {
  'user.required': {
    question: 'Which fields of create user are required?',
    // The list shows users without the optional fields.
    operations: shown,
    readings: [
      reading('nearly_all', 'all but documents, metadata, address.line2 and address.region'),
      reading(
        'passport_front',
        'all but documents, metadata, address.line2 and address.region; identity_document_back may be ' +
          'left out where identity_document_name is a passport',
      ),
      reading('minimal', 'only names and email'),
    ],
    basis: STRICTER,
    risk: 'low',
    consequence: TAKES_MORE,
  },
  'user.absent': {
    question: 'How is an optional field of create user left empty?',
    operations,
    readings: [
      reading('null', 'null, or the field is left out; an empty text is 400'),
      reading('left_out', 'the field is left out; null and an empty text are 400'),
      reading('empty', 'null, an empty text, or the field is left out'),
    ],
    basis: 'Resources, User: line2 and region are nullable in the answer; requests are not shown.',
    risk: 'medium',
    consequence: 'users with null in an optional field are refused',
  },
  'user.formats': {
    question: 'Which texts and data URIs does create user accept?',
    operations,
    readings: [
      reading(
        'strict',
        'texts of 1 to 255 characters, email addresses in ASCII of at most 254, phone numbers as E.164, ' +
          'ISO 3166-1 country codes, a date of birth from 1900-01-01 to yesterday, metadata with a JSON ' +
          'object, base64 images for identity and base64 media for documents, in lower case and without parameters',
      ),
      reading(
        'lenient',
        'any text that is not blank, any real date of birth, any text as metadata, and base64 media ' +
          'of any type, in any case and with parameters',
      ),
    ],
    basis:
      'Endpoints, 4: international format; three-letter country code; YYYY-MM-DD; base64 image as data URI; text holding a JSON object. Lengths are not shown.',
    risk: 'low',
    consequence: TAKES_MORE,
  },
  'user.age': {
    question: 'How old must a user be?',
    operations,
    readings: [
      reading('eighteen', 'at least 18 years; a younger user is 400'),
      reading('any', 'any age'),
    ],
    basis: STRICTER,
    risk: 'medium',
    consequence: 'users under 18 are accepted, unless the client checks their age',
  },
  'user.email': {
    question: 'What happens when an email address is used again?',
    operations,
    readings: [
      reading('taken', '400, whatever its case, also when its user is rejected or offboarded'),
      reading('exact', '400, but addresses that differ in case are different'),
      reading('freed', '400, but the address of a rejected or offboarded user is free again'),
      reading('second', 'a second user is created'),
    ],
    basis: STRICTER,
    risk: 'medium',
    consequence: 'a retry after a timeout creates the same person twice',
  },
  'user.duplicate_person': {
    question: 'What happens when an identity document or a phone number is used again?',
    operations,
    readings: [
      reading(
        'same_document',
        '400 for an identity document of another user, by country and number',
      ),
      reading(
        'same_document_or_phone',
        '400 for the identity document or the phone number of another user',
      ),
      reading('second', 'a second user is created'),
    ],
    basis: STRICTER,
    risk: 'medium',
    consequence:
      'one person has two users, or a second person with the same phone number is refused',
  },
  'user.paused': {
    question: 'How does list users show the status paused, which the enumeration lacks?',
    operations: listed,
    readings: [reading('shown', 'as paused'), reading('as_active', 'as active')],
    basis: 'User status: the description names it, the enumerated values do not.',
    risk: 'medium',
    consequence: 'a client takes a paused user for active, and its payouts are refused',
  },
  'user.transitions': {
    question: 'Which changes of a user’s status are possible?',
    operations: listed,
    readings: [
      reading(
        'sandbox',
        'from under_review to active, rejected or incomplete; from rejected or incomplete to under_review; from active to paused and back; from active or paused to offboarded',
      ),
      reading('free', 'from every status to every other'),
    ],
    basis: 'User status: transitions are not shown.',
    risk: 'medium',
    consequence: 'a user leaves a status that a client treats as final',
  },
  'user.rejection_reasons': {
    question: 'How are the fields of a rejection reason named?',
    operations: listed,
    readings: [
      reading('reason', 'reason, timestamp, developer_reason'),
      reading('customer_reason', 'customer_reason, created_at, internal_reason'),
    ],
    basis:
      'Resources, User: a customer-facing reason, a timestamp and an internal developer reason.',
    risk: 'medium',
    consequence: 'a client finds no reason under the name that it reads',
  },
  'user.requirements': {
    question: 'What are the items of requirements?',
    operations: listed,
    readings: [
      reading('names', 'strings that name the missing fields'),
      reading('objects', 'objects of field and reason'),
    ],
    basis: SILENT,
    risk: 'medium',
    consequence: 'a client shows objects where it expects names of fields',
  },
  'users.list': {
    question: 'Is the list of users paged?',
    operations: listed,
    readings: [
      reading('array', 'no: a bare array of all users'),
      reading(
        'paged',
        'yes: an object of users and pagination, with page and size as in the audits',
      ),
    ],
    basis: 'Endpoints, 6: the path ends in /all, and no query parameter is shown.',
    risk: 'medium',
    consequence: 'a client fails on the list, or sees its first page only',
  },
  'consent.validity': {
    question:
      'What happens when terms are declined, a consent is unknown, or sharing_consent is false?',
    operations: ['createConsent', 'createUser'],
    readings: [
      reading('refused', '400 for each of them'),
      reading('recorded', 'declined terms yield an id, and the user is created'),
    ],
    basis: STRICTER,
    risk: 'medium',
    consequence: 'users are created without a valid consent, unless the client prevents it',
  },
  'consent.reuse': {
    question: 'May one consent be used to create several users?',
    operations,
    readings: [reading('refused', 'no: 400'), reading('accepted', 'yes')],
    basis: STRICTER,
    risk: 'medium',
    consequence: 'a client that records one consent for several users is refused',
  },
  'consent.time': {
    question: 'Which times are accepted as accepted_at?',
    operations: ['createConsent'],
    readings: [
      reading('exact', 'UTC with milliseconds, also in the future'),
      reading('any_iso', 'any ISO 8601 date-time with seconds and a zone, also in the future'),
      reading('past', 'UTC with milliseconds; a time in the future is 400'),
    ],
    basis:
      'Endpoints, 5: YYYY-MM-DDTHH:MM:SS.sssZ. The clock of a client may run ahead of the service’s.',
    risk: 'medium',
    consequence: 'a client whose clock runs ahead cannot record a consent',
  },
} as const satisfies Record<string, Assumption>
