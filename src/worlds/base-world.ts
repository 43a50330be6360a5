import type { Choices } from '../assumptions/use.js'
import { type ClockSetting, startAt } from '../domain/clock.js'
import { tableNames } from '../domain/schema.js'
import type { FixtureSet } from '../domain/seed-data/load.js'
import { createWorld, type Recorder, type World } from '../domain/world.js'
import type { Cause, Change, Entry } from '../kernel/entry.js'
import type { Row } from '../kernel/row.js'
import { toIso } from '../kernel/time.js'
import type { MachineClock } from '../lib/machine-clock.js'
import type { HashedKey } from '../lib/secrets.js'
import { createRuleEvaluator } from '../scenarios/evaluate/event-rules.js'
import type { Catalogue } from '../scenarios/language/catalogue.js'
import type { StartTime } from './clock.js'

interface BaseWorldOptions {
  readonly fixtures: FixtureSet
  readonly catalogue: Catalogue
  readonly readings: Choices
  readonly clock: ClockSetting
  readonly start: StartTime
  readonly machineClock: MachineClock
}

/** The world that all others are layers over, and the entries that created it. It never changes. */
export interface BaseWorld extends BaseWorldOptions {
  readonly base: World
  readonly beginning: readonly Entry[]
  readonly evaluateRules: World['evaluateRules']
}

export interface WorldStartOptions {
  readonly seed: string
  readonly key?: HashedKey & { readonly name: string }
  /** The keys of the fixtures do not open it. */
  readonly keyless?: true
  /** An earlier world of its key was evicted. */
  readonly isRestarted?: true
  /** Of this world alone, instead of the sandbox's. */
  readonly clock?: ClockSetting | undefined
}

export const BOOT_CAUSE: Cause = { kind: 'boot' }

type SharedBase = Pick<BaseWorld, 'base' | 'beginning'>

/** Cached by fixtures and options: a test process creates the same base world many times. */
const sharedBases = new WeakMap<FixtureSet, Map<string, SharedBase>>()

export const createBaseWorld = (parts: BaseWorldOptions): BaseWorld => {
  const { fixtures, catalogue, readings } = parts
  const known = sharedBases.get(fixtures) ?? new Map<string, SharedBase>()
  sharedBases.set(fixtures, known)
  const choices = JSON.stringify([catalogue.start, readings])
  const shared = known.get(choices) ?? loadBase(parts)
  known.set(choices, shared)
  return { ...parts, ...shared, evaluateRules: createRuleEvaluator(catalogue) }
}

const loadBase = (parts: BaseWorldOptions): SharedBase => {
  const beginning: Entry[] = []
  const base = createWorld({
    seed: 'fixtures',
    now: parts.fixtures.now,
    evaluateRules: () => undefined,
    record: (record) => beginning.push(record.toJSON()),
  })
  base.run('fixtures.load', parts.fixtures, { kind: 'fixtures' })
  base.run('scenarios.activate', { names: parts.catalogue.start }, BOOT_CAUSE)
  for (const [id, reading] of Object.entries(parts.readings)) {
    base.run('reading.choose', { id, reading }, BOOT_CAUSE)
  }
  return { base, beginning }
}

/** A stored base world, with the scenarios and readings of this start. */
export const restoreBaseWorld = (parts: BaseWorldOptions, base: World): BaseWorld => {
  const { tables, now } = base
  const names = parts.catalogue.start
  const played = tables.playlist.get('active')
  if (!isSame(played?.names, names)) {
    tables.playlist.write('active', played, { id: 'active', n: 1, names })
  }
  setBaseReadings(base, parts.readings)
  return {
    ...parts,
    fixtures: { ...parts.fixtures, now },
    base,
    beginning: baseEntries(base),
    evaluateRules: createRuleEvaluator(parts.catalogue),
  }
}

/** Worlds over it that have not chosen a reading themselves follow it. */
export const setBaseReadings = ({ tables: { readings } }: World, chosen: Choices): void => {
  for (const choice of readings.all()) readings.write(choice.id, choice, undefined)
  Object.entries(chosen).forEach(([id, reading], i) => {
    readings.write(id, undefined, { id, n: i + 1, reading })
  })
}

const isSame = (some: readonly string[] | undefined, others: readonly string[]): boolean =>
  JSON.stringify(some) === JSON.stringify(others)

/**
 * Entries that describe a stored base world. Worlds over it number their entries from its `seq` on, so these
 * are the last two numbers up to there.
 */
const baseEntries = ({ tables, now, seq }: World): Entry[] => {
  const at = toIso(now)
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
      cause: BOOT_CAUSE,
      command: 'scenarios.activate',
      input: { names },
      events: [{ type: 'scenarios.activated', id: 'active', names }],
      changes: changes.filter(({ table }) => table === 'playlist'),
    },
  ]
}

/** Starts a world, at boot and at each reset. Its entries are numbered from `seq` on. */
export const startWorld = (
  baseWorld: BaseWorld,
  { seed, key, keyless, isRestarted, clock }: WorldStartOptions,
  { record, seq, cause }: { record: Recorder; seq: number; cause: Cause },
): World => {
  const { base, start, fixtures, machineClock, evaluateRules } = baseWorld
  const clockSetting = clock ?? baseWorld.clock
  const machine_ms = machineClock()
  const isOfMachine = clockSetting.mode === 'real' || start === 'machine'
  const now = isOfMachine ? Math.max(machine_ms, fixtures.now) : fixtures.now
  const world = createWorld({
    base,
    seed,
    now,
    evaluateRules,
    record,
    seq,
  })
  const beginning = {
    seed,
    ...(keyless && { keyless }),
    ...(isRestarted && { again: isRestarted }),
  }
  world.run('world.begin', beginning, cause)
  const began = {
    ...(clock && { begin: clock }),
    ...(seq > base.seq && { since: world.seq }),
  }
  world.run(
    'clock.set',
    { ...clockSetting, ...startAt(clockSetting, machine_ms), ...began },
    BOOT_CAUSE,
  )
  if (key)
    world.run('api_key.create', { ...key, permissions: 'full', expires_at: null }, BOOT_CAUSE)
  return world
}
