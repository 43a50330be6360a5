import { type Assumption, reading, STRICTER } from './assumption.js'

/** The operations that take a body. */
const bodies = [
  'createPayout',
  'createCustodyWallet',
  'initiateOfframp',
  'createUser',
  'createConsent',
]

/** The list of users has pages under another reading (users.list). */
const users = ['listUsers']
const paged = { operations: ['getOfframpAudit', 'getTransferAudit', ...users], otherwise: users }

export const wireAssumptions = {
  'wire.strictness': {
    question:
      'How strictly does the service read what is not about the data: slashes, repetitions, unknown names?',
    operations: [],
    readings: [
      reading(
        'strict',
        'a path with a slash at its end is an unknown path, a query parameter that comes twice is 400; ' +
          'fields and parameters that the contract does not name are ignored',
      ),
      reading(
        'lenient',
        'a path with a slash at its end is the same path, the first of two query parameters of one name ' +
          'counts, unknown names are ignored',
      ),
      reading(
        'closed',
        'as strict, and fields and parameters that the contract does not name are 400',
      ),
    ],
    basis: STRICTER,
  },
  'error.codes': {
    question: 'Which codes do failures have that the code table does not list?',
    operations: [],
    readings: [
      reading('sandbox', 'codes made like the listed ones, such as 4000 for 400 and 4040 for 404'),
      reading('status', 'the HTTP status as text, such as 400 or 404'),
    ],
    basis:
      'Errors: codes and bodies for 400 and 404 failures are not shown; these follow the listed ones.',
  },
  'error.order': {
    question: 'What answers a request that is malformed and names an unknown user?',
    operations: [
      'createPayout',
      'createCustodyWallet',
      'initiateOfframp',
      'getOfframpAudit',
      'getTransferAudit',
      'getCryptoBalance',
    ],
    readings: [
      reading('shape_first', '400: records are looked up after that'),
      reading('user_first', '404: the user is looked up first'),
    ],
    basis:
      'Endpoints, 1: 400 and 404 are shown, their order is not. This is the more common choice.',
  },
  'http.plain': {
    question: 'How is plain HTTP rejected?',
    operations: [],
    readings: [
      reading('forbidden', '403 with the error body'),
      reading('redirect', '301 to https'),
      reading('closed', 'the connection is closed'),
    ],
    basis: 'Authentication, 2: plain HTTP requests are rejected.',
  },
  'path.unknown': {
    question: 'What answers an unknown path?',
    operations: [],
    readings: [
      reading('gate_first', 'the gate first, then 404'),
      reading('gateway', '403 with code 4030, as an API gateway answers'),
    ],
    basis: 'HTTP status codes used: 404 resource not found.',
  },
  'path.method': {
    question: 'What answers a known path with another method?',
    operations: [],
    readings: [
      reading('not_allowed', '405'),
      reading('forbidden', '403'),
      reading('not_found', '404'),
    ],
    basis: 'RFC 9110, section 15.5.6.',
  },
  'body.type': {
    question: 'What answers a body that is not labelled as JSON?',
    operations: [],
    readings: [reading('unsupported', '415'), reading('invalid', '400')],
    basis: 'Bodies are JSON (Content-Type: application/json).',
  },
  'body.size': {
    question: 'What answers a body that is too large?',
    operations: [],
    readings: [reading('too_large', '413'), reading('invalid', '400')],
    basis: 'Limits: maximum payload or image sizes are not shown.',
  },
  'body.limit': {
    question: 'How large may a body be?',
    operations: bodies,
    readings: [
      reading('twenty_mib', 'up to 20 MiB'),
      reading('ten_mib', 'up to 10 MiB, as an API gateway of AWS takes them'),
    ],
    basis: 'Limits: maximum payload sizes are not shown.',
  },
  'query.malformed': {
    question: 'What happens with a page or size that is no whole number, or with a page below 0?',
    ...paged,
    readings: [reading('refused', '400'), reading('default', 'the default is used')],
    basis: STRICTER,
  },
  'time.form': {
    question: 'In which form are the times of answers?',
    operations: [
      'createPayout',
      'createUser',
      'listUsers',
      'getOfframpAudit',
      'getTransferAudit',
      'getTransferStatus',
    ],
    readings: [
      reading('milliseconds', 'UTC with milliseconds, such as 2026-01-31T09:30:00.000Z'),
      reading('seconds', 'UTC with seconds, such as 2026-01-31T09:30:00Z'),
      reading('offset', 'UTC as an offset, such as 2026-01-31T09:30:00.000+00:00'),
    ],
    basis:
      'Resources, Payout: ISO 8601, UTC; the one form that is shown is that of accepted_at, in endpoint 5.',
  },
  'uuid.version': {
    question: 'Are UUIDs accepted that are not version 4?',
    operations: [],
    readings: [reading('accepted', 'yes, every UUID'), reading('refused', '400')],
    basis: 'Endpoints: a string in UUID format; no version is named.',
  },
  'uuid.case': {
    question: 'Are UUIDs accepted that are written in upper case?',
    operations: [],
    readings: [
      reading('either', 'yes; answers show them in lower case'),
      reading('lower', 'no: 400'),
    ],
    basis: 'RFC 4122, section 3: lower case in output, either case in input.',
  },
  'key.permissions': {
    question: 'What may a read-only key call?',
    operations: ['listUsers'],
    readings: [
      reading('every_get', 'everything that is read with GET'),
      reading('no_users', 'the same but for the list of users, which is 403 with code 4300'),
    ],
    basis:
      'Authentication, 6: a read-only key may lack POST, PATCH and DELETE; which permissions each endpoint requires is not shown.',
  },
} as const satisfies Record<string, Assumption>
