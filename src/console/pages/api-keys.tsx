import { isExpired, KEY_TRANSITIONS } from '../../domain/api-keys.js'
import type { ApiKey } from '../../domain/schema.js'
import { toIso } from '../../kernel/time.js'
import { hashSecret } from '../../lib/secrets.js'
import { ActionButton, type Field, FoldedForm } from '../components/form.js'
import { Time } from '../components/links.js'
import { Status } from '../components/status.js'
import type { DrawPage, PageContext } from '../page-context.js'
import { listPage } from './list-page.js'

/** The keys of the shipped fixtures. They are public, so the page shows them in full. */
const PUBLIC_KEYS = [
  'SandrampFullAccessKey00000000001',
  'SandrampReadOnlyKey0000000000001',
  'SandrampExpiredKey00000000000001',
  'SandrampSuspendedKey000000000001',
  'SandrampDeactivatedKey0000000001',
]

export const apiKeysPage: DrawPage = (ctx) => {
  const { api_keys } = ctx.tables
  const secrets = new Map(PUBLIC_KEYS.map((it) => [hashSecret(it), it]))
  return listPage<ApiKey>(ctx, {
    title: 'API keys',
    noun: 'key',
    sentence: ['A client sends its key as the header x-api-key. A click copies one.'],
    actions: (
      <FoldedForm
        ctx={ctx}
        operation="createApiKey"
        summary="Create a key…"
        submit="Create"
        fields={['name', 'permissions', expiryField(ctx, '')]}
      />
    ),
    chips: [],
    records: api_keys.list('all', ''),
    total: api_keys.size,
    filter: 'name, last four characters',
    texts: ({ name, last_four, id }) => [name, last_four, id],
    columns: [
      {
        name: 'Name',
        cell: ({ name }) => (
          <b>
            <bdi>{name}</bdi>
          </b>
        ),
      },
      {
        name: 'Status',
        cell: (key) => (
          <Status
            status={
              key.status === 'active' && isExpired(key, ctx.world.now) ? 'expired' : key.status
            }
          />
        ),
      },
      { name: 'Key', kind: 'reason', cell: (key) => <Secret apiKey={key} secrets={secrets} /> },
      {
        name: 'May',
        kind: 'minor',
        cell: ({ permissions }) => (permissions === 'full' ? 'read and write' : 'read'),
      },
      {
        name: 'Expires',
        kind: 'minor',
        cell: ({ expires_at }) =>
          expires_at === null ? 'never' : <Time ctx={ctx} at={expires_at} />,
      },
      { name: 'Change', cell: (key) => <Changes ctx={ctx} apiKey={key} /> },
    ],
    empty: { text: 'No key. Create one to call the service.' },
  })
}

const Secret = ({
  apiKey: { hash, last_four },
  secrets,
}: {
  apiKey: ApiKey
  secrets: ReadonlyMap<string, string>
}) => {
  const secret = secrets.get(hash)
  return secret ? <code data-copy={secret}>{secret}</code> : <code>…{last_four}</code>
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

const VERBS = { active: 'Activate', suspended: 'Suspend', deactivated: 'Deactivate' }

const Changes = ({ ctx, apiKey: { id, status } }: { ctx: PageContext; apiKey: ApiKey }) => {
  const set = { ctx, operation: 'setApiKey' } as const
  const moves = KEY_TRANSITIONS[status]
  if (moves.length === 0) return <span class="note">final</span>
  return (
    <div class="row">
      {moves
        .filter((to) => to !== 'deactivated')
        .map((to) => (
          <ActionButton {...set} given={{ id, status: to }}>
            {VERBS[to]}
          </ActionButton>
        ))}
      <FoldedForm
        {...set}
        given={{ id }}
        summary="Expiry…"
        submit="Set"
        fields={[expiryField(ctx, 'null')]}
      />
      <FoldedForm
        {...set}
        given={{ id, status: 'deactivated' }}
        summary="Deactivate…"
        submit="Deactivate"
        kind="danger"
        fields={[]}
        note="A deactivated key stays so."
      />
    </div>
  )
}
