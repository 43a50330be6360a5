import { type Assumption, reading, SILENT, STRICTER } from './assumption.js'

const operations = ['createUser']
/** A new user is under review, so only the list shows later statuses. */
const listed = ['listUsers']

export const userAssumptions = {
  'user.duplicate': {
    question: 'What happens when an email address or an identity document is used again?',
    operations,
    readings: [
      reading('refused', '400, whatever the status of the other user and the case of the address'),
      reading('second', 'a second user is created'),
    ],
    basis: STRICTER,
    risk: 'medium',
    consequence: 'a retry after a timeout creates the same person twice',
  },
  'user.paused': {
    question: 'How does list users show the status paused, which the enumeration lacks?',
    operations: listed,
    readings: [reading('shown', 'as paused'), reading('as_active', 'as active')],
    basis: 'User status: the description names it, the enumerated values do not.',
    risk: 'medium',
    consequence: 'a client takes a paused user for active, and its payouts are refused',
  },
  'user.rejection_reasons': {
    question: 'How are the fields of a rejection reason named?',
    operations: listed,
    readings: [
      reading('reason', 'reason, timestamp, developer_reason'),
      reading('customer_reason', 'customer_reason, created_at, internal_reason'),
    ],
    basis:
      'Resources, User: a customer-facing reason, a timestamp and an internal developer reason.',
    risk: 'medium',
    consequence: 'a client finds no reason under the name that it reads',
  },
  'user.requirements': {
    question: 'What are the items of requirements?',
    operations: listed,
    readings: [
      reading('names', 'strings that name the missing fields'),
      reading('objects', 'objects of field and reason'),
    ],
    basis: SILENT,
    risk: 'medium',
    consequence: 'a client shows objects where it expects names of fields',
  },
  'users.list': {
    question: 'Is the list of users paged?',
    operations: listed,
    readings: [
      reading('array', 'no: a bare array of all users'),
      reading(
        'paged',
        'yes: an object of users and pagination, with page and size as in the audits',
      ),
    ],
    basis: 'Endpoints, 6: the path ends in /all, and no query parameter is shown.',
    risk: 'medium',
    consequence: 'a client fails on the list, or sees its first page only',
  },
} as const satisfies Record<string, Assumption>
