import { errorBodySchema } from '../contract/error-body.js'
import type { ErrorCode } from '../contract/errors.js'
import { buildDocument, type OpenApiDocument, questionsOfAll } from '../http/document.js'
import { serviceOperations } from './index.js'

/**
 * What any request may be answered: 4290 with a rate limit, 4000 for x-sandbox-scenario, 5010 with --strict
 * besides what the door says; 5020 and 5030, which scenarios answer, and 5030 also when nothing can be kept.
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
  '5010',
  '5020',
  '5030',
]

/** Generates the OpenAPI document of the service. */
export const serviceDocument = (): OpenApiDocument =>
  buildDocument(serviceOperations, {
    title: 'Payments, custody wallet and onboarding service',
    // The version that the contract says its interface description carries.
    version: '1.0.0',
    description: [
      'The contract as this sandbox serves it. Send an API key in `x-api-key` with every request. Unless it ' +
        'is started with `--tls` the sandbox serves plain HTTP, which the contract says is rejected.',
      '',
      '`x-provenance` on fields and responses tells what it rests on: `documented` (the contract states ' +
        'it), `observed` (the contract shows such a value) or `assumed` (the contract is silent, and ' +
        '`x-assumption` names what the sandbox assumes, which goes for all that is within). Where ' +
        '`x-assumption` stands beside `documented`, a limit or the meaning of a value is assumed.',
      '',
      'What is assumed can be read otherwise: for a request with the header ' +
        '`x-sandbox-reading: <id>=<reading>`, for the world with `PATCH /_sandbox/assumptions/{id}`, for ' +
        'good with `--reading <id>=<reading>`. The answers here are those of the default readings.',
      '',
      'The header `x-sandbox-scenario: <name>` plays a scenario for one request. What a rule of a scenario ' +
        'made, altered or delayed carries `x-sandbox-fault: <scenario>/<rule>`; unless it is merely delayed, ' +
        'it has no `x-sandbox-assumed`, and may be any answer at all. With `--rate-limit` each answer to a ' +
        'key has `ratelimit-limit`, `ratelimit-remaining` and `ratelimit-reset`. `x-sandbox-hint` names a likely ' +
        'mistake behind a refusal.',
      '',
      'What comes to no operation is refused with the same body: plain HTTP with 403 and code `4032` where ' +
        'HTTPS is served, an unknown path with 404 and `4040`, another method of a known path with 405 and ' +
        '`4050`, what takes too long to arrive with 408 and `4080`, headers beyond the limit with 431 and `4310`.' +
        questionsOfAll(),
    ].join('\n'),
    tags: [
      { name: 'Payouts', description: 'Local currency to bank accounts and wallets' },
      { name: 'Wallets', description: 'Custody wallets and what they hold' },
      { name: 'Offramps', description: 'Crypto in, fiat out' },
      { name: 'Transfers', description: 'Currency conversions and where they stand' },
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
    errorDoubts: { 413: 'body.size', 415: 'body.type' },
    tellsAssumed: true,
  })
