import type { MachineClock } from './clock.js'
import type { Pace, StartTime } from './pace.js'
import type { Catalogue } from './scenarios/catalogue.js'
import { reactWith } from './scenarios/react.js'
import type { KeptKey } from './secrets.js'
import type { FixtureSet } from './world/fixtures.js'
import type { Cause, Change, Entry } from './world/kernel/entry.js'
import type { Row } from './world/kernel/table.js'
import { isoTime } from './world/kernel/time.js'
import type { Choices } from './world/readings.js'
import { createWorld, type Recorder, tableNames, type World } from './world/world.js'

/** What all worlds of a sandbox are made from. */
export interface GroundParts {
  readonly fixtures: FixtureSet
  readonly catalogue: Catalogue
  /** How every world reads what the contract leaves open, until it chooses otherwise. */
  readonly readings: Choices
  readonly pace: Pace
  /** Where the time of a world begins whose clock is not real. */
  readonly start: StartTime
  readonly machineClock: MachineClock
}

/** A world that all others lie upon and that never changes, and the entries that made it. */
export interface Ground extends GroundParts {
  readonly base: World
  readonly beginning: readonly Entry[]
}

/** What is a world's own from its first moment on. */
export interface Opening {
  readonly seed: string
  /** A full-access key, of which the world knows no more than this. */
  readonly key?: KeptKey & { readonly name: string }
  /** Whether its own key is all that opens it. */
  readonly keyless?: true
  /** Whether it was there before and was forgotten. */
  readonly again?: true
}

export const BOOT: Cause = { kind: 'boot' }

/** Loads the fixtures, once for all worlds. */
export const layGround = (parts: GroundParts): Ground => {
  const beginning: Entry[] = []
  const base = createWorld({
    seed: 'fixtures',
    now: parts.fixtures.now,
    react: () => undefined,
    record: (entry) => beginning.push(entry),
  })
  base.run('fixtures.load', parts.fixtures, { kind: 'fixtures' })
  base.run('scenarios.activate', { names: parts.catalogue.start }, BOOT)
  for (const [id, reading] of Object.entries(parts.readings)) {
    base.run('reading.choose', { id, reading }, BOOT)
  }
  return { ...parts, base, beginning }
}

/** The fixtures of worlds that were kept, with the scenarios and readings of this start. */
export const groundFrom = (parts: GroundParts, base: World): Ground => {
  const { tables, now } = base
  const names = parts.catalogue.start
  const played = tables.playlist.get('active')
  if (!isSame(played?.names, names)) {
    tables.playlist.write('active', played, { id: 'active', n: 1, names })
  }
  for (const choice of tables.readings.all()) tables.readings.write(choice.id, choice, undefined)
  Object.entries(parts.readings).forEach(([id, reading], i) => {
    tables.readings.write(id, undefined, { id, n: i + 1, reading })
  })
  return { ...parts, fixtures: { ...parts.fixtures, now }, base, beginning: beginningOf(base) }
}

const isSame = (some: readonly string[] | undefined, others: readonly string[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others)

/**
 * The entries that stand for those that once made it. What goes on from it is numbered from its `seq` on, so
 * they are the last up to there: there were more where readings were chosen when the file was made.
 */
const beginningOf = ({ tables, now, seq }: World): Entry[] => {
  const at = isoTime(now)
  const changes = tableNames.flatMap((table) =>
    tables[table].all().map((record: Row): Change => ({ table, id: record.id, record })),
  )
  const loaded = changes.filter(({ table }) => table !== 'playlist')
  const names = tables.playlist.get('active')?.names ?? []
  return [
    {
      seq: seq - 1,
      at,
      cause: { kind: 'fixtures' },
      command: 'fixtures.load',
      input: {},
      events: [],
      changes: loaded,
    },
    {
      seq,
      at,
      cause: BOOT,
      command: 'scenarios.activate',
      input: { names },
      events: [{ type: 'scenarios.activated', id: 'active', names }],
      changes: changes.filter(({ table }) => table === 'playlist'),
    },
  ]
}

/** How rules take part in the worlds upon this ground. */
export const reactionsOf = ({ catalogue }: GroundParts) => reactWith(catalogue)

/** Begins a world, at boot and at each reset: only the numbers of its entries go on from `seq`. */
export const bootWorld = (
  ground: Ground,
  { seed, key, keyless, again }: Opening,
  { record, seq, cause }: { record: Recorder; seq: number; cause: Cause },
): World => {
  const { base, pace, start, fixtures, machineClock } = ground
  const machine_ms = machineClock()
  const isOfMachine = pace.mode === 'real' || start === 'machine'
  const now = isOfMachine ? Math.max(machine_ms, fixtures.now) : fixtures.now
  const world = createWorld({ base, seed, now, react: reactionsOf(ground), record, seq })
  const beginning = { seed, ...(keyless && { keyless }), ...(again && { again }) }
  world.run('world.begin', beginning, cause)
  world.run('clock.set', { ...pace, machine_ms }, BOOT)
  if (key) world.run('api_key.create', { ...key, permissions: 'full', expires_at: null }, BOOT)
  return world
}
