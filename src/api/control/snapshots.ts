import * as z from 'zod'
import { created, ok, operation } from '../../http/operation/operation.js'
import { toIso } from '../../kernel/time.js'
import { drawWorldKey } from '../../lib/secrets.js'
import {
  BEFORE_RESTORE,
  MAX_SNAPSHOTS,
  type Snapshot,
  snapshotName,
} from '../../worlds/snapshots.js'
import { fields, NO_FIELDS } from './fields.js'
import { listSchema, pageQuery, toPage } from './lists.js'
import { showWorldTime, worldTime } from './world.js'
import { createdWorld, showWorld } from './worlds.js'

const namePath = z.object({
  name: snapshotName().meta({ description: 'Name', example: 'payout-ready' }),
})

const snapshot = z
  .object({
    name: z.string(),
    now: z.iso.datetime().meta({ description: 'The world’s time when it was taken' }),
    entry: z.int().meta({ description: 'Number of the journal entry that took it' }),
  })
  .meta({ id: 'Snapshot' })

const show = ({ name, seq, world }: Snapshot): z.input<typeof snapshot> => ({
  name,
  now: toIso(world.now),
  entry: seq,
})

export const listSnapshots = operation({
  id: 'listSnapshots',
  method: 'get',
  path: '/_sandbox/snapshots',
  tag: 'Snapshots',
  summary: 'List snapshots',
  description: 'The snapshots of this world, newest first.',
  query: pageQuery,
  answers: { 200: { description: 'One page', schema: listSchema(snapshot, 'SnapshotList') } },
  errors: ['4000'],
  handle: ({ live, query }) => ok(toPage(live.snapshots().reverse(), query, show)),
})

export const takeSnapshot = operation({
  id: 'takeSnapshot',
  method: 'post',
  path: '/_sandbox/snapshots',
  tag: 'Snapshots',
  summary: 'Take a snapshot',
  description:
    'Stores records, time and pending timers under a name. An existing snapshot of that name is ' +
    `replaced, with status 200. Snapshots survive resets; a world has at most ${MAX_SNAPSHOTS}. ` +
    'Names that begin with before- are reserved.',
  body: fields({ name: snapshotName().meta({ example: 'payout-ready' }) }),
  answers: {
    200: { description: 'The snapshot, in place of an earlier one', schema: snapshot },
    201: { description: 'The snapshot', schema: snapshot },
  },
  errors: ['4000', '4004', '4130', '4150'],
  handle: ({ live, body, cause }) => {
    const isKnown = live.rewind.snapshot(body.name) !== undefined
    const taken = show(live.rewind.takeSnapshot(body.name, cause))
    return isKnown ? ok(taken) : created(taken)
  },
})

export const deleteSnapshot = operation({
  id: 'deleteSnapshot',
  method: 'delete',
  path: '/_sandbox/snapshots/{name}',
  tag: 'Snapshots',
  summary: 'Delete a snapshot',
  description: 'Deletes a snapshot. The world does not change.',
  params: namePath,
  answers: { 200: { description: 'The snapshot that was', schema: snapshot } },
  errors: ['4000', '4040'],
  handle: ({ live, params, cause }) => {
    const found = live.rewind.findSnapshot(params.name)
    live.rewind.dropSnapshot(found.name, cause)
    return ok(show(found))
  },
})

export const restoreSnapshot = operation({
  id: 'restoreSnapshot',
  method: 'post',
  path: '/_sandbox/snapshots/{name}/restore',
  tag: 'Snapshots',
  summary: 'Restore a snapshot',
  description:
    'Returns to a snapshot, as often as you like. The clock returns to its time and mode, and the ' +
    'same calls create the same ids. Journal numbers and the request log continue. It first takes ' +
    `the snapshot ${BEFORE_RESTORE}, so \`POST /_sandbox/undo\` takes it back.`,
  params: namePath,
  answers: { 200: { description: 'The world after it', schema: worldTime } },
  ...NO_FIELDS,
  errors: ['4040'],
  handle: ({ live, params, cause }) => {
    return ok(showWorldTime(live.rewind.restore(live.rewind.findSnapshot(params.name), cause)))
  },
})

export const forkSnapshot = operation({
  id: 'forkSnapshot',
  method: 'post',
  path: '/_sandbox/snapshots/{name}/fork',
  tag: 'Snapshots',
  summary: 'Fork a snapshot',
  description:
    'Opens a new world from a snapshot. Only this response contains its key. A reset of the new ' +
    'world restores the fixtures.',
  params: namePath,
  answers: { 201: { description: 'The new world and its key', schema: createdWorld } },
  spansWorlds: true,
  ...NO_FIELDS,
  errors: ['4040'],
  handle: async ({ sandbox, live, scope, params, cause, once }) => {
    await sandbox.flushed(live)
    const found = live.rewind.findSnapshot(params.name)
    const key = once(() => drawWorldKey(scope.prefix))
    const fork = sandbox.fork(live, found, sandbox.worlds.keys.hashDrawn(key, scope), cause)
    const shown = showWorld(fork)
    await sandbox.flushed(fork)
    return created({ ...shown, key })
  },
})
