import { findLabel, WORLD_KEY_NAME } from '../domain/api-keys.js'
import type { ClockSetting } from '../domain/clock.js'
import { openWorld, type Recorder, type World } from '../domain/world.js'
import { MemoryJournal } from '../history/memory-journal.js'
import type { Cause } from '../kernel/entry.js'
import { toIso } from '../kernel/time.js'
import type { MachineClock, Schedule } from '../lib/machine-clock.js'
import { DEFAULT_WORLD, deriveWorldId, type HashedKey, hashKey } from '../lib/secrets.js'
import { applyCommits, beginJournal } from './apply-commits.js'
import {
  type BaseWorld,
  BOOT_CAUSE,
  ruleEvaluatorFor,
  startWorld,
  type WorldStartOptions,
} from './base-world.js'
import type { ByteLimits } from './byte-budget.js'
import type { StartTime } from './clock.js'
import type { Commits } from './commit.js'
import { DataError } from './errors.js'
import {
  type CreateWorld,
  LiveWorld,
  type OnChange,
  type RestoredWorld,
  type StartWorld,
} from './live-world.js'
import type { WholeWorld } from './port.js'
import { ReplayState } from './replay.js'
import { UndoHistory } from './undo-history.js'

export interface LiveWorldFactoryOptions {
  readonly machineClock: MachineClock
  readonly schedule: Schedule
  readonly requestLog: number
  readonly apiKey: string | undefined
  readonly clock: ClockSetting
  readonly start: StartTime
  /** True if `clock` was set by an option: then a stored world gets it, too. */
  readonly isClockGiven: boolean
  readonly warn: (sentence: string) => void
}

interface LiveWorldFactoryParts extends LiveWorldFactoryOptions {
  readonly baseWorld: BaseWorld
  /** Seed of the default world, from which other seeds derive. */
  readonly seed: string
  readonly seedAfterReset: () => string
  readonly commits: Commits | undefined
  readonly byteLimits?: ByteLimits | undefined
}

/** Sources of a world by key: boot, `create`, or the stored world. */
export interface WorldInit {
  readonly isRestarted?: boolean
  readonly clock?: ClockSetting | undefined
  readonly create?: CreateWorld | undefined
  readonly restored?: RestoredWorld | undefined
  readonly origin?: World | undefined
}

interface WorldOwner {
  discard(id: string): void
  readonly onChange: OnChange
}

/** Creates live worlds: from the base world, or as they were stored. */
export class LiveWorldFactory {
  readonly #parts: LiveWorldFactoryParts

  constructor(parts: LiveWorldFactoryParts) {
    this.#parts = parts
  }

