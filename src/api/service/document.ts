import type { ErrorCode } from '../../contract/errors.js'
import { errorBodySchema } from '../../contract/errors.js'
import {
  buildDocument,
  DEFAULT_VIEW,
  type DocumentView,
  type OpenApiDocument,
} from '../../http/operation/document.js'
import { serviceOperations } from './index.js'

const call = ({ server }: DocumentView): string[] => [
  'To learn the outcome of a payout, poll: the contract has no webhooks. A lost response or a 5xx is an unknown outcome, not a ' +
    'failure. Send `createPayout` again with the same `customer_payout_id`; the answer to a repeat is the open question ' +
    '`payout.repeat`. The outcome of an offramp is that of its transfer: `getTransferStatus`.',
  '',
  'Send your API key in `x-api-key` with every request. Try it against a local sandbox:',
  '',
  '```sh',
  "curl -H 'x-api-key: SandrampFullAccessKey00000000001' \\",
  `  ${server}/onboarding/api/v1/users/all`,
  '```',
  '',
  'Identifiers are UUIDs, times are ISO 8601. The body of an error is `ApiError`; its `code` and the status ' +
    'together identify the error.',
]

const CONTRACT = [
  'This document contains only what the contract documents or shows as a value: generate the client of the live ' +
    'service from it. `x-provenance` distinguishes the two. Observed values are examples. Every status of a record may have ' +
    'other values than those named. An operation that creates something lists 200 and 201 where the contract does not show its success status. ' +
    '`x-assumptions` lists the ids of the open questions about an operation.',
]

const sandbox = ({ server }: DocumentView): string[] => [
  'The sandbox is more exact than the contract: it has one reading for each question that the contract leaves open, ' +
    `and each such choice is an assumption with an id. [The list of them](${server}/assumptions) has the alternatives, and ` +
    'this document follows the chosen readings. `/openapi.json?of=contract` is the contract without assumptions. ' +
    `[The docs](${server}/llms.txt) are Markdown.`,
  '',
  '- `x-provenance` on a field is `documented`, `observed` (the contract shows a value) or `assumed`; ' +
    '`x-assumption` names the assumption, `x-assumptions` those of an operation. A description says what the contract ' +
    'says; sentences after “Assumed” are the chosen readings.',
  '- Response header `x-sandbox-assumed`: the assumptions behind a response. Request header ' +
    '`x-sandbox-reading: <id>=<reading>`: another reading for one request.',
  '- Request header `x-sandbox-scenario: <name>`: a scenario for one request. Response header ' +
    '`x-sandbox-fault: <scenario>/<rule>`: the rule that made or altered the response, which may then have any shape.',
  '- With `--rate-limit` responses have `ratelimit-limit`, `ratelimit-remaining` and `ratelimit-reset`. `x-sandbox-hint` names ' +
    'a likely mistake, such as a misspelt field.',
]

/**
 * Errors of any request: 4290 with a rate limit, 4000 for x-sandbox-scenario, 5030 also if a write
 * fails. 5010, with --strict, and 5070, with --world-size, are not in the list: only the sandbox has them.
 */
export const GATE_ERRORS: readonly ErrorCode[] = [
  '4030',
  '4100',
  '4101',
  '4102',
  '4103',
  '4300',
  '4290',
  '4000',
  '5020',
  '5030',
]

/** The document of the sandbox's readings, or of the contract alone. */
export const serviceDocument = (view: DocumentView = DEFAULT_VIEW): OpenApiDocument =>
  buildDocument(
    serviceOperations,
    {
      title: 'Payments, custody wallet and onboarding service',
      // The version in the contract's own interface description.
      version: '1.0.0',
      description: [...call(view), '', ...(view.isContract ? CONTRACT : sandbox(view))].join('\n'),
      tags: [
        { name: 'Payouts', description: 'Local currency to bank accounts and wallets' },
        { name: 'Wallets', description: 'Custody wallets and their balances' },
        { name: 'Offramps', description: 'Crypto in, fiat out' },
        { name: 'Transfers', description: 'Currency conversions and their status' },
        { name: 'Users', description: 'Onboarding and consent' },
      ],
      securitySchemes: {
        apiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'x-api-key',
          description: '32 characters of A-Z, a-z and 0-9, case-sensitive',
        },
      },
      security: [{ apiKey: [] }],
      gateErrors: GATE_ERRORS,
      errorSchema: errorBodySchema,
      hasReadings: true,
    },
    view,
  )
