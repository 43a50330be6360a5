import * as z from 'zod'
import { MAX_SNAPSHOTS, type Snapshot } from '../../journal/snapshots.js'
import { illegalTransition } from '../../kernel/refusal.js'
import { toIso } from '../../kernel/time.js'
import { drawWorldKey, hashKey } from '../../lib/secrets.js'
import { findSnapshot, keepSnapshot, snapshotName } from '../../usecases/snapshots.js'
import { type Action, checked } from '../actions.js'
import { DataTable, Empty, LiveRegion, Panel } from '../components/components.js'
import { ActionButton, ActionForm, Field } from '../components/form.js'
import { readable, Time } from '../components/time.js'
import { controlCurl } from '../curl.js'
import type { Page, PageContext } from '../page-context.js'
import { undoPreview } from '../undo-preview.js'
import { WhatIsUndone } from './undo.js'
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
              placeholder="before-payout"
              pattern="[a-z0-9\-]{1,64}"
              title="a-z, 0-9 and -"
              required
              autocomplete="off"
            />
          </Field>
          <label class="check">
            <input type="checkbox" name="replace" value="true" /> Replace one of that name
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
          Back to the fixtures, exactly as at boot. <a href={ctx.href('/reset')}>Reset…</a>
        </p>
      </Panel>
    </>
  ),
})

const SnapshotTable = ({ ctx }: { ctx: PageContext }) => {
  const snapshots = ctx.live.snapshots().reverse()
  if (snapshots.length === 0) {
    return (
      <Empty command={controlCurl(ctx, '/snapshots', { name: 'before-payout' })}>
        This world has none yet. A snapshot keeps its records, its time, its timers and its dice; a
        test takes one by:
      </Empty>
    )
  }
  return (
    <DataTable
      label="Snapshots, the newest first"
      columns={[
        'Name',
        'Its time',
        { name: 'Entry', kind: 'number minor' },
        { name: 'Transfers', kind: 'number minor' },
        { name: 'Payouts', kind: 'number minor' },
        'Go there',
      ]}
    >
      {snapshots.map((it) => (
        <SnapshotRow ctx={ctx} snapshot={it} />
      ))}
    </DataTable>
  )
}

const SnapshotRow = ({ ctx, snapshot }: { ctx: PageContext; snapshot: Snapshot }) => {
  const { name, seq, world } = snapshot
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Time ctx={ctx} at={toIso(world.now)} made={ctx.live.journal.madeAt(seq)} whole />
      </td>
      <td class="number minor">#{seq}</td>
      <td class="number minor">{world.tables.transfers.size.toLocaleString('en')}</td>
      <td class="number minor">{world.tables.payouts.size.toLocaleString('en')}</td>
      <td>
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
      </td>
    </tr>
  )
}

const UndoPanel = ({ ctx }: { ctx: PageContext }) => {
  const undoable = undoPreview(ctx.live)
  return (
    <Panel title="Undo">
      {undoable ? (
        <>
          <p>
            An undo would take back what was done last, and all that followed from it.{' '}
            <a href={ctx.href('/undo')}>Undo…</a>
          </p>
          <WhatIsUndone ctx={ctx} undoable={undoable} />
        </>
      ) : (
        <p class="quiet">Nothing was done from outside that could be taken back.</p>
      )}
    </Panel>
  )
}

const taking = z.object({ name: snapshotName(), replace: z.literal('true').optional() })

const take: Action = {
  path: '/console/snapshots',
  operation: 'takeSnapshot',
  act: ({ ctx, fields, cause }) => {
    const { name, replace } = checked(taking, fields)
    if (ctx.live.snapshot(name) && !replace) {
      throw illegalTransition(
        `a snapshot is named ${name} already; tick “Replace one of that name”`,
      )
    }
    keepSnapshot(ctx.live, name, cause)
    return `${name} is taken. A world has room for ${MAX_SNAPSHOTS}.`
  },
}

const restore: Action = {
  path: '/console/snapshots/:name/restore',
  operation: 'restoreSnapshot',
  act: ({ ctx, params: { name = '' }, cause }) => {
    const { live, sandbox } = ctx
    const { now } = sandbox.restore(live, findSnapshot(live, name), cause)
    const told = `The world is as ${name} kept it: it is ${readable(toIso(now))}.`
    return { to: ctx.href('/snapshots'), told }
  },
}

const fork: Action = {
  path: '/console/snapshots/:name/fork',
  operation: 'forkSnapshot',
  act: ({ ctx, params: { name = '' }, cause }) => {
    const found = findSnapshot(ctx.live, name)
    const key = drawWorldKey()
    const handle = ctx.sandbox.fork(ctx.live, found, hashKey(key), cause)
    const made = (
      <>
        <p>The fork stands where {name} stood, and goes its own way from there.</p>
        <NewWorld ctx={ctx} handle={handle} secret={key} />
      </>
    )
    return { to: ctx.href('/snapshots'), made }
  },
}

const remove: Action = {
  path: '/console/snapshots/:name/delete',
  operation: 'deleteSnapshot',
  act: ({ ctx, params: { name = '' }, cause }) => {
    ctx.live.dropSnapshot(findSnapshot(ctx.live, name).name, cause)
    return { to: ctx.href('/snapshots'), told: `${name} is deleted.` }
  },
}

export const snapshotActions: readonly Action[] = [take, restore, fork, remove]
