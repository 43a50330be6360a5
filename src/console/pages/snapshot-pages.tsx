import type { Snapshot } from '../../journal/snapshots.js'
import { toIso } from '../../kernel/time.js'
import { findSnapshot } from '../../usecases/snapshots.js'
import { capitalized } from '../capitalized.js'
import { DataTable } from '../components/components.js'
import { confirmPage } from '../components/confirm.js'
import { readable, Time } from '../components/time.js'
import type { Page, PageContext } from '../page-context.js'

type Params = Readonly<Record<string, string>>

/** What a world holds now, and what it held then. */
const Comparison = ({ ctx, snapshot }: { ctx: PageContext; snapshot: Snapshot }) => {
  const { tables, now } = ctx.world
  const { world: then } = snapshot
  return (
    <DataTable label="Now and then" columns={['', 'Now', `Snapshot ${snapshot.name}`]}>
      <tr>
        <th scope="row">Time</th>
        <td>
          <Time ctx={ctx} at={toIso(now)} whole />
        </td>
        <td>{readable(toIso(then.now))}</td>
      </tr>
      {(['users', 'transfers', 'payouts', 'deposits', 'timers'] as const).map((noun) => (
        <tr>
          <th scope="row">{capitalized(noun)}</th>
          <td>{tables[noun].size.toLocaleString('en')}</td>
          <td>{then.tables[noun].size.toLocaleString('en')}</td>
        </tr>
      ))}
    </DataTable>
  )
}

export const restoreSnapshotPage = (ctx: PageContext, { name = '' }: Params): Page => {
  const snapshot = findSnapshot(ctx.live, name)
  return confirmPage(ctx, {
    title: `Restore ${name}?`,
    action: `/console/snapshots/${name}/restore`,
    verb: 'Restore',
    back: '/snapshots',
    children: (
      <>
        <p>
          What has happened since is gone: the world stands where the snapshot stood, its clock too.
          The request log stays, and an undo takes the restore back.
        </p>
        <Comparison ctx={ctx} snapshot={snapshot} />
      </>
    ),
  })
}

export const deleteSnapshotPage = (ctx: PageContext, { name = '' }: Params): Page => {
  const snapshot = findSnapshot(ctx.live, name)
  return confirmPage(ctx, {
    title: `Delete snapshot ${name}?`,
    action: `/console/snapshots/${name}/delete`,
    verb: 'Delete for good',
    back: '/snapshots',
    children: (
      <>
        <p>The snapshot is forgotten and cannot be brought back. The world stays as it is.</p>
        <Comparison ctx={ctx} snapshot={snapshot} />
      </>
    ),
  })
}
