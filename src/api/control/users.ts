import * as z from 'zod'
import { text } from '../../contract/fields.js'
import { user as contractUser, toUserResponse } from '../../contract/user.js'
import { USER_STATUSES, type User } from '../../domain/schema.js'
import { ALL } from '../../domain/selection.js'
import { getUser, MAX_REASONS, MAX_REQUIREMENTS, USER_TRANSITIONS } from '../../domain/users.js'
import { ok, operation } from '../../http/operation/operation.js'
import { TEXT } from '../../lib/yaml/strict.js'
import { EXAMPLES, fields, userPath } from './fields.js'
import { pageQuery } from './lists.js'
import { resource } from './resource.js'

const maybe = () => z.string().nullable()

/** A field that a fixture does not give is null. */
const user = contractUser
  .extend({
    phone_number: maybe(),
    date_of_birth: z.iso.date().nullable(),
    address: contractUser.shape.address.extend({
      line1: maybe(),
      city: maybe(),
      country: maybe(),
      sub_division: maybe(),
      postal_code: maybe(),
    }),
    consent_id: z.string().nullable(),
    metadata: z.string().nullable(),
    legal_moves: z.array(z.enum(USER_STATUSES)).meta({ description: 'Where it could go' }),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'SandboxUser' })

const show = (record: User) => ({
  ...toUserResponse(record),
  consent_id: record.consent_id,
  metadata: record.metadata,
  legal_moves: [...USER_TRANSITIONS[record.status]],
  created_at: record.created_at,
  updated_at: record.updated_at,
})

export const users = resource({
  noun: 'user',
  table: (tables) => tables.users,
  schema: user,
  show,
  query: pageQuery.extend({ status: z.enum(USER_STATUSES).optional() }),
  select: ({ status }) => (status ? { index: 'status', key: status } : ALL),
  // The service has an operation listUsers.
  listId: 'listSandboxUsers',
  listDescription: 'All users, newest first.',
  readDescription: 'The contract’s resource, and what the sandbox knows besides.',
})

const REASON = `${TEXT}, or an object of reason and developer_reason`
const reason = z.union(
  [
    text().transform((words) => ({ reason: words })),
    fields({ reason: text(), developer_reason: text().optional() }),
  ],
  { error: REASON },
)
const REASONS = `a list of at most ${MAX_REASONS}, each ${REASON}`
const REQUIREMENTS = `a list of at most ${MAX_REQUIREMENTS} names of fields`

export const moveUser = operation({
  id: 'moveUser',
  method: 'post',
  path: '/_sandbox/users/{id}/status',
  tag: 'Users',
  summary: 'Move a user',
  description:
    'Changes the status of a user. rejected accepts `reasons`, incomplete accepts `requirements`.',
  params: userPath(EXAMPLES.applicants),
  body: fields({
    status: z.enum(USER_STATUSES),
    reasons: z.array(reason, REASONS).max(MAX_REASONS, REASONS).optional(),
    requirements: z.array(text(), REQUIREMENTS).max(MAX_REQUIREMENTS, REQUIREMENTS).optional(),
  }).meta({
    id: 'UserMove',
    example: { status: 'rejected', reasons: ['Document expired'] },
  }),
  answers: { 200: { description: 'The user after it', schema: user } },
  errors: ['4040', '4090'],
  handle: ({ world, params: { id }, body: { status, reasons, requirements }, cause }) => {
    const details = { ...(reasons && { reasons }), ...(requirements && { requirements }) }
    world.run('user.move', { id, to: status, ...details }, cause)
    return ok(show(getUser(world.tables, id)))
  },
})
