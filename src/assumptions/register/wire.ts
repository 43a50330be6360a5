import { type Assumption, OTHER_STATUS, reading, SILENT, STRICTER } from './assumption.js'

const bodies = [
  'createPayout',
  'createCustodyWallet',
  'initiateOfframp',
  'createUser',
  'createConsent',
]

const creating = ['createCustodyWallet', 'initiateOfframp', 'createUser', 'createConsent']

export const wireAssumptions = {
  'wire.strictness': {
    question:
      'How strict is the service about trailing slashes, repeated query parameters and unknown names?',
    operations: [],
    readings: [
      reading(
        'strict',
        'a path with a trailing slash is unknown, a repeated query parameter is 400; fields and parameters ' +
          'that the contract does not name are ignored',
      ),
      reading(
        'lenient',
        'a trailing slash is ignored, the first of repeated query parameters counts, unknown names are ignored',
      ),
      reading(
        'closed',
        'a path with a trailing slash is unknown; repeated query parameters, and fields and parameters that ' +
          'the contract does not name, are 400',
      ),
    ],
    basis: SILENT,
    risk: 'medium',
    consequence: 'requests with fields or parameters that the contract does not name are refused',
  },
  'error.codes': {
    question: 'Which code does an error outside of the code table have?',
    operations: [],
    readings: [
      reading(
        'sandbox',
        'a code built like the listed ones, such as 4000 for 400 and 4040 for 404',
      ),
      reading('status', 'the HTTP status as text, such as 400 or 404'),
    ],
    basis:
      'Errors: codes and bodies for 400 and 404 failures are not shown; the defaults follow the listed ones.',
    risk: 'medium',
    consequence: 'a client that branches on the code takes the wrong branch',
  },
  'error.order': {
    question: 'Which error is returned for a request with several errors?',
    operations: [
      'createPayout',
      'createCustodyWallet',
      'initiateOfframp',
      'getOfframpAudit',
      'getTransferAudit',
      'getCryptoBalance',
    ],
    readings: [
      reading(
        'shape_first',
        'a malformed field first, then a record that does not exist, then an inactive user, then ' +
          'insufficient balance',
      ),
      reading(
        'user_first',
        'the user first: an unknown user before malformed fields, an inactive user before accounts and ' +
          'balances',
      ),
      reading(
        'status_last',
        'a malformed field first, then a record that does not exist, then insufficient balance, then an ' +
          'inactive user',
      ),
    ],
    basis:
      'Endpoints, 1: 400 and 404 are shown, their order is not. The default is the more common choice.',
    risk: 'medium',
    consequence: OTHER_STATUS,
  },
  'required.fields': {
    question:
      'Which fields are required to create a consent or a wallet, or to initiate an offramp?',
    operations: ['createConsent', 'createCustodyWallet', 'initiateOfframp'],
    readings: [
      reading('all', 'all of them'),
      reading(
        'minimal',
        'all but accepted_at, which is now, customer_wallet_ref, which is the id of the wallet, and ' +
          'account_id, which is the user’s oldest account',
      ),
    ],
    basis: STRICTER,
    risk: 'medium',
    consequence:
      'a call without account pays out to the user’s oldest account instead of being refused',
  },
  'resource.unknown': {
    question: 'What do calls other than create payout return for an unknown user or transfer?',
    operations: [
      'createCustodyWallet',
      'initiateOfframp',
      'getOfframpAudit',
      'getTransferAudit',
      'getTransferStatus',
      'getCryptoBalance',
    ],
    readings: [
      reading('not_found', '404'),
      reading('invalid', '400'),
      reading('empty', 'a crypto balance is 0, an audit is an empty list, the rest is 404'),
    ],
    basis:
      'HTTP status codes used: 404 resource not found. Only endpoint 1 shows its status codes.',
    risk: 'medium',
    consequence: 'a client takes a mistyped id for an invalid request, or for a user without money',
  },
  'created.status': {
    question: 'Which status does a call that creates something return?',
    operations: creating,
    readings: [
      reading('mixed', '201 for a user and a wallet, 200 for a consent and an offramp'),
      reading('created', '201 for each of them'),
      reading('ok', '200 for each of them'),
    ],
    basis:
      'HTTP status codes used: 201 resource created; a consent is a bare string, an offramp an instruction.',
    risk: 'medium',
    consequence:
      'a client that accepts one status only takes a success for a failure, and may send it again',
  },
  'list.order': {
    question: 'In which order are users, offramps and transfers listed?',
    operations: ['listUsers', 'getOfframpAudit', 'getTransferAudit'],
    readings: [
      reading('newest_first', 'by created_at, the newest first'),
      reading('oldest_first', 'by created_at, the oldest first'),
    ],
    basis: SILENT,
    risk: 'medium',
    consequence: 'a client that reads the first page only never sees new records',
  },
  'size.limits': {
    question:
      'How large may bodies, images and texts be, and how many documents may create user have?',
    operations: bodies,
    readings: [
      reading(
        'usual',
        'bodies up to 20 MiB with images of any size, 20 documents, texts of recipient_details up to 255 characters',
      ),
      reading(
        'small',
        'bodies up to 10 MiB, the limit of AWS API Gateway, images up to 5 MiB before base64, ' +
          '20 documents, texts of recipient_details up to 70 characters, the limit of SEPA for a name',
      ),
      reading('none', 'bodies up to 20 MiB, without another limit'),
    ],
    basis: 'Limits: none of these is shown.',
    risk: 'medium',
    consequence: 'users with large images and payouts to long names are refused',
  },
  'uuid.form': {
    question: 'Which UUIDs are accepted?',
    operations: [],
    readings: [
      reading('any', 'of any version, in either case; responses show them in lower case'),
      reading('version_4', 'only those of version 4, in either case; others are 400'),
      reading('lower_case', 'of any version, only in lower case; others are 400'),
    ],
    basis: 'Endpoints: a string in UUID format; RFC 4122, section 3: either case in input.',
    risk: 'medium',
    consequence: 'requests with ids that are accepted here are refused',
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
    risk: 'low',
    consequence:
      'a client with a wrong address follows a redirect, or is disconnected without a reason',
  },
  'path.unknown': {
    question: 'What does an unknown path in /payment/api/v1 or /onboarding/api/v1 return?',
    operations: [],
    readings: [
      reading('not_found', '404, after the key is checked'),
      reading(
        'gateway',
        '403 with code 4030 and “Missing authentication token” for any key, as an API gateway does',
      ),
    ],
    basis: 'HTTP status codes used: 404 resource not found.',
    risk: 'low',
    consequence: 'a misspelt path looks like a missing key',
  },
  'path.method': {
    question: 'What does a known path return for another method?',
    operations: [],
    readings: [
      reading('not_found', '404'),
      reading('not_allowed', '405'),
      reading('forbidden', '403 with code 4030, as an API gateway does'),
    ],
    basis: 'HTTP status codes used: 404 resource not found; 405 is not among them.',
    risk: 'low',
    consequence: 'a wrong method looks like something else',
  },
  'body.type': {
    question: 'Which status is returned for a body whose content type is not JSON?',
    operations: bodies,
    readings: [reading('invalid', '400'), reading('unsupported', '415', '4150')],
    basis: 'HTTP status codes used: 400 invalid or malformed request; 415 is not among them.',
    risk: 'low',
    consequence: 'a wrong content type looks like an invalid request',
  },
  'body.size': {
    question: 'Which status is returned for a body that is too large?',
    operations: bodies,
    readings: [reading('invalid', '400'), reading('too_large', '413', '4130')],
    basis: 'HTTP status codes used: 400 invalid or malformed request; 413 is not among them.',
    risk: 'low',
    consequence: 'a body that is too large looks like an invalid request',
  },
  'time.form': {
    question: 'Which format do times in responses have?',
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
    risk: 'medium',
    consequence:
      'a client that parses one format only fails on each response with a time, or loses milliseconds',
  },
  'key.permissions': {
    question: 'What may a read-only key call?',
    operations: ['listUsers'],
    readings: [
      reading('every_get', 'every GET'),
      reading('no_users', 'every GET except the list of users, which is 403 with code 4300'),
    ],
    basis:
      'Authentication, 6: a read-only key may lack POST, PATCH and DELETE; which permissions each endpoint requires is not shown.',
    risk: 'medium',
    consequence: 'a client with a read-only key cannot list users',
  },
} as const satisfies Record<string, Assumption>
