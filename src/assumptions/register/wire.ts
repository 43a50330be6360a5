import { type Assumption, reading, SILENT } from './assumption.js'

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
    question: 'What happens with fields and parameters that the contract does not name?',
    operations: [],
    readings: [reading('strict', 'they are ignored'), reading('closed', '400')],
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
  'resource.unknown': {
    question: 'What do audits and the crypto balance return for an unknown user?',
    operations: ['getOfframpAudit', 'getTransferAudit', 'getCryptoBalance'],
    readings: [reading('not_found', '404'), reading('empty', 'an empty list, and a balance of 0')],
    basis:
      'HTTP status codes used: 404 resource not found. Only endpoint 1 shows its status codes.',
    risk: 'medium',
    consequence: 'a client takes a mistyped id for a user without money',
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
    question: 'How large may bodies and images be?',
    operations: bodies,
    readings: [
      reading('usual', 'bodies up to 20 MiB with images of any size'),
      reading(
        'small',
        'bodies up to 10 MiB, the limit of AWS API Gateway, and images up to 5 MiB before base64',
      ),
    ],
    basis: 'Limits: none of these is shown.',
    risk: 'medium',
    consequence: 'users with large images are refused',
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
} as const satisfies Record<string, Assumption>
