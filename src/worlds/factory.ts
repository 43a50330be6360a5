import { WORLD_KEY_NAME } from '../domain/api-keys.js'
import type { ClockSetting } from '../domain/clock.js'
import type { ApiKey } from '../domain/schema.js'
import type { Recorder, World } from '../domain/world.js'
import type { Cause } from '../kernel/entry.js'
import { toIso } from '../kernel/time.js'
import type { MachineClock, Schedule } from '../lib/machine-clock.js'
import { DEFAULT_WORLD, deriveWorldId, type HashedKey, hashKey } from '../lib/secrets.js'
import { type BaseWorld, BOOT_CAUSE, startWorld, type WorldStartOptions } from './base-world.js'
import type { ByteLimits } from './byte-budget.js'
import type { StartTime } from './clock.js'
import type { Commits } from './commit.js'
import { DataError } from './errors.js'
import { type CreateWorld, LiveWorld, type OnChange, type StartWorld } from './live-world.js'
import type { WholeWorld } from './port.js'

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

/** How a world of a key begins. */
export interface WorldInit {
  readonly isRestarted?: boolean | undefined
  readonly clock?: ClockSetting | undefined
  readonly create?: CreateWorld | undefined
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
    const live = this.#create(DEFAULT_WORLD, {
      first: { seed, ...key },
      optionsAfterReset: () => ({ seed: seedAfterReset(), ...key }),
      found,
    })
    if (!found) {
      this.#parts.commits?.open(live, () => {})
      return live
    }
    this.#enter(live, found)
    this.#applyFlags(live, key.key)
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

  /** A new world of a key. If its beginning cannot be stored, it never existed. */
  open(key: HashedKey, { isRestarted, clock, ...init }: WorldInit, worlds: WorldOwner): LiveWorld {
    const { commits } = this.#parts
    const id = deriveWorldId(key.hash)
    commits?.assertAvailable('the world was not opened')
    const first = { key: worldKeyRecord(key), clock, ...(isRestarted && { isRestarted }) }
    const live = this.#byKey(id, { first, key, isRestarted, tenant: key.tenant, ...init }, worlds)
    commits?.open(live, () => worlds.discard(id))
    return live
  }

  /** A stored world by key. The key that opens it is one of its records. */
  restore(id: string, found: WholeWorld, worlds: WorldOwner): LiveWorld {
    const live = this.#byKey(id, { tenant: found.tenant, found }, worlds)
    live.key = findOpeningKey(live)
    if (!live.key)
      throw new DataError(`worlds.${id}.tables.api_keys: none of them opens this world`)
    this.#enter(live, found)
    return live
  }

  #byKey(id: string, { first, ...init }: KeyWorldStart, { onChange }: WorldOwner): LiveWorld {
    const opening = { seed: `${this.#parts.seed}/${id}`, keyless: true } as const
    const live = this.#create(id, {
      first: { ...opening, ...first },
      optionsAfterReset: () => {
        const key = findOpeningKey(live)
        const { begin } = live.world.tables.clock.get('clock') ?? {}
        return { ...opening, clock: begin, ...(key && { key: worldKeyRecord(key) }) }
      },
      onChange,
      ...init,
    })
    return live
  }

  #create(id: string, { first, optionsAfterReset, create, ...init }: LiveWorldStart): LiveWorld {
    const { machineClock, schedule, requestLog, baseWorld, commits, byteLimits } = this.#parts
    const { base, beginning, evaluateRules } = baseWorld
    const begin = (opening: WorldStartOptions, record: Recorder, seq: number, cause: Cause) =>
      startWorld(baseWorld, opening, { record, seq, cause })
    const start: StartWorld = (record, seq, cause) => begin(optionsAfterReset(), record, seq, cause)
    const report = (bug: unknown) => console.error(bug)
    const host = { machineClock, schedule, requestLog, report, commits, byteLimits }
    return new LiveWorld(
      { id, base, beginning, evaluateRules, start, ...host, ...init },
      create ?? ((record) => begin(first, record, base.seq, BOOT_CAUSE)),
    )
  }

  #enter(live: LiveWorld, { head }: WholeWorld): void {
    const { commits, warn } = this.#parts
    commits?.setHead(live, head)
    const ahead_ms = live.waitForMachine()
    if (ahead_ms > MAX_CLOCK_STEP_MS) warn(aheadWarning(live.id, live.world.now))
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

interface KeyWorldStart extends Pick<WorldInit, 'create' | 'origin' | 'isRestarted'> {
  readonly key?: HashedKey
  readonly first?: Omit<WorldStartOptions, 'seed'>
  readonly found?: WholeWorld | undefined
  readonly tenant?: string | undefined
}

interface LiveWorldStart extends KeyWorldStart {
  readonly first: WorldStartOptions
  readonly optionsAfterReset: () => WorldStartOptions
  readonly onChange?: OnChange
}

/** The key that opens a world by key. */
const findOpeningKey = ({ id, world }: LiveWorld): ApiKey | undefined =>
  world.tables.api_keys.list('all', '').find(({ hash }) => deriveWorldId(hash) === id)

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
