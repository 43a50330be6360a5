import * as z from 'zod'
import { text } from '../../contract/fields.js'
import { isExpired, KEY_TRANSITIONS } from '../../domain/api-keys.js'
import { type ApiKey, KEY_PERMISSIONS, KEY_STATUSES } from '../../domain/schema.js'
import { badRequest } from '../../http/api-error.js'
import { MAX_INSTANT, parseDuration, toIso } from '../../kernel/time.js'
import { drawSecret, hashSecret, lastFour } from '../../lib/secrets.js'
import { quote } from '../../lib/text.js'
import { ALL } from '../../usecases/selection.js'
import { type Action, checked } from '../actions.js'
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
          name="expires"
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
  const turnsAt = isExpired(key, ctx.world.now) ? undefined : Date.parse(key.expires_at)
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
            <input name="expires" placeholder="now, never, 30d…" required autocomplete="off" />
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

const EXPIRY = 'never, now, a duration such as 30d, or a date-time with its zone'
/** A key that is made has to open something. */
const LATER =
  'never, a duration such as 30d, or a date-time with its zone, later than the world’s now'

/** When a key expires, from what somebody typed; null is never. */
const parseExpiry = (ctx: PageContext, typed: string, isNew = false): string | null => {
  const given = typed.trim()
  if (given === 'never') return null
  const at = parseInstant(ctx, given)
  const earliest = isNew ? ctx.world.now + 1 : Number.NEGATIVE_INFINITY
  if (at !== undefined && at >= earliest && at <= MAX_INSTANT) return toIso(at)
  throw badRequest(`expires: ${quote(given, 64)} came; accepted: ${isNew ? LATER : EXPIRY}`)
}

const parseInstant = ({ world }: PageContext, given: string): number | undefined => {
  const ms = given === 'now' ? 0 : parseDuration(given)
  return ms === undefined ? instantIn(given) : world.now + ms
}

const instantIn = (given: string): number | undefined =>
  z.iso.datetime({ offset: true }).safeParse(given).success ? Date.parse(given) : undefined

const creation = z.object({
  name: text(100),
  permissions: z.enum(KEY_PERMISSIONS).default('full'),
  expires: text().optional(),
})

const create: Action = {
  path: '/console/api-keys',
  operation: 'createApiKey',
  act: ({ ctx, fields, cause }) => {
    const { name, permissions, expires = 'never' } = checked(creation, fields)
    const expires_at = parseExpiry(ctx, expires, true)
    const secret = drawSecret()
    const kept = { hash: hashSecret(secret), last_four: lastFour(secret) }
    ctx.world.run('api_key.create', { name, permissions, expires_at, ...kept }, cause)
    return { to: ctx.href('/api-keys'), made: <Secret of={name} secret={secret} kept="secret" /> }
  },
}

const change = z.object({ status: z.enum(KEY_STATUSES).optional(), expires: text().optional() })

const set: Action = {
  path: '/console/api-keys/:id',
  operation: 'setApiKey',
  act: ({ ctx, params: { id = '' }, fields, cause }) => {
    const { status, expires } = checked(change, fields)
    const expires_at = expires === undefined ? {} : { expires_at: parseExpiry(ctx, expires) }
    const key = ctx.world.run(
      'api_key.set',
      { id, ...(status && { status }), ...expires_at },
      cause,
    )
    return expires === undefined
      ? `${key.name} is ${key.status} now.`
      : `${key.name} expires ${key.expires_at ? formatTime(key.expires_at) : 'never'}.`
  },
}

export const apiKeyActions: readonly Action[] = [create, set]
