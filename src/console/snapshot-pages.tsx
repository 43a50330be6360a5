import { findSnapshot } from '../http/snapshots.js'
import type { Snapshot } from '../journal/snapshots.js'
import { isoTime } from '../world/kernel/time.js'
import { capitalized } from './capitalized.js'
import { confirmPage } from './confirm.js'
import { DataTable } from './parts.js'
import { readable, Time } from './time.js'
import type { Page, View } from './view.js'

type Params = Readonly<Record<string, string>>

/** What a world holds now, and what it held then. */
const Comparison = ({ view, snapshot }: { view: View; snapshot: Snapshot }) => {
  const { tables, now } = view.world
  const { world: then } = snapshot
  return (
    <DataTable label="Now and then" columns={['', 'Now', `Snapshot ${snapshot.name}`]}>
      <tr>
        <th scope="row">Time</th>
        <td>
          <Time view={view} at={isoTime(now)} whole />
        </td>
        <td>{readable(isoTime(then.now))}</td>
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

export const restoreSnapshotPage = (view: View, { name = '' }: Params): Page => {
  const snapshot = findSnapshot(view.line, name)
  return confirmPage(view, {
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
        <Comparison view={view} snapshot={snapshot} />
      </>
    ),
  })
}

export const deleteSnapshotPage = (view: View, { name = '' }: Params): Page => {
  const snapshot = findSnapshot(view.line, name)
  return confirmPage(view, {
    title: `Delete snapshot ${name}?`,
    action: `/console/snapshots/${name}/delete`,
    verb: 'Delete for good',
    back: '/snapshots',
    children: (
      <>
        <p>The snapshot is forgotten and cannot be brought back. The world stays as it is.</p>
        <Comparison view={view} snapshot={snapshot} />
      </>
    ),
  })
}
