import { auditQuery, clampedIfChosen } from '../../contract/audit.js'
import { toPagination } from '../../contract/pagination.js'
import {
  consentId,
  consentRequest,
  toUserResponse,
  userAs,
  userListAs,
  userRequest,
} from '../../contract/user.js'
import { listUsers as listDomainUsers } from '../../domain/user-history.js'
import { createdAnswers, createdOrOk, ok, operation } from '../../http/operation/operation.js'
import { digestImages } from './user-images.js'

export const createUser = operation({
  id: 'createUser',
  method: 'post',
  path: '/onboarding/api/v1/users',
  tag: 'Users',
  summary: 'Create user',
  description:
    'Creates a user, `under_review`, with the identity, address and documents to verify.',
  body: userRequest,
  answers: createdAnswers(201, 'The new user, under_review', userAs),
  errors: ['4000', '4004'],
  handle: ({ world, body, cause, readings }) => {
    const input = digestImages(body, readings)
    const shown = toUserResponse(world.run('user.create', input, cause, readings), readings)
    return createdOrOk(readings, 201, shown)
  },
})

export const createConsent = operation({
  id: 'createConsent',
  method: 'post',
  path: '/onboarding/api/v1/tnc',
  tag: 'Users',
  summary: 'Generate user consent',
  description:
    'Records that a user accepted the terms and conditions, and returns the consent id for Create user.',
  body: consentRequest,
  answers: createdAnswers(200, 'The consent id, a bare JSON string', consentId),
  errors: ['4000', '4004'],
  handle: ({ world, body, cause, readings }) => {
    const { id } = world.run('consent.create', body.tnc_data, cause, readings)
    return createdOrOk(readings, 200, id)
  },
})

export const listUsers = operation({
  id: 'listUsers',
  method: 'get',
  path: '/onboarding/api/v1/users/all',
  tag: 'Users',
  summary: 'List users',
  description: 'Lists users.',
  query: auditQuery,
  queryIf: (readings) => readings.users.list === 'paged',
  queryOtherwise: clampedIfChosen,
  answers: {
    200: {
      description: 'The users',
      schema: userListAs,
      provenance: 'assumed',
      assumption: 'users.list',
    },
  },
  handle: ({ world: { tables }, query, readings }) => {
    const list = listDomainUsers(tables, readings, query)
    const users = list.records.map((user) => toUserResponse(user, readings))
    return ok(
      readings.users.list === 'paged'
        ? { users, pagination: toPagination(query, list.count, list.totalPages) }
        : users,
    )
  },
})
