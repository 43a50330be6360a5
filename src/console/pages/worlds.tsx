import { illegalTransition } from '../../kernel/refusal.js'
import { toIso } from '../../kernel/time.js'
import {
  DEFAULT_WORLD,
  drawWorldKey,
  hashKey,
  isWorldKey,
  WORLD_KEY_FORM,
} from '../../lib/secrets.js'
import type { WorldHandle } from '../../runtime/world-registry.js'
import { worldNotFound } from '../../usecases/world-not-found.js'
import type { Action } from '../actions.js'
import { addressIn } from '../addresses.js'
import {
  Command,
  DataTable,
  DescriptionList,
  Empty,
  LiveRegion,
  Pager,
  Panel,
  ShowAll,
} from '../components/components.js'
import { confirmPage } from '../components/confirm.js'
import { TextFilter } from '../components/filters.js'
import { ActionForm } from '../components/form.js'
import { Id } from '../components/id.js'
import { Secret } from '../components/secret.js'
import { readable } from '../components/time.js'
import { worldName } from '../components/world-picker.js'
import { formatCurl } from '../curl.js'
import { pageOfArray, param } from '../list-query.js'
import type { Page, PageContext } from '../page-context.js'

/** Those that the page is filtered by: nobody sees more of a key than four characters. */
const worldsLike = (ctx: PageContext): readonly WorldHandle[] => {
  const all = ctx.sandbox.worlds.list()
  const text = param(ctx, 'text')?.toLowerCase()
  if (text === undefined) return all
  return all.filter((it) => `${worldName(it)} ${it.live.id}`.toLowerCase().includes(text))
}

export const worldsPage = (ctx: PageContext): Page => {
  const rows = pageOfArray(ctx, worldsLike(ctx))
  return {
    title: 'Worlds',
    body: (
      <>
        <h1>Worlds</h1>
        {ctx.flash}
        <Panel title="A world of its own">
          <p>
            Any API key of the form {WORLD_KEY_FORM} opens a world with its first use: it begins as
            the default world does, and shares nothing with any other.
          </p>
          <ActionForm ctx={ctx} action="/console/worlds" label="Create a world">
            <button type="submit" class="main">
              Create a world
            </button>
          </ActionForm>
        </Panel>
        <TextFilter ctx={ctx} label="End of the key, or id" />
        <LiveRegion id="list" others>
          <DataTable
            label="Worlds, the one used last first"
            columns={[
              'World',
              { name: 'Id', kind: 'minor' },
              'Its time',
              { name: 'Entries', kind: 'number minor' },
              { name: 'Used last', kind: 'minor' },
              { name: 'Snapshots', kind: 'number minor' },
              '',
            ]}
          >
            {rows.records.map((it) => (
              <WorldRow ctx={ctx} handle={it} />
            ))}
          </DataTable>
          {rows.records.length === 0 ? <ShowAll ctx={ctx} noun="world" /> : null}
          <Pager ctx={ctx} rows={rows} />
        </LiveRegion>
      </>
    ),
  }
}

const WorldRow = ({ ctx, handle }: { ctx: PageContext; handle: WorldHandle }) => {
  const { live, key, used_at } = handle
  return (
    <tr>
      <th scope="row">
        <a href={addressIn(key && live.id, '/')}>{worldName(handle)}</a>{' '}
        {handle === ctx.handle ? <span class="badge plain">shown here</span> : null}
      </th>
      <td class="minor">
        <Id id={live.id} what="id of the world" />
      </td>
      <td>{readable(toIso(live.now)).slice(0, 19)}</td>
      <td class="number minor">{live.world.seq.toLocaleString('en')}</td>
      <td class="minor" title="By the machine’s time">
        {readable(toIso(used_at)).slice(0, 19)}
      </td>
      <td class="number minor">{live.snapshots().length}</td>
      <td>
        {key ? (
          <a href={ctx.href(`/worlds/${live.id}/delete`)}>
            Delete… <span class="unseen">{worldName(handle)}</span>
          </a>
        ) : null}
      </td>
    </tr>
  )
}

/** A world that has just been made, by its key, and what to do with it. */
export const NewWorld = ({
  ctx,
  handle,
  secret,
}: {
  ctx: PageContext
  handle: WorldHandle
  secret: string
}) => (
  <>
    <Secret of={worldName(handle)} secret={secret} kept="key" />
    <p>
      <a href={addressIn(handle.live.id, '/')}>Show this world</a>, or use it:
    </p>
    <Command
      text={formatCurl(ctx, '/onboarding/api/v1/users/all', ['-H', `x-api-key: ${secret}`])}
      what="curl command"
    />
  </>
)

/** What an address names that leads to no world any more, and the ways on. */
export const missingWorldPage = (id: string): Page => ({
  title: 'No such world',
  status: 404,
  body: (
    <>
      <h1>This world is not here</h1>
      <Empty>
        {isWorldKey(id) ? (
          'The address names a world by its key; accepted: its id, which the list of all worlds tells. '
        ) : (
          <>
            No world has the id <code>{id.slice(0, 64)}</code>. It was deleted, it had to make room
            for others, or the sandbox was started anew. The next use of its key opens it.{' '}
          </>
        )}
        <a href="/">To the default world</a>, or to <a href="/worlds">all worlds</a>
      </Empty>
    </>
  ),
})

const findWorld = ({ sandbox: { worlds } }: PageContext, id: string): WorldHandle => {
  const handle = worlds.find(id)
  if (!handle) throw worldNotFound('id', id)
  if (handle === worlds.main) {
    throw illegalTransition(`${DEFAULT_WORLD} is always there; worlds by key can be deleted`)
  }
  return handle
}

export const deleteWorldPage = (
  ctx: PageContext,
  { id = '' }: Readonly<Record<string, string>>,
): Page => {
  const handle = findWorld(ctx, id)
  const { live } = handle
  return confirmPage(ctx, {
    title: `Delete ${worldName(handle)}?`,
    action: `/console/worlds/${live.id}/delete`,
    verb: 'Delete for good',
    back: '/worlds',
    children: (
      <>
        <p>
          The world goes with all that is in it, and cannot be brought back. Keys that were made in
          it open nothing any more; its own key opens a new one.
        </p>
        <DescriptionList
          facts={[
            ['Id', <Id id={live.id} what="id of the world" />],
            ['Transfers', live.world.tables.transfers.size.toLocaleString('en')],
            ['Payouts', live.world.tables.payouts.size.toLocaleString('en')],
            ['Requests in the log', live.requests.size.toLocaleString('en')],
            ['Snapshots', String(live.snapshots().length)],
            ['Open streams', String(live.streams)],
          ]}
        />
      </>
    ),
  })
}

const create: Action = {
  path: '/console/worlds',
  operation: 'createWorld',
  act: ({ ctx }) => {
    const key = drawWorldKey()
    const handle = ctx.sandbox.worlds.open(hashKey(key))
    return { to: ctx.href('/worlds'), made: <NewWorld ctx={ctx} handle={handle} secret={key} /> }
  },
}

const remove: Action = {
  path: '/console/worlds/:id/delete',
  operation: 'deleteWorld',
  act: ({ ctx, params: { id = '' } }) => {
    const handle = findWorld(ctx, id)
    ctx.sandbox.worlds.delete(handle, 'the world was deleted')
    const told = `${worldName(handle)} is deleted.`
    return { to: handle === ctx.handle ? '/worlds' : ctx.href('/worlds'), told }
  },
}

export const worldActions: readonly Action[] = [create, remove]
