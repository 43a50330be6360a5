import { isExpired, KEY_TRANSITIONS } from '../../domain/api-keys.js'
import { type ApiKey, KEY_PERMISSIONS } from '../../domain/schema.js'
import { ALL } from '../../domain/selection.js'
import type { World } from '../../domain/world.js'
import { MAX_INSTANT, parseDuration, parseInstant, toIso } from '../../kernel/time.js'
import { type Action, formAction } from '../actions.js'
import { StatusBadge } from '../components/badge.js'
import { ActionButton, ActionForm, Field, Select } from '../components/form.js'
import { Panel } from '../components/panel.js'
import { Secret } from '../components/secret.js'
import { Time } from '../components/time.js'
import { formatTime } from '../format.js'
import { listPage } from '../list-page.js'
import { pageOf } from '../list-query.js'
import type { Page, PageContext } from '../page-context.js'

export const apiKeysPage = (ctx: PageContext): Page =>
  listPage(ctx, {
    title: 'API keys',
    intro: <CreateForm ctx={ctx} />,
    rows: pageOf(ctx, ctx.tables.api_keys, ALL),
    noun: 'key',
    kind: 'stacked',
    columns: [
      { name: 'Name', isRowHeader: true, cell: ({ name }) => name },
      {
        name: 'Status',
        cell: (key) => (
          <>
            <StatusBadge status={key.status} />{' '}
            {isExpired(key, ctx.world.now) ? <StatusBadge status="expired" /> : null}
          </>
        ),
      },
      { name: 'Permissions', cell: ({ permissions }) => permissions },
      { name: 'Ends in', kind: 'minor', cell: ({ last_four }) => <code>…{last_four}</code> },
      { name: 'Expires', kind: 'minor', cell: (key) => <Expiry ctx={ctx} apiKey={key} /> },
      { name: 'Created', kind: 'minor', cell: (key) => <Time ctx={ctx} at={key.created_at} /> },
      { name: 'Change', cell: (key) => <Changes ctx={ctx} apiKey={key} /> },
    ],
    empty: { text: 'No key. Create one to call the service.' },
  })

const CreateForm = ({ ctx }: { ctx: PageContext }) => (
  <Panel title="Create a key">
    <ActionForm ctx={ctx} action="/console/api-keys" label="Create a key">
      <Field label="Name">
        <input
          name="name"
          placeholder="Nightly tests"
          maxlength={100}
          required
          autocomplete="off"
        />
      </Field>
      <Field label="Permissions">
        <Select name="permissions" values={KEY_PERMISSIONS} />
      </Field>
      <Field label="Expires">
        <input
          name="expires_at"
          placeholder="never, 30d, or a date-time"
          autocomplete="off"
          size={26}
        />
      </Field>
      <button type="submit" class="main">
        Create
      </button>
    </ActionForm>
  </Panel>
)

const Expiry = ({ ctx, apiKey: key }: { ctx: PageContext; apiKey: ApiKey }) => {
  if (key.expires_at === null) return <>never</>
  const turnsAt = isExpired(key, ctx.world.now) ? undefined : parseInstant(key.expires_at)
  return (
    <span data-turns={turnsAt}>
      <Time ctx={ctx} at={key.expires_at} whole />
    </span>
  )
}

const VERBS = { active: 'Activate', suspended: 'Suspend', deactivated: 'Deactivate' }

const Changes = ({ ctx, apiKey: key }: { ctx: PageContext; apiKey: ApiKey }) => {
  const moves = KEY_TRANSITIONS[key.status]
  if (moves.length === 0) return <span class="quiet">final</span>
  const action = `/console/api-keys/${key.id}`
  return (
    <div class="moves">
      {moves
        .filter((status) => status !== 'deactivated')
        .map((status) => (
          <ActionButton ctx={ctx} action={action} fields={{ status }}>
            {VERBS[status]} <span class="unseen">{key.name}</span>
          </ActionButton>
        ))}
      <details>
        <summary>
          More… <span class="unseen">for {key.name}</span>
        </summary>
        <ActionForm ctx={ctx} action={action} label={`Expiry of ${key.name}`}>
          <Field label="Expires">
            <input name="expires_at" placeholder="now, never, 30d…" required autocomplete="off" />
          </Field>
          <button type="submit">Set</button>
        </ActionForm>
        <ActionButton ctx={ctx} action={action} fields={{ status: 'deactivated' }} kind="bad">
          Deactivate <span class="unseen">{key.name}</span> permanently
        </ActionButton>
      </details>
    </div>
  )
}

/** `now` and durations become instants; `never` becomes null. The operation rejects other text. */
const toExpiry = ({ now }: World, text: string): string | null => {
  const typed = text.trim()
  if (typed === 'never') return null
  const ms = typed === 'now' ? 0 : parseDuration(typed)
  return ms === undefined || now + ms > MAX_INSTANT ? typed : toIso(now + ms)
}

const create = formAction<{ name: string; secret: string }>({
  path: '/console/api-keys',
  operation: 'createApiKey',
  toInput: ({ ctx, fields: { expires_at = 'never', ...rest } }) => {
    const expiry = toExpiry(ctx.world, expires_at)
    return { body: { ...rest, ...(expiry !== null && { expires_at: expiry }) } }
  },
  conclude: ({ ctx }, { name, secret }) => ({
    to: ctx.href('/api-keys'),
    shownOnce: <Secret of={name} secret={secret} kept="secret" />,
  }),
})

const set = formAction<{ name: string; status: string; expires_at: string | null }>({
  path: '/console/api-keys/:id',
  operation: 'setApiKey',
  toInput: ({ ctx, fields: { expires_at, ...rest } }) => ({
    body:
      expires_at === undefined ? rest : { ...rest, expires_at: toExpiry(ctx.world, expires_at) },
  }),
  conclude: ({ fields }, { name, status, expires_at }) =>
    fields.expires_at === undefined
      ? `${name} is ${status} now.`
      : `${name} expires ${expires_at ? formatTime(expires_at) : 'never'}.`,
})

export const apiKeyActions: readonly Action[] = [create, set]
