import * as z from 'zod'
import { text } from '../../contract/fields.js'
import { isExpired } from '../../domain/api-keys.js'
import { type ApiKey, KEY_PERMISSIONS, KEY_STATUSES } from '../../domain/schema.js'
import { ALL } from '../../domain/selection.js'
import type { World } from '../../domain/world.js'
import { created, ok, operation } from '../../http/operation/operation.js'
import { instantText } from '../../kernel/time.js'
import { invalidValue, inWords } from '../../lib/app-error.js'
import { drawSecret, hashSecret, lastFour } from '../../lib/secrets.js'
import { EXAMPLES, fields, idPath } from './fields.js'
import { listPage, listSchema, pageQuery } from './lists.js'

const MAX_NAME = 100

const apiKey = z
  .object({
    id: z.uuid(),
    name: z.string(),
    permissions: z
      .enum(KEY_PERMISSIONS)
      .meta({ description: 'A read_only key may not POST, PATCH or DELETE' }),
    status: z.enum(KEY_STATUSES).meta({ description: 'Only an active key opens anything' }),
    expires_at: z.iso.datetime().nullable().meta({ description: 'Null when it never does' }),
    expired: z.boolean().meta({ description: 'Whether it has, by the world’s time' }),
    last_four: z.string().meta({ description: 'The last four characters of its secret' }),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'ApiKey' })

const createdKey = apiKey
  .extend({ secret: z.string().meta({ description: 'Shown here and nowhere else, ever' }) })
  .meta({ id: 'CreatedApiKey' })

const show = (key: ApiKey, { now }: World): z.input<typeof apiKey> => ({
  id: key.id,
  name: key.name,
  permissions: key.permissions,
  status: key.status,
  expires_at: key.expires_at,
  expired: isExpired(key, now),
  last_four: key.last_four,
  created_at: key.created_at,
})

export const listApiKeys = operation({
  id: 'listApiKeys',
  method: 'get',
  path: '/_sandbox/api-keys',
  tag: 'API keys',
  summary: 'List API keys',
  description: 'All API keys, newest first, with the last four characters of their secrets.',
  query: pageQuery,
  answers: { 200: { description: 'One page', schema: listSchema(apiKey, 'ApiKeyList') } },
  handle: ({ world, query }) =>
    listPage(world.tables.api_keys, ALL, query, (key) => show(key, world)),
})

export const createApiKey = operation({
  id: 'createApiKey',
  method: 'post',
  path: '/_sandbox/api-keys',
  tag: 'API keys',
  summary: 'Create an API key',
  description:
    'Creates an active key. Only this response contains its `secret`; the sandbox stores a hash.',
  body: fields({
    name: text(MAX_NAME),
    permissions: z.enum(KEY_PERMISSIONS).optional().describe('Default: full'),
    expires_at: instantText()
      .optional()
      .meta({ description: 'When it expires, later than the world’s now; never when left out' }),
  }).meta({ id: 'ApiKeyRequest', example: { name: 'Nightly tests', permissions: 'read_only' } }),
  answers: { 201: { description: 'The key and its secret', schema: createdKey } },
  handle: ({ world, body, cause, once }) => {
    const { name, permissions = 'full', expires_at = null } = body
    const secret = once(drawSecret)
    const kept = { hash: hashSecret(secret), last_four: lastFour(secret) }
    const key = world.run('api_key.create', { name, permissions, expires_at, ...kept }, cause)
    return created({ ...show(key, world), secret })
  },
})

export const setApiKey = operation({
  id: 'setApiKey',
  method: 'patch',
  path: '/_sandbox/api-keys/{id}',
  tag: 'API keys',
  summary: 'Change an API key',
  description:
    'Suspends, activates or deactivates a key; deactivated is final. Sets its expiry, in the past ' +
    'too, or removes it with null.',
  params: idPath(EXAMPLES.api_keys),
  body: fields({
    status: z.enum(KEY_STATUSES).optional(),
    expires_at: instantText()
      .nullable()
      .optional()
      .meta({ description: 'When it expires; without one, it never does' }),
  }).meta({ id: 'ApiKeyChange', example: { status: 'suspended' } }),
  answers: { 200: { description: 'The key after it', schema: apiKey } },
  errors: ['4040', '4090'],
  handle: ({ world, params: { id }, body: { status, expires_at }, cause }) => {
    if (status === undefined && expires_at === undefined) {
      throw invalidValue('body', inWords('no field'), 'status, expires_at or both')
    }
    const change = { ...(status && { status }), ...(expires_at !== undefined && { expires_at }) }
    return ok(show(world.run('api_key.set', { id, ...change }, cause), world))
  },
})
