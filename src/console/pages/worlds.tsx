import { worldNotFound } from '../../http/pipeline/authenticate.js'
import { illegalTransition } from '../../kernel/refusal.js'
import { toIso } from '../../kernel/time.js'
import { DEFAULT_WORLD, isWorldKey, lastFour, WORLD_KEY_FORM } from '../../lib/secrets.js'
import type { WorldHandle } from '../../runtime/world-registry.js'
import { type Action, formAction } from '../actions.js'
import { Command } from '../components/command.js'
import { confirmPage } from '../components/confirm.js'
import { Empty } from '../components/empty.js'
import { TextFilter } from '../components/filters.js'
import { ActionForm } from '../components/form.js'
import { Id } from '../components/id.js'
import { DescriptionList, Panel } from '../components/panel.js'
import { Secret } from '../components/secret.js'
import { worldName } from '../components/world-picker.js'
import { formatCurl } from '../curl.js'
import { formatCount, formatTime } from '../format.js'
import { listPage } from '../list-page.js'
import { pageOfStored, param } from '../list-query.js'
import { type DrawPage, type Page, type PageContext, worldPath } from '../page-context.js'

export const worldsPage: DrawPage = async (ctx) => {
  const text = param(ctx, 'text')?.toLowerCase()
  const { sandbox, scope } = ctx
  const { tenants } = scope
  const rows = await pageOfStored(ctx, (page) =>
    sandbox.worlds.loadPage({ ...page, text, tenants }),
  )
  return listPage(ctx, {
    title: 'Worlds',
    intro: (
      <Panel title="Create a world">
        <p>
          The first use of an API key{' '}
          {tenants ? 'with your prefix' : `of the form ${WORLD_KEY_FORM}`} creates a world. It
          starts from the fixtures and shares nothing with other worlds.
        </p>
        <ActionForm ctx={ctx} action="/console/worlds" label="Create a world">
          <button type="submit" class="main">
            Create a world
          </button>
        </ActionForm>
      </Panel>
    ),
    filters: <TextFilter ctx={ctx} label="End of the key, or id" />,
    showsOtherWorlds: true,
    rows,
    noun: 'world',
    columns: [
      {
        name: 'World',
        isRowHeader: true,
        cell: (handle) => (
          <>
            <a href={worldPath(handle.key && handle.live.id, '/')}>{worldName(handle)}</a>{' '}
            {handle === ctx.handle ? <span class="badge plain">shown here</span> : null}
          </>
        ),
      },
      {
        name: 'Id',
        kind: 'minor',
        cell: ({ live }) => <Id id={live.id} what="id of the world" />,
      },
      { name: 'World time', cell: ({ live }) => formatSeconds(live.now) },
      {
        name: 'Entries',
        kind: 'number minor',
        cell: ({ live }) => formatCount(live.world.seq),
      },
      {
        name: 'Last used',
        kind: 'minor',
        cell: ({ used_at }) => <span title="Machine time">{formatSeconds(used_at)}</span>,
      },
      {
        name: 'Snapshots',
        kind: 'number minor',
        cell: ({ live }) => live.snapshots().length,
      },
      {
        name: '',
        cell: (handle) =>
          handle.key ? (
            <a href={ctx.href(`/worlds/${handle.live.id}/delete`)}>
              Delete… <span class="unseen">{worldName(handle)}</span>
            </a>
          ) : null,
      },
    ],
    empty: { text: 'No world.' },
  })
}

const formatSeconds = (instant: number): string => formatTime(toIso(instant)).slice(0, 19)

export const NewWorld = ({ ctx, id, secret }: { ctx: PageContext; id: string; secret: string }) => (
  <>
    <Secret of={`world …${lastFour(secret)}`} secret={secret} kept="key" />
    <p>
      <a href={worldPath(id, '/')}>Show this world</a>, or use it:
    </p>
    <Command
      text={formatCurl(ctx, '/onboarding/api/v1/users/all', ['-H', `x-api-key: ${secret}`])}
      what="curl command"
    />
  </>
)

/** For an address with the id of a deleted or evicted world. */
export const missingWorldPage = ({ hasWorld }: PageContext, id: string): Page => ({
  title: 'World not found',
  status: 404,
  body: (
    <>
      <h1>World not found</h1>
      <Empty>
        {isWorldKey(id) ? (
          'The address contains a key. Use the id of the world from the list of worlds. '
        ) : (
          <>
            No world has the id <code>{id.slice(0, 64)}</code>. It was deleted or evicted, or the
            sandbox was restarted. The next use of its key creates it again.{' '}
          </>
        )}
        {hasWorld ? <a href="/">Default world</a> : null}
        {hasWorld ? ' · ' : null}
        <a href="/worlds">All worlds</a>
      </Empty>
    </>
  ),
})

const findWorld = ({ sandbox: { worlds }, scope }: PageContext, id: string): WorldHandle => {
  const handle = worlds.findIn(scope, id)
  if (!handle) throw worldNotFound('id', id)
  if (handle === worlds.main) {
    throw illegalTransition(`${DEFAULT_WORLD} cannot be deleted; worlds by key can`)
  }
  return handle
}

export const deleteWorldPage: DrawPage = async (ctx, { id = '' }) => {
  await ctx.sandbox.worlds.load(id)
  const handle = findWorld(ctx, id)
  const { live } = handle
  await live.requests.update()
  return confirmPage(ctx, {
    title: `Delete ${worldName(handle)}?`,
    action: `/console/worlds/${live.id}/delete`,
    verb: 'Delete',
    back: '/worlds',
    children: (
      <>
        <p>
          The world is deleted with everything in it and cannot be restored. API keys created in it
          stop working. Its own key creates a new world.
        </p>
        <DescriptionList
          facts={[
            ['Id', <Id id={live.id} what="id of the world" />],
            ['Transfers', formatCount(live.world.tables.transfers.size)],
            ['Payouts', formatCount(live.world.tables.payouts.size)],
            ['Requests in the log', formatCount(live.requests.size)],
            ['Snapshots', String(live.snapshots().length)],
            ['Open streams', String(live.streams)],
          ]}
        />
      </>
    ),
  })
}

const create = formAction<{ id: string; key: string }>({
  path: '/console/worlds',
  operation: 'createWorld',
  conclude: ({ ctx }, { id, key }) => ({
    to: ctx.href('/worlds'),
    shownOnce: <NewWorld ctx={ctx} id={id} secret={key} />,
  }),
})

const remove = formAction<{ id: string; last_four: string }>({
  path: '/console/worlds/:id/delete',
  operation: 'deleteWorld',
  conclude: ({ ctx }, { id, last_four }) => ({
    to: id === ctx.worldId ? '/worlds' : ctx.href('/worlds'),
    message: `world …${last_four} is deleted.`,
  }),
})

export const worldActions: readonly Action[] = [create, remove]
