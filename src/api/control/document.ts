import * as z from 'zod'
import { errorBodySchema } from '../../contract/errors.js'
import { buildDocument, type OpenApiDocument } from '../../http/operation/document.js'
import type { Operation } from '../../http/operation/operation.js'
import { controlOperations } from './index.js'

const worldQuery = {
  world: z.string().optional().meta({
    description: 'Id of the world, instead of x-api-key; by default the default world',
    example: 'default',
  }),
}

const controlError = errorBodySchema
  .extend({
    problems: z
      .array(
        z.object({
          field: z.string().optional().meta({ description: 'Its dotted path' }),
          received: z
            .string()
            .optional()
            .meta({ description: 'The value as the message shows it' }),
          expected: z.string().optional(),
          hint: z.string().optional(),
          message: z.string(),
        }),
      )
      .optional()
      .meta({ description: 'The faults of the input; the message joins them' }),
  })
  .meta({ id: 'ControlError' })

const BODY_ERRORS = ['4004', '4130', '4150'] as const

/** Adds the access rules and the errors of bodies: each call may name a world. */
const withCommonParts = (operation: Operation): Operation => {
  const { method, query = z.object({}), body, errors = [] } = operation
  if (operation.isOpen) return operation
  const bodyErrors = body && method !== 'get' ? BODY_ERRORS : []
  return {
    ...operation,
    query: query.extend(worldQuery),
    errors: ['4000', '4040', ...bodyErrors, ...errors],
  }
}

export const controlDocument = (version: string): OpenApiDocument =>
  buildDocument(controlOperations.map(withCommonParts), {
    title: 'Sandramp control',
    version,
    description: [
      'The world around the service: move time, simulate deposits, move transfers and users, read requests ' +
        'and their effects, audit the ledger, reset.',
      '',
      'A call acts on the world of its `x-api-key`, whatever the state of the key; without one, on the default ' +
        'world. `?world=<id>` names it instead. With `--control-token` every call but health and ready needs the token.',
      '',
      'Unknown body fields and query parameters are rejected with `4000`.',
    ].join('\n'),
    tags: [
      { name: 'Sandbox', description: 'The sandbox as a whole' },
      { name: 'Worlds', description: 'Isolated worlds, one per test' },
      { name: 'Snapshots', description: 'Stored states of a world' },
      { name: 'Clock', description: 'The world’s time' },
      { name: 'Scenarios', description: 'Rules that move records and cause failures' },
      { name: 'Next call', description: 'Faults and moves for the next call of an operation' },
      { name: 'Deposits', description: 'Simulated deposits' },
      { name: 'Transfers', description: 'Transfers and their moves' },
      { name: 'Users', description: 'Users, their balances and destination accounts' },
      { name: 'Wallets', description: 'Custody wallets' },
      { name: 'Offramps', description: 'Offramp transactions' },
      { name: 'Payouts', description: 'Payouts and their moves' },
      { name: 'Rates', description: 'Exchange rates' },
      { name: 'API keys', description: 'Keys of the service' },
      { name: 'Journal', description: 'Every change and its cause' },
      { name: 'Assumptions', description: 'Silences of the contract and their readings' },
      { name: 'Requests', description: 'Requests to the service and their responses' },
    ],
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description: 'Selects the world, by default the default world',
      },
      controlToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The token of --control-token, if set',
      },
    },
    security: [{}, { apiKey: [] }, { controlToken: [] }],
    // 4000 for x-sandbox-scenario and x-sandbox-reading, which may come with any call. 5030 with --data when it
    // cannot be written: also to a read, whose world may begin with it.
    gateErrors: ['4011', '4101', '4031', '4000', '5030', '5070'],
    errorSchema: controlError,
  })
