import * as z from 'zod'
import { user as contractUser, toUserResponse } from '../../contract/user.js'
import { type Tables, USER_STATUSES, type User } from '../../domain/schema.js'
import { getUser, userTransitionsIn } from '../../domain/users.js'
import { ok, operation } from '../../http/operation/operation.js'
import { review } from './command-inputs.js'
import { EXAMPLES, fields, idPath } from './fields.js'
import { listPage, listSchema, pageQuery } from './lists.js'

const maybe = () => z.string().nullable()

/** A field that a user did not have to give is null (user.required). */
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

const show = (tables: Tables, record: User) => ({
  ...toUserResponse(record),
  consent_id: record.consent_id,
  metadata: record.metadata,
  legal_moves: [...userTransitionsIn(tables)[record.status]],
  created_at: record.created_at,
  updated_at: record.updated_at,
})

export const listSandboxUsers = operation({
  id: 'listSandboxUsers',
  method: 'get',
  path: '/_sandbox/users',
  tag: 'Users',
  summary: 'List users',
  description: 'All users, newest first.',
  query: pageQuery.extend({ status: z.enum(USER_STATUSES).optional() }),
  answers: { 200: { description: 'One page', schema: listSchema(user, 'UserList') } },
  errors: ['4000'],
  handle: ({ world, query }) => {
    const { status } = query
    const index = status ? 'status' : 'all'
    return listPage(world.tables.users, { index, key: status ?? '' }, query, (record) =>
      show(world.tables, record),
    )
  },
})

export const readUser = operation({
  id: 'readUser',
  method: 'get',
  path: '/_sandbox/users/{id}',
  tag: 'Users',
  summary: 'Read a user',
  description: 'The contract’s resource, and what the sandbox knows besides.',
  params: idPath(EXAMPLES.users),
  answers: { 200: { description: 'The user', schema: user } },
  errors: ['4000', '4040'],
  handle: ({ world, params }) => ok(show(world.tables, getUser(world.tables, params.id, 'id'))),
})

export const moveUser = operation({
  id: 'moveUser',
  method: 'post',
  path: '/_sandbox/users/{id}/status',
  tag: 'Users',
  summary: 'Move a user',
  description:
    'Changes the status of a user. rejected accepts `reasons`, incomplete accepts `requirements`.',
  params: idPath(EXAMPLES.applicants),
  body: fields({ status: z.enum(USER_STATUSES), ...review }).meta({
    id: 'UserMove',
    example: { status: 'rejected', reasons: ['Document expired'] },
  }),
  answers: { 200: { description: 'The user after it', schema: user } },
  errors: ['4000', '4004', '4040', '4090', '4130', '4150'],
  handle: ({ world, params: { id }, body: { status, reasons, requirements }, cause }) => {
    const details = { ...(reasons && { reasons }), ...(requirements && { requirements }) }
    world.run('user.move', { id, to: status, ...details }, cause)
    return ok(show(world.tables, getUser(world.tables, id)))
  },
})
