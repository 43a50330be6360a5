import { isExpired, KEY_TRANSITIONS } from '../../domain/api-keys.js'
import type { ApiKey } from '../../domain/schema.js'
import { toIso } from '../../kernel/time.js'
import { hashSecret } from '../../lib/secrets.js'
import { drawButton, drawFolded, type Field } from '../components/form.js'
import { type Html, html } from '../components/html.js'
import { drawStatus, drawTime } from '../components/text.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { listPage } from './list-page.js'

/** The keys of the shipped fixtures, by hash. They are public, so the page shows them in full. */
const PUBLIC_KEYS: ReadonlyMap<string, string> = new Map(
  [
    'SandrampFullAccessKey00000000001',
    'SandrampReadOnlyKey0000000000001',
    'SandrampExpiredKey00000000000001',
    'SandrampSuspendedKey000000000001',
    'SandrampDeactivatedKey0000000001',
  ].map((it) => [hashSecret(it), it]),
)

export const apiKeysPage: DrawPage = (ctx) => {
  const { api_keys } = ctx.tables
  return listPage<ApiKey>(ctx, {
    title: 'API keys',
    noun: 'key',
    sentence: ['A client sends its key as the header x-api-key. A click copies one.'],
    actions: drawFolded(ctx, {
      operation: 'createApiKey',
      summary: 'Create a key…',
      submit: 'Create',
      fields: ['name', 'permissions', expiryField(ctx, '')],
    }),
    chips: [],
    records: api_keys.list('all', ''),
    total: api_keys.size,
    filter: 'name, last four characters',
    texts: ({ name, last_four, id }) => [name, last_four, id],
    columns: [
      { name: 'Name', cell: ({ name }) => html`<b><bdi>${name}</bdi></b>` },
      { name: 'Status', cell: (key) => drawStatus(statusAt(key, ctx.world.now)) },
      { name: 'Key', kind: 'reason', cell: drawSecret },
      {
        name: 'May',
        kind: 'minor',
        cell: ({ permissions }) => (permissions === 'full' ? 'read and write' : 'read'),
      },
      {
        name: 'Expires',
        kind: 'minor',
        cell: ({ expires_at }) => (expires_at === null ? 'never' : drawTime(ctx, expires_at)),
      },
      { name: 'Change', cell: (key) => drawChanges(ctx, key) },
    ],
    empty: { text: 'No key. Create one to call the service.' },
  })
}

const statusAt = (key: ApiKey, now: number): string =>
  key.status === 'active' && isExpired(key, now) ? 'expired' : key.status

const drawSecret = ({ hash, last_four }: ApiKey): Html => {
  const secret = PUBLIC_KEYS.get(hash)
  return secret
    ? html`<code data-copy="${secret}">${secret}</code>`
    : html`<code>…${last_four}</code>`
}

const DAY_MS = 86_400_000

/** `never` is the value of a key that does not expire. */
const expiryField = ({ world: { now } }: PageContext, never: '' | 'null'): Field => ({
  name: 'expires_at',
  label: 'Expires',
  options: [
    [never, 'never'],
    [toIso(now), 'now'],
    [toIso(now + DAY_MS), 'in a day'],
    [toIso(now + 30 * DAY_MS), 'in 30 days'],
  ],
})

const drawChanges = (ctx: PageContext, { id, status }: ApiKey): Html => {
  const moves = KEY_TRANSITIONS[status]
  if (moves.length === 0) return html`<span class="note">final</span>`
  const operation = 'setApiKey'
  const buttons = moves
    .filter((to) => to !== 'deactivated')
    .map((to) => {
      const verb = to === 'active' ? 'Activate' : 'Suspend'
      return drawButton(ctx, { operation, given: { id, status: to } }, verb)
    })
  const expiry = drawFolded(ctx, {
    operation,
    given: { id },
    summary: 'Expiry…',
    submit: 'Set',
    fields: [expiryField(ctx, 'null')],
  })
  const deactivation = drawFolded(ctx, {
    operation,
    given: { id, status: 'deactivated' },
    summary: 'Deactivate…',
    submit: 'Deactivate',
    kind: 'danger',
    fields: [],
    note: 'A deactivated key stays so.',
  })
  return html`<div class="row">${buttons}${expiry}${deactivation}</div>`
}
