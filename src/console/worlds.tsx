import { noWorld } from '../http/no-world.js'
import { drawWorldKey, isWorldKey, keptKey, WORLD_KEY_FORM } from '../secrets.js'
import { DEFAULT_WORLD } from '../timeline.js'
import { illegal } from '../world/kernel/refusal.js'
import { isoTime } from '../world/kernel/time.js'
import type { OpenWorld } from '../worlds.js'
import type { Action } from './actions.js'
import { addressIn } from './addresses.js'
import { confirmPage } from './confirm.js'
import { TextFilter } from './filters.js'
import { ActionForm } from './form.js'
import { Id } from './id.js'
import { Command, DataTable, Empty, Facts, Live, OnlyOthers, Pager, Panel } from './parts.js'
import { Secret } from './secret.js'
import { given, rowsAmong } from './selecting.js'
import { readable } from './time.js'
import { curlLine } from './try.js'
import type { Page, View } from './view.js'
import { worldName } from './world-picker.js'

/** Those that the page is filtered by: nobody sees more of a key than four characters. */
const worldsLike = (view: View): readonly OpenWorld[] => {
  const all = view.sandbox.worlds.list()
  const text = given(view, 'text')?.toLowerCase()
  if (text === undefined) return all
  return all.filter((it) => `${worldName(it)} ${it.line.id}`.toLowerCase().includes(text))
}

export const worldsPage = (view: View): Page => {
  const rows = rowsAmong(view, worldsLike(view))
  return {
    title: 'Worlds',
    body: (
      <>
        <h1>Worlds</h1>
        {view.made}
        <Panel title="A world of its own">
          <p>
            Any API key of the form {WORLD_KEY_FORM} opens a world with its first use: it begins as
            the default world does, and shares nothing with any other.
          </p>
          <ActionForm view={view} action="/console/worlds" label="Create a world">
            <button type="submit" class="main">
              Create a world
            </button>
          </ActionForm>
        </Panel>
        <TextFilter view={view} label="End of the key, or id" />
        <Live id="list" others>
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
              <WorldRow view={view} opened={it} />
            ))}
          </DataTable>
          {rows.records.length === 0 ? <OnlyOthers view={view} noun="world" /> : null}
          <Pager view={view} rows={rows} />
        </Live>
      </>
    ),
  }
}

const WorldRow = ({ view, opened }: { view: View; opened: OpenWorld }) => {
  const { line, key, used_at } = opened
  return (
    <tr>
      <th scope="row">
        <a href={addressIn(key && line.id, '/')}>{worldName(opened)}</a>{' '}
        {opened === view.opened ? <span class="badge plain">shown here</span> : null}
      </th>
      <td class="minor">
        <Id id={line.id} what="id of the world" />
      </td>
      <td>{readable(isoTime(line.now)).slice(0, 19)}</td>
      <td class="number minor">{line.world.seq.toLocaleString('en')}</td>
      <td class="minor" title="By the machine’s time">
        {readable(isoTime(used_at)).slice(0, 19)}
      </td>
      <td class="number minor">{line.snapshots().length}</td>
      <td>
        {key ? (
          <a href={view.to(`/worlds/${line.id}/delete`)}>
            Delete… <span class="unseen">{worldName(opened)}</span>
          </a>
        ) : null}
      </td>
    </tr>
  )
}

/** A world that has just been made, by its key, and what to do with it. */
export const NewWorld = ({
  view,
  opened,
  secret,
}: {
  view: View
  opened: OpenWorld
  secret: string
}) => (
  <>
    <Secret of={worldName(opened)} secret={secret} kept="key" />
    <p>
      <a href={addressIn(opened.line.id, '/')}>Show this world</a>, or use it:
    </p>
    <Command
      text={curlLine(view, '/onboarding/api/v1/users/all', ['-H', `x-api-key: ${secret}`])}
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

const worldOf = ({ sandbox: { worlds } }: View, id: string): OpenWorld => {
  const opened = worlds.find(id)
  if (!opened) throw noWorld('id', id)
  if (opened === worlds.main) {
    throw illegal(`${DEFAULT_WORLD} is always there; worlds by key can be deleted`)
  }
  return opened
}

export const deleteWorldPage = (
  view: View,
  { id = '' }: Readonly<Record<string, string>>,
): Page => {
  const opened = worldOf(view, id)
  const { line } = opened
  return confirmPage(view, {
    title: `Delete ${worldName(opened)}?`,
    action: `/console/worlds/${line.id}/delete`,
    verb: 'Delete for good',
    back: '/worlds',
    children: (
      <>
        <p>
          The world goes with all that is in it, and cannot be brought back. Keys that were made in
          it open nothing any more; its own key opens a new one.
        </p>
        <Facts
          facts={[
            ['Id', <Id id={line.id} what="id of the world" />],
            ['Transfers', line.world.tables.transfers.size.toLocaleString('en')],
            ['Payouts', line.world.tables.payouts.size.toLocaleString('en')],
            ['Requests in the log', line.requests.size.toLocaleString('en')],
            ['Snapshots', String(line.snapshots().length)],
            ['Open streams', String(line.streams)],
          ]}
        />
      </>
    ),
  })
}

const create: Action = {
  path: '/console/worlds',
  operation: 'createWorld',
  act: ({ view }) => {
    const key = drawWorldKey()
    const opened = view.sandbox.worlds.open(keptKey(key))
    return { to: view.to('/worlds'), made: <NewWorld view={view} opened={opened} secret={key} /> }
  },
}

const remove: Action = {
  path: '/console/worlds/:id/delete',
  operation: 'deleteWorld',
  act: ({ view, params: { id = '' } }) => {
    const opened = worldOf(view, id)
    view.sandbox.worlds.delete(opened, 'the world was deleted')
    const told = `${worldName(opened)} is deleted.`
    return { to: opened === view.opened ? '/worlds' : view.to('/worlds'), told }
  },
}

export const worldActions: readonly Action[] = [create, remove]
