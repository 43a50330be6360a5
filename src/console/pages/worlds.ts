import { toIso } from '../../kernel/time.js'
import type { WorldHandle } from '../../runtime/world-registry.js'
import { activeNames } from '../../scenarios/evaluate/compiled-rules.js'
import { HAPPY_PATH, MAGIC_VALUES } from '../../scenarios/language/catalogue.js'
import { Chips } from '../components/chips.js'
import { Empty } from '../components/empty.js'
import { ActionForm, FoldedForm } from '../components/form.js'
import { Head } from '../components/head.js'
import { inPlace } from '../components/links.js'
import { Code } from '../components/status.js'
import { Table } from '../components/table.js'
import {
  deletionNote,
  describeProblems,
  type Problem,
  worldsSentence,
} from '../control-sentences.js'
import { addressWith, enumParam, pageParam, param } from '../filters.js'
import { escapeBidi, formatCount, formatDuration, pluralize } from '../format.js'
import { nameOfWorld } from '../layout.js'
import { type DrawPage, type PageContext, worldPath } from '../page-context.js'
import { findProblems } from '../world-findings.js'
import { Pager, TextFilter } from './list-page.js'

/** More than most test runs have, so that their problems are on one page. */
const WORLDS = 100

interface Row {
  readonly handle: WorldHandle
  readonly problems: readonly Problem[]
  readonly failed: ReadonlyMap<number, number>
}

const toRow = ({ sandbox }: PageContext, handle: WorldHandle): Row => ({
  handle,
  problems: describeProblems(findProblems(sandbox, handle.live)),
  failed: handle.live.requests.countFailed(),
})

const hasProblem = ({ problems }: Row) => problems.length > 0
const hasFailed = ({ failed }: Row) => failed.size > 0
const isEmpty = ({ handle: { live } }: Row) => live.requests.count === 0

/** Broken money first, then unfinished records, then failed requests. */
const rank = ({ problems: [first], failed }: Row): number =>
  first?.kind === 'bad' ? 0 : first ? 1 : failed.size > 0 ? 2 : 3

export const worldsPage: DrawPage = async (ctx) => {
  const { sandbox, scope } = ctx
  const status = enumParam(ctx, 'status', ['problems', 'failed', 'empty'])
  const page = pageParam(ctx)
  const text = param(ctx, 'text')?.toLowerCase()
  const { records, total } = await sandbox.worlds.loadPage({
    page,
    size: WORLDS,
    text,
    tenants: scope.tenants,
  })
  await Promise.all(records.map(({ live }) => live.requests.update()))
  const rows = records.map((it) => toRow(ctx, it)).sort((a, b) => rank(a) - rank(b))
  const filters = { problems: hasProblem, failed: hasFailed, empty: isEmpty }
  const listed = status ? rows.filter(filters[status]) : rows
  const shown = status ? listed : listed.filter((it) => rank(it) < 3)
  const rest = listed.filter((it) => !shown.includes(it))
  const troubled = rows.filter(hasProblem).map(({ problems }) => problems)
  const opened = records.find(({ live }) => live.id === param(ctx, 'open'))
  return {
    title: 'Worlds',
    body: (
      <>
        <Head ctx={ctx} title="Worlds" sentence={worldsSentence(total, troubled)}>
          <FoldedForm
            ctx={ctx}
            operation="createWorld"
            summary="New world…"
            submit="Create"
            fields={['name']}
          />
          <FoldedForm
            ctx={ctx}
            operation="deleteWorlds"
            summary="Delete several…"
            submit="Delete them"
            kind="danger"
            fields={['name', 'idle']}
            note={`Of the ${pluralize(total, 'world')}, those by key that fit both go for good.`}
          />
        </Head>
        <search class="row">
          <TextFilter ctx={ctx} label="Filter worlds" hint="name, id, last four of the key" />
          <Chips
            ctx={ctx}
            parameter="status"
            label="Worlds"
            chips={[
              { text: 'All', count: total },
              { value: 'problems', text: 'With a problem', count: troubled.length },
              {
                value: 'failed',
                text: 'With failed requests',
                count: rows.filter(hasFailed).length,
              },
              { value: 'empty', text: 'Without requests', count: rows.filter(isEmpty).length },
            ]}
          />
        </search>
        {opened ? <Opened ctx={ctx} handle={opened} /> : null}
        {listed.length === 0 ? <Empty>No world matches.</Empty> : null}
        <form action="/worlds/compare" class="flow">
          {ctx.worldId === undefined ? null : (
            <input type="hidden" name="world" value={ctx.worldId} />
          )}
          {shown.length > 0 ? <List ctx={ctx} rows={shown} label="Worlds" /> : null}
          {rest.length > 0 ? (
            <details open={shown.length === 0 || text !== undefined}>
              <summary>{pluralize(rest.length, 'world')} without a problem</summary>
              <List ctx={ctx} rows={rest} label="Worlds without a problem" />
            </details>
          ) : null}
          <Pager ctx={ctx} hasMore={(page + 1) * WORLDS < total}>
            Problems first, then the most recently used.
          </Pager>
          <p class="tray row">
            <span>Tick two worlds to see where they part.</span>
            <button type="submit" class="main">
              Compare
            </button>
          </p>
        </form>
      </>
    ),
  }
}

