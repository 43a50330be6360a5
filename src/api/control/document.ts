import * as z from 'zod'
import { errorBodySchema } from '../../contract/error-body.js'
import { buildDocument, type OpenApiDocument } from '../../http/openapi/document.js'
import type { Operation } from '../../http/operation.js'
import { controlOperations } from './index.js'

const worldQuery = {
  world: z.string().optional().meta({
    description:
      'Id of the world to read, where no x-api-key can be sent; the default world without',
    example: 'default',
  }),
}

/** What the door takes and refuses: each read may name a world, and nothing else may. */
const withWorld = (operation: Operation): Operation => {
  const { method, query = z.object({}), errors } = operation
  if (operation.isOpen) return operation
  if (method !== 'get') return { ...operation, errors: ['4000', ...errors] }
  return { ...operation, query: query.extend(worldQuery), errors: ['4000', '4040', ...errors] }
}

/** Generates the OpenAPI document of the control face. */
export const controlDocument = (version: string): OpenApiDocument =>
  buildDocument(controlOperations.map(withWorld), {
    title: 'Sandramp control',
    version,
    description: [
      'What the live service does not have: move time, let crypto arrive, move a transfer or a user by ' +
        'hand, read what was asked and answered, tell what was done and why, prove the ledger, reset.',
      '',
      'It acts on the world of the API key in `x-api-key`, whatever state the key is in; without one, on ' +
        'the default world. On a GET `?world=` may name it in its place. With `--control-token` every call but health needs it as a bearer token.',
      '',
      'A field of a body, or a parameter of a query, that a call does not have is refused with `4000`.',
    ].join('\n'),
    tags: [
      { name: 'Sandbox', description: 'The sandbox as a whole' },
      { name: 'Worlds', description: 'Worlds that share nothing, one for each test' },
      { name: 'Snapshots', description: 'A world kept under a name, to come back to' },
      { name: 'Clock', description: 'The world’s time' },
      { name: 'Scenarios', description: 'What happens by itself, and what goes wrong' },
      { name: 'Deposits', description: 'Crypto that arrives' },
      { name: 'Transfers', description: 'Transfers, moved by hand' },
      { name: 'Users', description: 'Users, their balances and destination accounts' },
      { name: 'Wallets', description: 'Custody wallets' },
      { name: 'Offramps', description: 'Offramp transactions' },
      { name: 'Payouts', description: 'Payouts, moved by hand' },
      { name: 'Rates', description: 'Exchange rates' },
      { name: 'API keys', description: 'What lets clients in to the service' },
      { name: 'Journal', description: 'All that was done, and why' },
      { name: 'Assumptions', description: 'What the contract leaves open, and how it is read' },
      { name: 'Requests', description: 'What clients asked the service, and what it answered' },
    ],
    securitySchemes: {
      apiKey: {
        type: 'apiKey',
        in: 'header',
        name: 'x-api-key',
        description: 'Chooses the world; the default world without one',
      },
      controlToken: {
        type: 'http',
        scheme: 'bearer',
        description: 'The token of --control-token, when there is one',
      },
    },
    security: [{}, { apiKey: [] }, { controlToken: [] }],
    // 4000 for x-sandbox-scenario and x-sandbox-reading, which may come with any call. 5030 with --data when it
    // cannot be written: also to a read, whose world may begin with it.
    gateErrors: ['4011', '4101', '4031', '4000', '5030'],
    errorSchema: errorBodySchema,
  })
