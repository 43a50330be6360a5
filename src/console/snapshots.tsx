import * as z from 'zod'
import { findSnapshot, keepSnapshot, snapshotName } from '../http/snapshots.js'
import { MOST_SNAPSHOTS, type Snapshot } from '../journal/snapshots.js'
import { drawWorldKey, keptKey } from '../secrets.js'
import { illegal } from '../world/kernel/refusal.js'
import { isoTime } from '../world/kernel/time.js'
import { type Action, checked } from './actions.js'
import { ActionButton, ActionForm, Field } from './form.js'
import { DataTable, Empty, Live, Panel } from './parts.js'
import { readable, Time } from './time.js'
import { controlCurl } from './try.js'
import { WhatIsUndone } from './undo.js'
import { undoableOf } from './undone.js'
import type { Page, View } from './view.js'
import { NewWorld } from './worlds.js'

export const snapshotsPage = (view: View): Page => ({
  title: 'Snapshots',
  body: (
    <>
      <h1>Snapshots</h1>
      {view.made}
      <Panel title="Take a snapshot">
        <ActionForm view={view} action="/console/snapshots" label="Take a snapshot">
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
      <Live id="list">
        <SnapshotTable view={view} />
      </Live>
      <Live id="undo">
        <UndoPanel view={view} />
      </Live>
      <Panel title="Reset">
        <p>
          Back to the fixtures, exactly as at boot. <a href={view.to('/reset')}>Reset…</a>
        </p>
      </Panel>
    </>
  ),
})

const SnapshotTable = ({ view }: { view: View }) => {
  const snapshots = view.line.snapshots().reverse()
  if (snapshots.length === 0) {
    return (
      <Empty command={controlCurl(view, '/snapshots', { name: 'before-payout' })}>
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
        <SnapshotRow view={view} snapshot={it} />
      ))}
    </DataTable>
  )
}

const SnapshotRow = ({ view, snapshot }: { view: View; snapshot: Snapshot }) => {
  const { name, seq, world } = snapshot
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Time view={view} at={isoTime(world.now)} made={view.line.journal.madeAt(seq)} whole />
      </td>
      <td class="number minor">#{seq}</td>
      <td class="number minor">{world.tables.transfers.size.toLocaleString('en')}</td>
      <td class="number minor">{world.tables.payouts.size.toLocaleString('en')}</td>
      <td>
        <div class="moves">
          <a href={view.to(`/snapshots/${name}/restore`)}>
            Restore… <span class="unseen">{name}</span>
          </a>
          <ActionButton view={view} action={`/console/snapshots/${name}/fork`}>
            Fork <span class="unseen">{name}</span>
          </ActionButton>
          <a href={view.to(`/snapshots/${name}/delete`)}>
            Delete… <span class="unseen">{name}</span>
          </a>
        </div>
      </td>
    </tr>
  )
}

const UndoPanel = ({ view }: { view: View }) => {
  const undoable = undoableOf(view.line)
  return (
    <Panel title="Undo">
      {undoable ? (
        <>
          <p>
            An undo would take back what was done last, and all that followed from it.{' '}
            <a href={view.to('/undo')}>Undo…</a>
          </p>
          <WhatIsUndone view={view} undoable={undoable} />
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
  act: ({ view, fields, cause }) => {
    const { name, replace } = checked(taking, fields)
    if (view.line.snapshot(name) && !replace) {
      throw illegal(`a snapshot is named ${name} already; tick “Replace one of that name”`)
    }
    keepSnapshot(view.line, name, cause)
    return `${name} is taken. A world has room for ${MOST_SNAPSHOTS}.`
  },
}

const restore: Action = {
  path: '/console/snapshots/:name/restore',
  operation: 'restoreSnapshot',
  act: ({ view, params: { name = '' }, cause }) => {
    const { line, sandbox } = view
    const { now } = sandbox.restore(line, findSnapshot(line, name), cause)
    const told = `The world is as ${name} kept it: it is ${readable(isoTime(now))}.`
    return { to: view.to('/snapshots'), told }
  },
}

const fork: Action = {
  path: '/console/snapshots/:name/fork',
  operation: 'forkSnapshot',
  act: ({ view, params: { name = '' }, cause }) => {
    const found = findSnapshot(view.line, name)
    const key = drawWorldKey()
    const opened = view.sandbox.fork(view.line, found, keptKey(key), cause)
    const made = (
      <>
        <p>The fork stands where {name} stood, and goes its own way from there.</p>
        <NewWorld view={view} opened={opened} secret={key} />
      </>
    )
    return { to: view.to('/snapshots'), made }
  },
}

const remove: Action = {
  path: '/console/snapshots/:name/delete',
  operation: 'deleteSnapshot',
  act: ({ view, params: { name = '' }, cause }) => {
    view.line.dropSnapshot(findSnapshot(view.line, name).name, cause)
    return { to: view.to('/snapshots'), told: `${name} is deleted.` }
  },
}

export const snapshotActions: readonly Action[] = [take, restore, fork, remove]