  /** The default world, as it was stored or new. The options of this start apply to a stored one, too. */
  main(found: WholeWorld | undefined): LiveWorld {
    const { seed, seedAfterReset } = this.#parts
    const key = this.#ownKey()
    const live = this.#start(DEFAULT_WORLD, {
      first: { seed, ...key },
      optionsAfterReset: () => ({ seed: seedAfterReset(), ...key }),
      ...(found && this.#restored(found)),
    })
    if (found) this.#applyFlags(live, key.key)
    return live
  }

  /** The key of the option, unless the fixtures have it. */
  #ownKey(): Pick<WorldStartOptions, 'key'> {
    const { apiKey, baseWorld } = this.#parts
    if (apiKey === undefined) return {}
    const hashed = hashKey(apiKey)
    const isThere = baseWorld.base.tables.api_keys.first('hash', hashed.hash) !== undefined
    return isThere ? {} : { key: { ...hashed, name: 'From --api-key' } }
  }

  byKey(
    hashed: HashedKey,
    { isRestarted, clock, ...init }: WorldInit,
    worlds: WorldOwner,
  ): LiveWorld {
    const { seed, commits } = this.#parts
    const id = deriveWorldId(hashed.hash)
    const opening: WorldStartOptions = {
      seed: `${seed}/${id}`,
      key: worldKeyRecord(hashed),
      keyless: true,
    }
    if (!init.restored) {
      // If its beginning cannot be stored, the world never existed.
      commits?.assertAvailable('the world was not opened')
      commits?.onRollback(id, () => worlds.discard(id))
    }
    const live = this.#start(id, {
      first: { ...opening, clock, ...(isRestarted && { isRestarted }) },
      optionsAfterReset: () => {
        const { api_keys, clock } = live.world.tables
        const name = findLabel(api_keys.first('hash', hashed.hash)) ?? undefined
        const { begin } = clock.get('clock') ?? {}
        return { ...opening, clock: begin, key: worldKeyRecord({ ...hashed, name }) }
      },
      onChange: worlds.onChange,
      tenant: hashed.tenant,
      ...init,
    })
    return live
  }

  /** A stored world by key. The key that opens it is one of its records. */
  restore(found: WholeWorld, id: string): WorldInit & { readonly key: HashedKey } {
    const { keys, ...restored } = this.#restored(found)
    const key = keys.find(({ hash }) => deriveWorldId(hash) === id)
    if (!key) throw new DataError(`worlds.${id}.tables.api_keys: none of them opens this world`)
    const { hash, last_four } = key
    return { key: { hash, last_four, tenant: found.tenant }, ...restored }
  }

  #restored({ world, entries, commits, created_at }: WholeWorld) {
    const { baseWorld } = this.#parts
    const evaluateRules = ruleEvaluatorFor(baseWorld)
    const journal = new MemoryJournal()
    beginJournal(journal, { world, entries }, baseWorld)
    const history = new UndoHistory()
    const replay = new ReplayState(baseWorld.base, world)
    applyCommits(replay, commits, { journal, history })
    const { state } = replay
    return {
      keys: state.tables.api_keys.list('all', ''),
      create: (record: Recorder) => openWorld(state, { evaluateRules, record }),
      restored: { journal, history, snapshots: state.snapshots, created_at },
    }
  }

  #start(id: string, { first, optionsAfterReset, create, ...init }: LiveWorldStart): LiveWorld {
    const { machineClock, schedule, requestLog, warn, baseWorld, commits, byteLimits } = this.#parts
    const { base, beginning } = baseWorld
    const begin = (opening: WorldStartOptions, record: Recorder, seq: number, cause: Cause) =>
      startWorld(baseWorld, opening, { record, seq, cause })
    const start: StartWorld = (record, seq, cause) => begin(optionsAfterReset(), record, seq, cause)
    const report = (bug: unknown) => console.error(bug)
    const host = { machineClock, schedule, requestLog, report, commits, byteLimits }
    const live = new LiveWorld(
      { id, base, beginning, start, ...host, ...init },
      create ?? ((record) => begin(first, record, base.seq, BOOT_CAUSE)),
    )
    commits?.register(live, !init.restored)
    const ahead_ms = init.restored ? live.waitForMachine() : 0
    if (ahead_ms > MAX_CLOCK_STEP_MS) warn(aheadWarning(id, live.world.now))
    return live
  }

  #applyFlags(main: LiveWorld, key: WorldStartOptions['key']): void {
    const { clock: clockSetting, isClockGiven } = this.#parts
    const clock = main.world.tables.clock.get('clock')
    const isOther = clock?.mode !== clockSetting.mode || clock.speed !== clockSetting.speed
    if (isClockGiven && isOther) main.setClock(clockSetting, BOOT_CAUSE)
    if (!key || main.world.tables.api_keys.first('hash', key.hash)) return
    main.world.run('api_key.create', { ...key, permissions: 'full', expires_at: null }, BOOT_CAUSE)
  }
}

interface LiveWorldStart extends Pick<WorldInit, 'create' | 'restored' | 'origin'> {
  readonly first: WorldStartOptions
  readonly optionsAfterReset: () => WorldStartOptions
  readonly onChange?: OnChange
  readonly tenant?: string | undefined
}

/** Machines set their clocks by this much in daily use. */
const MAX_CLOCK_STEP_MS = 60_000

const aheadWarning = (id: string, now: number): string =>
  `the clock of world ${id} waits at ${toIso(now)} until the machine's has passed it: the machine's time is behind, ` +
  'or was ahead, or an advance was interrupted. World time never goes back; a reset begins again'

export const worldKeyRecord = ({ hash, last_four, name = WORLD_KEY_NAME }: HashedKey) => ({
  name,
  hash,
  last_four,
})
