import { type Assumption, reading, SILENT, STRICTER } from './assumption.js'

const operations = ['createUser']
/** A new user is under review, so only the list shows what becomes of one. */
const listed = ['listUsers']
const shown = [...operations, ...listed]

export const userAssumptions = {
  'user.required': {
    question: 'Which fields of create user are required?',
    // A user without the others is in the list too.
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
  },
  'user.absent': {
    question: 'What may stand in an optional field of create user that has no value?',
    operations,
    readings: [
      reading('null', 'null, or the field is left out; an empty text is refused'),
      reading('left_out', 'nothing: the field is left out, and null is refused as well'),
      reading('empty', 'null or an empty text, or the field is left out'),
    ],
    basis: 'Resources, User: line2 and region are nullable in the answer; requests are not shown.',
  },
  'user.formats': {
    question: 'Which texts are accepted in create user?',
    operations,
    readings: [
      reading(
        'strict',
        'texts of 1 to 255 characters, email addresses in ASCII of at most 254, phone numbers as E.164, ' +
          'ISO 3166-1 country codes, a date of birth from 1900-01-01 to yesterday',
      ),
      reading('lenient', 'any text that is not blank; any date of birth that is a real date'),
    ],
    basis:
      'Endpoints, 4: international format; three-letter country code; YYYY-MM-DD. Lengths are not shown, nor what issuing_country holds.',
  },
  'user.age': {
    question: 'How old must a user be?',
    operations,
    readings: [
      reading('eighteen', 'at least 18 years; 400 for whoever is younger'),
      reading('any', 'of any age: the contract names no least one'),
    ],
    basis: STRICTER,
  },
  'user.images': {
    question: 'Which data URIs are accepted?',
    operations,
    readings: [
      reading(
        'strict',
        'base64 images for identity, any base64 media for supporting documents; before the comma in ' +
          'lower case, and without parameters',
      ),
      reading('media', 'any base64 media, for identity too; in any case, and with parameters'),
    ],
    basis: 'Endpoints, 4: base64 image as data URI; for supporting documents only data URI.',
  },
  'user.metadata': {
    question: 'Is metadata that holds no JSON object refused?',
    operations,
    readings: [reading('refused', '400'), reading('accepted', 'any text is kept')],
    basis: 'Endpoints, 4: text holding a JSON object.',
  },
  'user.consent': {
    question: 'What happens with a consent that is unknown or was used before?',
    operations,
    readings: [reading('refused', '400'), reading('accepted', 'the user is created')],
    basis: STRICTER,
  },
  'user.sharing_consent': {
    question: 'What happens when sharing_consent is false?',
    operations,
    readings: [reading('refused', '400'), reading('accepted', 'the user is created')],
    basis: STRICTER,
  },
  'user.email': {
    question: 'What happens when an email address comes again?',
    operations,
    readings: [
      reading('taken', '400, in any case, also when its user is rejected or offboarded'),
      reading('exact', '400, but an address in another case is another one'),
      reading('freed', '400, but the address of a rejected or offboarded user is free again'),
      reading('second', 'a second user'),
    ],
    basis: STRICTER,
  },
  'user.duplicate_person': {
    question: 'What happens when an identity document or a phone number comes again?',
    operations,
    readings: [
      reading(
        'same_document',
        '400 for an identity document that another user has, by its country and its number',
      ),
      reading(
        'same_document_or_phone',
        '400 for an identity document that another user has, and for the phone number of another user',
      ),
      reading('second', 'a second user'),
    ],
    basis: STRICTER,
  },
  'user.documents': {
    question: 'Which items does one supporting document add to documents?',
    operations: shown,
    readings: [
      reading('per_side', 'one per uploaded side, as for identity'),
      reading('per_document', 'one per document'),
    ],
    basis: 'Resources, User: identity_front and identity_back are two items of one document.',
  },
  'user.document_fields': {
    question: 'Which fields of a supporting document are required?',
    operations,
    readings: [
      reading('all_but_back', 'all but document_back'),
      reading('all', 'all of them, document_back too'),
    ],
    basis: 'A proof of address often has one side.',
  },
  'user.paused': {
    question: 'May list users show paused, which the enumeration lacks?',
    operations: listed,
    readings: [reading('shown', 'as paused'), reading('as_active', 'as active')],
    basis: 'User status: the description names it, the enumerated values do not.',
  },
  'user.transitions': {
    question: 'Which moves between user statuses are there?',
    operations: listed,
    readings: [
      reading(
        'sandbox',
        'from under_review to active, rejected or incomplete; from rejected or incomplete to under_review; from active to paused and back; from active or paused to offboarded',
      ),
      reading('free', 'from every status to every other'),
    ],
    basis: 'User status: transitions are not shown.',
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
  },
  'user.requirements': {
    question: 'What are the items of requirements?',
    operations: listed,
    readings: [
      reading('names', 'strings that name the missing fields'),
      reading('objects', 'objects of field and reason'),
    ],
    basis: SILENT,
  },
  'users.list': {
    question: 'Which shape has the list of users?',
    operations: listed,
    readings: [
      reading('array', 'a bare array of all users'),
      reading('paged', 'an object of users and pagination, with page and size as in the audits'),
    ],
    basis: 'Endpoints, 6: the path ends in /all, and no query parameter is shown.',
  },
  'consent.required': {
    question: 'Which fields of a consent are required?',
    operations: ['createConsent'],
    readings: [
      reading('all', 'tnc_accepted and accepted_at'),
      reading('accepted', 'only tnc_accepted; without accepted_at it is now'),
    ],
    basis: STRICTER,
  },
  'consent.declined': {
    question: 'What happens when tnc_accepted is false?',
    operations: ['createConsent'],
    readings: [reading('refused', '400'), reading('recorded', 'it is recorded and an id returned')],
    basis: STRICTER,
  },
  'consent.accepted_at': {
    question: 'May accepted_at lie in the future?',
    operations: ['createConsent'],
    readings: [reading('accepted', 'yes: clocks differ'), reading('refused', '400')],
    basis: 'A client’s clock may run ahead of the service’s.',
  },
  'consent.format': {
    question: 'Are other forms of accepted_at accepted than UTC with milliseconds?',
    operations: ['createConsent'],
    readings: [
      reading('exact', 'no: 400'),
      reading('any_iso', 'yes, every ISO 8601 date-time with seconds and its zone'),
    ],
    basis: 'Endpoints, 5: YYYY-MM-DDTHH:MM:SS.sssZ; what happens to others is not shown.',
  },
} as const satisfies Record<string, Assumption>
