import { MAX_SNAPSHOTS } from '../../history/snapshots.js'
import { illegalTransition } from '../../kernel/refusal.js'
import { toIso } from '../../kernel/time.js'
import { previewUndo } from '../../runtime/undo.js'
import { type Action, formAction } from '../actions.js'
import { Empty } from '../components/empty.js'
import { ActionButton, ActionForm, Field } from '../components/form.js'
import { LiveRegion, Panel } from '../components/panel.js'
import { DataTable } from '../components/table.js'
import { Time } from '../components/time.js'
import { snapshotExample } from '../examples.js'
import { formatCount, formatTime } from '../format.js'
import type { Page, PageContext } from '../page-context.js'
import { NewIdsHint, WhatIsUndone } from './undo.js'
import { NewWorld } from './worlds.js'

export const snapshotsPage = (ctx: PageContext): Page => ({
  title: 'Snapshots',
  body: (
    <>
      <h1>Snapshots</h1>
      {ctx.flash}
      <Panel title="Take a snapshot">
        <ActionForm ctx={ctx} action="/console/snapshots" label="Take a snapshot">
          <Field label="Name">
            <input
              name="name"
              placeholder="payout-ready"
              pattern="[a-z0-9\-]{1,64}"
              title="a-z, 0-9 and -"
              required
              autocomplete="off"
            />
          </Field>
          <label class="check">
            <input type="checkbox" name="replace" value="true" /> Replace an existing one
          </label>
          <button type="submit" class="main">
            Take
          </button>
        </ActionForm>
      </Panel>
      <LiveRegion id="list">
        <SnapshotTable ctx={ctx} />
      </LiveRegion>
      <LiveRegion id="undo">
        <UndoPanel ctx={ctx} />
      </LiveRegion>
      <Panel title="Reset">
        <p>
          Restores the fixtures, exactly as at start. <NewIdsHint ctx={ctx} />
          <a href={ctx.href('/reset')}>Reset…</a>
        </p>
      </Panel>
    </>
  ),
})

const SnapshotTable = ({ ctx }: { ctx: PageContext }) => {
  const snapshots = ctx.live.snapshots().reverse()
  if (snapshots.length === 0) {
    return (
      <Empty command={snapshotExample(ctx)}>
        This world has no snapshot. A snapshot stores its records, time, timers and randomness. Take
        one from a test:
      </Empty>
    )
  }
  return (
    <DataTable
      label="Snapshots, newest first"
      rows={snapshots}
      columns={[
        { name: 'Name', isRowHeader: true, cell: ({ name }) => name },
        {
          name: 'World time',
          cell: ({ seq, world }) => (
            <Time
              ctx={ctx}
              at={toIso(world.now)}
              machine_ms={ctx.live.journal.machineTimeOf(seq)}
              whole
            />
          ),
        },
        { name: 'Entry', kind: 'number minor', cell: ({ seq }) => `#${seq}` },
        {
          name: 'Transfers',
          kind: 'number minor',
          cell: ({ world }) => formatCount(world.tables.transfers.size),
        },
        {
          name: 'Payouts',
          kind: 'number minor',
          cell: ({ world }) => formatCount(world.tables.payouts.size),
        },
        { name: 'Actions', cell: ({ name }) => <SnapshotActions ctx={ctx} name={name} /> },
      ]}
    />
  )
}

const SnapshotActions = ({ ctx, name }: { ctx: PageContext; name: string }) => (
  <div class="moves">
    <a href={ctx.href(`/snapshots/${name}/restore`)}>
      Restore… <span class="unseen">{name}</span>
    </a>
    <ActionButton ctx={ctx} action={`/console/snapshots/${name}/fork`}>
      Fork <span class="unseen">{name}</span>
    </ActionButton>
    <a href={ctx.href(`/snapshots/${name}/delete`)}>
      Delete… <span class="unseen">{name}</span>
    </a>
  </div>
)

const UndoPanel = ({ ctx }: { ctx: PageContext }) => {
  const undoable = previewUndo(ctx.live)
  return (
    <Panel title="Undo">
      {undoable ? (
        <>
          <p>
            An undo reverts the last change and everything that followed from it.{' '}
            <a href={ctx.href('/undo')}>Undo…</a>
          </p>
          <WhatIsUndone ctx={ctx} undoable={undoable} />
        </>
      ) : (
        <p class="quiet">Nothing to undo.</p>
      )}
    </Panel>
  )
}

const take: Action = {
  path: '/console/snapshots',
  operation: 'takeSnapshot',
  act: async ({ ctx, fields: { replace, ...fields }, run }) => {
    const { name = '' } = fields
    if (ctx.live.snapshot(name) && !replace) {
      throw illegalTransition(`the snapshot ${name} exists; tick “Replace an existing one”`)
    }
    await run({ body: fields })
    return `Snapshot ${name} taken. A world holds at most ${MAX_SNAPSHOTS}.`
  },
}

const restore = formAction<{ now: string }>({
  path: '/console/snapshots/:name/restore',
  operation: 'restoreSnapshot',
  conclude: ({ ctx, params: { name } }, { now }) => ({
    to: ctx.href('/snapshots'),
    message: `Restored ${name}. The world time is ${formatTime(now)}.`,
  }),
})

const fork = formAction<{ id: string; key: string }>({
  path: '/console/snapshots/:name/fork',
  operation: 'forkSnapshot',
  conclude: ({ ctx, params: { name } }, { id, key }) => ({
    to: ctx.href('/snapshots'),
    shownOnce: (
      <>
        <p>The new world has the state of {name}.</p>
        <NewWorld ctx={ctx} id={id} secret={key} />
      </>
    ),
  }),
})

const remove = formAction({
  path: '/console/snapshots/:name/delete',
  operation: 'deleteSnapshot',
  conclude: ({ ctx, params: { name } }) => ({
    to: ctx.href('/snapshots'),
    message: `${name} is deleted.`,
  }),
})

export const snapshotActions: readonly Action[] = [take, restore, fork, remove]
