import * as z from 'zod'
import { text } from '../contract/fields.js'
import { ALL } from '../http/selection.js'
import { invalid } from '../http/wire-error.js'
import { drawSecret, hashSecret, lastFour } from '../secrets.js'
import {
  type ApiKey,
  isExpired,
  KEY_PERMISSIONS,
  KEY_STATUSES,
  keyMoves,
} from '../world/api-keys.js'
import { isoTime, LAST_INSTANT, parseDuration } from '../world/kernel/time.js'
import { inQuotes } from '../world/shortened.js'
import { type Action, checked } from './actions.js'
import { StatusBadge } from './badge.js'
import { ActionButton, ActionForm, Field, Select } from './form.js'
import { DataTable, Empty, Live, Pager, Panel } from './parts.js'
import { Secret } from './secret.js'
import { rowsOf } from './selecting.js'
import { readable, Time } from './time.js'
import type { Page, View } from './view.js'

export const apiKeysPage = (view: View): Page => {
  const rows = rowsOf(view, view.tables.api_keys, ALL)
  return {
    title: 'API keys',
    body: (
      <>
        <h1>API keys</h1>
        {view.made}
        <CreateForm view={view} />
        <Live id="list">
          {rows.records.length === 0 ? (
            <Empty>No key is left: nothing opens the service. Create one.</Empty>
          ) : (
            <DataTable
              label="API keys"
              kind="stacked"
              columns={[
                'Name',
                'Status',
                'Permissions',
                { name: 'Ends in', kind: 'minor' },
                { name: 'Expires', kind: 'minor' },
                { name: 'Created', kind: 'minor' },
                'Change',
              ]}
            >
              {rows.records.map((key) => (
                <KeyRow view={view} apiKey={key} />
              ))}
            </DataTable>
          )}
          <Pager view={view} rows={rows} />
        </Live>
      </>
    ),
  }
}

const CreateForm = ({ view }: { view: View }) => (
  <Panel title="Create a key">
    <ActionForm view={view} action="/console/api-keys" label="Create a key">
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

const KeyRow = ({ view, apiKey: key }: { view: View; apiKey: ApiKey }) => {
  const expired = isExpired(key, view.world.now)
  return (
    <tr>
      <th scope="row">{key.name}</th>
      <td>
        <StatusBadge status={key.status} /> {expired ? <StatusBadge status="expired" /> : null}
      </td>
      <td>{key.permissions}</td>
      <td class="minor">
        <code>…{key.last_four}</code>
      </td>
      <td class="minor">
        {key.expires_at ? (
          <span data-turns={expired ? undefined : Date.parse(key.expires_at)}>
            <Time view={view} at={key.expires_at} whole />
          </span>
        ) : (
          'never'
        )}
      </td>
      <td class="minor">
        <Time view={view} at={key.created_at} />
      </td>
      <td>
        <Changes view={view} apiKey={key} />
      </td>
    </tr>
  )
}

const VERBS = { active: 'Activate', suspended: 'Suspend', deactivated: 'Deactivate' }

const Changes = ({ view, apiKey: key }: { view: View; apiKey: ApiKey }) => {
  const moves = keyMoves[key.status]
  if (moves.length === 0) return <span class="quiet">for good</span>
  const action = `/console/api-keys/${key.id}`
  return (
    <div class="moves">
      {moves
        .filter((status) => status !== 'deactivated')
        .map((status) => (
          <ActionButton view={view} action={action} fields={{ status }}>
            {VERBS[status]} <span class="unseen">{key.name}</span>
          </ActionButton>
        ))}
      <details>
        <summary>
          More… <span class="unseen">for {key.name}</span>
        </summary>
        <ActionForm view={view} action={action} label={`Expiry of ${key.name}`}>
          <Field label="Expires">
            <input name="expires" placeholder="now, never, 30d…" required autocomplete="off" />
          </Field>
          <button type="submit">Set</button>
        </ActionForm>
        <ActionButton view={view} action={action} fields={{ status: 'deactivated' }} kind="bad">
          Deactivate <span class="unseen">{key.name}</span> for good
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
const expiryOf = (view: View, typed: string, isNew = false): string | null => {
  const given = typed.trim()
  if (given === 'never') return null
  const at = instantOf(view, given)
  const earliest = isNew ? view.world.now + 1 : Number.NEGATIVE_INFINITY
  if (at !== undefined && at >= earliest && at <= LAST_INSTANT) return isoTime(at)
  throw invalid(`expires: ${inQuotes(given, 64)} came; accepted: ${isNew ? LATER : EXPIRY}`)
}

const instantOf = ({ world }: View, given: string): number | undefined => {
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
  act: ({ view, fields, cause }) => {
    const { name, permissions, expires = 'never' } = checked(creation, fields)
    const expires_at = expiryOf(view, expires, true)
    const secret = drawSecret()
    const kept = { hash: hashSecret(secret), last_four: lastFour(secret) }
    view.world.run('api_key.create', { name, permissions, expires_at, ...kept }, cause)
    return { to: view.to('/api-keys'), made: <Secret of={name} secret={secret} kept="secret" /> }
  },
}

const change = z.object({ status: z.enum(KEY_STATUSES).optional(), expires: text().optional() })

const set: Action = {
  path: '/console/api-keys/:id',
  operation: 'setApiKey',
  act: ({ view, params: { id = '' }, fields, cause }) => {
    const { status, expires } = checked(change, fields)
    const expires_at = expires === undefined ? {} : { expires_at: expiryOf(view, expires) }
    const key = view.world.run(
      'api_key.set',
      { id, ...(status && { status }), ...expires_at },
      cause,
    )
    return expires === undefined
      ? `${key.name} is ${key.status} now.`
      : `${key.name} expires ${key.expires_at ? readable(key.expires_at) : 'never'}.`
  },
}

export const apiKeyActions: readonly Action[] = [create, set]