const List = ({ ctx, rows, label }: { ctx: PageContext; rows: readonly Row[]; label: string }) => (
  <Table
    label={label}
    isList
    rows={rows}
    columns={[
      {
        name: 'World, named by its test',
        cell: ({ handle, problems }) => (
          <>
            <input
              type="checkbox"
              name="a"
              value={handle.live.id}
              aria-label={`Choose ${nameOfWorld({ handle })}`}
            />{' '}
            <a
              class="open-row"
              href={worldPath(handle.key && handle.live.id, '/')}
              title={handle.live.id}
            >
              <bdi>{nameOfWorld({ handle })}</bdi>
            </a>
            {problems.map(({ kind, word, text }) => (
              <div class="note">
                <span class={`chip ${kind}`}>{word}</span> {escapeBidi(text)}
              </div>
            ))}
          </>
        ),
      },
      {
        name: 'Failed requests',
        kind: 'number',
        cell: ({ failed }) =>
          [...failed]
            .sort(([a], [b]) => a - b)
            .map(([status, count]) => (
              <>
                <Code status={status || null} /> {count}{' '}
              </>
            )),
      },
      {
        name: 'Scenarios',
        kind: 'minor',
        cell: ({ handle }) =>
          activeNames(handle.live.world.tables)
            .filter((it) => it !== HAPPY_PATH && it !== MAGIC_VALUES)
            .join(', '),
      },
      {
        name: 'Requests',
        kind: 'minor number',
        cell: ({ handle }) => formatCount(handle.live.requests.count),
      },
      {
        name: 'Last used',
        kind: 'minor number',
        cell: ({ handle: { used_at } }) => (
          <time datetime={toIso(used_at)} title={toIso(used_at)}>
            {formatDuration(Math.max(ctx.sandbox.machineTime() - used_at, 0))} ago
          </time>
        ),
      },
      {
        name: 'Change',
        kind: 'minor',
        cell: ({ handle }) => (
          <a {...inPlace(addressWith(ctx, { open: handle.live.id }))}>
            Change… <span class="unseen">{nameOfWorld({ handle })}</span>
          </a>
        ),
      },
    ]}
  />
)

const Opened = ({ ctx, handle }: { ctx: PageContext; handle: WorldHandle }) => {
  const { live, key } = handle
  const { payouts, transfers } = live.world.tables
  const given = { id: live.id }
  const name = nameOfWorld({ handle })
  const counts = {
    payouts: payouts.size,
    transfers: transfers.size,
    requests: live.requests.size,
  }
  return (
    <section class="card" id="opened">
      <header class="row">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        <a href={worldPath(key && live.id, '/control#time')}>Its time and snapshots</a>
        <a href={addressWith(ctx, { open: undefined })}>Close</a>
      </header>
      {key ? (
        <>
          <ActionForm
            ctx={ctx}
            operation="renameWorld"
            given={given}
            fields={[{ name: 'name', value: name }]}
            submit="Rename"
            kind="quiet"
          />
          <FoldedForm
            ctx={ctx}
            operation="deleteWorld"
            given={given}
            fields={[]}
            summary="Delete…"
            submit="Delete it"
            kind="danger"
            note={deletionNote(counts)}
          />
        </>
      ) : (
        <p class="note">The world without a key cannot be renamed or deleted.</p>
      )}
    </section>
  )
}
