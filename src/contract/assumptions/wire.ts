import { type Assumption, reading, SILENT, STRICTER } from './assumption.js'

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
  'error.faults': {
    question: 'How many faults does the message of a 400 tell, when a request has several?',
    operations: [...bodies, ...paged.operations, 'getCryptoBalance'],
    otherwise: users,
    readings: [
      reading('all', 'all that is malformed, up to eight fields'),
      reading('first', 'the first one'),
    ],
    basis: 'Errors: the message is a human-readable description; bodies for 400 are not shown.',
  },
  'request.id': {
    question: 'Is an x-request-id that a client sends taken over?',
    operations: [],
    readings: [
      reading('own', 'no: each answer has an id of the service’s own'),
      reading('taken_over', 'yes, when it is a UUID, in lower case; anything else is replaced'),
    ],
    basis: 'Errors: requestId is the unique identifier of the request; a client’s may come twice.',
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
  'path.trailing_slash': {
    question: 'Is a path with a slash at its end the same path?',
    operations: [],
    readings: [
      reading('unknown', 'no: it is an unknown path'),
      reading('same', 'yes: it is the same path'),
    ],
    basis: STRICTER,
  },
  'path.blanks': {
    question: 'What happens with blanks around a value in a path, as in /fx-audit/%20<user_id>?',
    operations: ['getOfframpAudit', 'getTransferAudit', 'getTransferStatus', 'getCryptoBalance'],
    readings: [
      reading('kept', 'they are part of it: an id, a token or a chain with blanks is refused'),
      reading('trimmed', 'they are dropped before anything else looks at it'),
    ],
    basis: STRICTER,
  },
  'path.head': {
    question: 'Is HEAD answered where GET is?',
    operations: [],
    readings: [reading('as_get', 'yes, without a body'), reading('not_allowed', '405')],
    basis: 'RFC 9110, section 9.1: a general-purpose server supports GET and HEAD.',
  },
  'http.accept': {
    question: 'What answers a request whose Accept header excludes JSON?',
    operations: [],
    readings: [reading('json', 'JSON all the same'), reading('not_acceptable', '406')],
    basis: 'RFC 9110, section 12.5.1, allows both.',
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
  'body.on_get': {
    question: 'What happens with a body that comes with GET?',
    operations: [
      'listUsers',
      'getOfframpAudit',
      'getTransferAudit',
      'getTotalCustodyBalances',
      'getTransferStatus',
      'getCryptoBalance',
    ],
    readings: [reading('ignored', 'it is ignored'), reading('refused', '400')],
    basis: 'RFC 9110, section 9.3.1: it has no meaning, and may lead to a refusal.',
  },
  'body.unknown_fields': {
    question: 'What happens with fields that the contract does not name?',
    operations: [],
    readings: [reading('ignored', 'they are ignored'), reading('refused', '400')],
    basis: SILENT,
  },
  'body.repeated_fields': {
    question: 'What happens with a body in which an object names the same field twice?',
    operations: bodies,
    readings: [
      reading('refused', '400'),
      reading('last', 'the last one counts, as most parsers have it'),
    ],
    basis: STRICTER,
  },
  'body.blanks': {
    question: 'What happens with blanks around a text, as in " Ada"?',
    operations: bodies,
    readings: [
      reading('kept', 'they are part of it; an id or a code with blanks is refused'),
      reading('trimmed', 'they are dropped before anything else looks at it'),
    ],
    basis: STRICTER,
  },
  'body.characters': {
    question:
      'May a text in a body hold control characters other than tabs and line breaks, or halves of surrogate pairs?',
    operations: bodies,
    readings: [reading('refused', 'no: 400'), reading('kept', 'yes: they are part of it')],
    basis: STRICTER,
  },
  'query.unknown': {
    question: 'What happens with query parameters that the contract does not name?',
    operations: [],
    readings: [reading('ignored', 'they are ignored'), reading('refused', '400')],
    basis: SILENT,
  },
  'query.repeated': {
    question: 'What happens when a query parameter comes twice?',
    ...paged,
    readings: [reading('refused', '400'), reading('first', 'the first one counts')],
    basis: STRICTER,
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
  'key.repeated': {
    question: 'What answers a request with two x-api-key headers?',
    operations: [],
    readings: [
      reading('malformed', '403 with code 4100: together they are no key'),
      reading('first', 'the first one counts'),
    ],
    basis: STRICTER,
  },
  'key.empty': {
    question: 'Is an empty x-api-key header a malformed key, or none?',
    operations: [],
    readings: [
      reading('malformed', 'a malformed one: 403 with code 4100'),
      reading('missing', 'none: 403 with code 4030'),
    ],
    basis: 'Errors: 4030 is for no API key header; 4100 for a key that is not 32 characters.',
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
  'rate.retry_after': {
    question: 'Does a 429 tell how long to wait?',
    operations: [],
    readings: [
      reading('told', 'yes, in retry-after, in seconds'),
      reading('untold', 'no: no header tells it'),
    ],
    basis: 'HTTP status codes used: 429, wait and retry; no header is shown.',
  },
} as const satisfies Record<string, Assumption>
