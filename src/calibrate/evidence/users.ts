import type { AssumptionId } from '../../assumptions/ids.js'
import { type Exchange, getText, isObject } from '../exchange.js'
import type { Traffic } from '../traffic.js'
import { accepts, type EvidenceOf, seen } from './rows.js'

const EMAIL = 'email_address'
const DOCUMENT = 'identity.identity_number'

/** An earlier request of the same file created a user with this value. */
const hasKnown = (field: string) => (x: Exchange, t: Traffic) => {
  const value = getText(x.body, field)?.toLowerCase()
  const known = value === undefined ? undefined : t.createdUsers(field).get(value)
  return known?.some((y) => y.source === x.source && y.n < x.n) === true
}

const hasKnownEmail = hasKnown(EMAIL)
const hasKnownDocument = hasKnown(DOCUMENT)

export const userEvidence = {
  'user.duplicate': {
    needs: 'createUser with the email address of a user created before, then with a new one',
    find: accepts(
      {
        operation: 'createUser',
        isOdd: hasKnownEmail,
        fields: [EMAIL],
        accepted: 'second',
        refused: 'refused',
      },
      {
        operation: 'createUser',
        isOdd: (x, t) => hasKnownDocument(x, t) && !hasKnownEmail(x, t),
        fields: [DOCUMENT],
        accepted: 'second',
        refused: 'refused',
      },
    ),
  },
  'user.paused': {
    needs: 'listUsers while a user is paused, with that user in the facts',
    find: (t, say) => {
      const { paused } = t.facts.users ?? {}
      for (const { it, x } of t.users()) {
        if (it.status === 'paused') say('shown', 'paused', x)
        else if (it.id && it.id === paused)
          say(it.status === 'active' ? 'as_active' : [], `${it.status}, and paused by the facts`, x)
      }
    },
  },
  'user.rejection_reasons': {
    needs: 'listUsers while a user is rejected',
    find: seen(
      (t) => t.users(),
      ({ it }) => {
        const reason: unknown = it.rejection_reasons?.[0]
        return isObject(reason) ? Object.keys(reason).sort().join(', ') : undefined
      },
      {
        'developer_reason, reason, timestamp': 'reason',
        'created_at, customer_reason, internal_reason': 'customer_reason',
      },
    ),
  },
  'user.requirements': {
    needs: 'listUsers while a user is incomplete',
    find: seen(
      (t) => t.users(),
      ({ it }) => {
        const item: unknown = it.requirements?.[0]
        return isObject(item) ? Object.keys(item).sort().join(', ') : item ? typeof item : undefined
      },
      { string: 'names', 'field, reason': 'objects' },
    ),
  },
  'users.list': {
    needs: 'listUsers',
    find: seen(
      (t) => t.ok('listUsers').map((x) => ({ x: x as Exchange })),
      ({ x: { answer } }) => {
        if (Array.isArray(answer)) return 'an array'
        const isPaged = isObject(answer) && isObject(answer.pagination)
        return isPaged && Array.isArray(answer.users) ? 'a page' : 'another form'
      },
      { 'an array': 'array', 'a page': 'paged' },
    ),
  },
} satisfies Partial<EvidenceOf<AssumptionId>>
