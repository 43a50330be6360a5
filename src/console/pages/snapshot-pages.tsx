import type { Snapshot } from '../../history/snapshots.js'
import { toIso } from '../../kernel/time.js'
import { confirmPage } from '../components/confirm.js'
import { DataTable } from '../components/table.js'
import { Time } from '../components/time.js'
import { capitalize, formatCount, formatTime } from '../format.js'
import type { DrawPage, PageContext } from '../page-context.js'

const Comparison = ({ ctx, snapshot }: { ctx: PageContext; snapshot: Snapshot }) => {
  const { tables, now } = ctx.world
  const { world: then } = snapshot
  const time = {
    name: 'Time',
    now: <Time ctx={ctx} at={toIso(now)} whole />,
    then: formatTime(toIso(then.now)),
  }
  const counts = (['users', 'transfers', 'payouts', 'deposits', 'timers'] as const).map((noun) => ({
    name: capitalize(noun),
    now: formatCount(tables[noun].size),
    then: formatCount(then.tables[noun].size),
  }))
  return (
    <DataTable
      label="Now and then"
      rows={[time, ...counts]}
      columns={[
        { name: '', isRowHeader: true, cell: (row) => row.name },
        { name: 'Now', cell: (row) => row.now },
        { name: `Snapshot ${snapshot.name}`, cell: (row) => row.then },
      ]}
    />
  )
}

export const restoreSnapshotPage: DrawPage = (ctx, { name = '' }) => {
  const snapshot = ctx.live.findSnapshot(name)
  return confirmPage(ctx, {
    title: `Restore ${name}?`,
    action: `/console/snapshots/${name}/restore`,
    verb: 'Restore',
    back: '/snapshots',
    children: (
      <>
        <p>
          The world goes back to the snapshot, including its clock. The request log stays. An undo
          reverts the restore.
        </p>
        <Comparison ctx={ctx} snapshot={snapshot} />
      </>
    ),
  })
}

export const deleteSnapshotPage: DrawPage = (ctx, { name = '' }) => {
  const snapshot = ctx.live.findSnapshot(name)
  return confirmPage(ctx, {
    title: `Delete snapshot ${name}?`,
    action: `/console/snapshots/${name}/delete`,
    verb: 'Delete',
    back: '/snapshots',
    children: (
      <>
        <p>The snapshot is deleted permanently. The world does not change.</p>
        <Comparison ctx={ctx} snapshot={snapshot} />
      </>
    ),
  })
}
