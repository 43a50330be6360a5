import type { AssumptionId } from '../../assumptions/ids.js'
import { type Exchange, getText, isObject } from '../exchange.js'
import { nameUser, type Traffic, USER_FIELDS } from '../traffic.js'
import { accepts, type EvidenceOf, seen } from './rows.js'

/** Whether an earlier request of the same file created a user with this value. */
const hasKnown = (field: (typeof USER_FIELDS)[number], x: Exchange, t: Traffic): boolean =>
  getText(x.body, field) !== undefined &&
  t.createdUsers.get(nameUser(field, x))?.some((y) => y.source === x.source && y.n < x.n) === true

const listFields = (value: unknown): string | undefined =>
  isObject(value) ? Object.keys(value).sort().join(', ') : undefined

const nameItem = (value: unknown): string | undefined =>
  typeof value === 'string' ? 'string' : listFields(value)

const nameForm = (answer: unknown): string => {
  if (Array.isArray(answer)) return 'an array'
  const isPaged = isObject(answer) && isObject(answer.pagination)
  return isPaged && Array.isArray(answer.users) ? 'a page' : 'another form'
}

export const userEvidence = {
  'user.duplicate': {
    needs: 'createUser with the email address of a user created before, then with a new one',
    find: accepts(
      ...USER_FIELDS.map((field) => ({
        operation: 'createUser' as const,
        isOdd: (x: Exchange, t: Traffic) => USER_FIELDS.find((it) => hasKnown(it, x, t)) === field,
        fields: [field],
        accepted: 'second' as const,
        refused: 'refused' as const,
      })),
    ),
  },
  'user.paused': {
    needs: 'listUsers while a user is paused, with that user in the facts',
    find: (t, say) => {
      const { paused } = t.facts.users ?? {}
      for (const { it, x } of t.users) {
        if (it.status === 'paused') say('shown', 'paused', x)
        else if (it.id && it.id === paused)
          say(it.status === 'active' ? 'as_active' : [], `${it.status}, and paused by the facts`, x)
      }
    },
  },
  'user.rejection_reasons': {
    needs: 'listUsers while a user is rejected',
    find: seen(
      {
        'developer_reason, reason, timestamp': 'reason',
        'created_at, customer_reason, internal_reason': 'customer_reason',
      },
      (t) => t.users.map(({ it, x }) => [listFields(it.rejection_reasons?.[0]), x]),
    ),
  },
  'user.requirements': {
    needs: 'listUsers while a user is incomplete',
    find: seen({ string: 'names', 'field, reason': 'objects' }, (t) =>
      t.users.map(({ it, x }) => [nameItem(it.requirements?.[0]), x]),
    ),
  },
  'users.list': {
    needs: 'listUsers',
    find: seen({ 'an array': 'array', 'a page': 'paged' }, (t) =>
      t.ok('listUsers').map((x) => [nameForm(x.answer), x as Exchange]),
    ),
  },
} satisfies Partial<EvidenceOf<AssumptionId>>
