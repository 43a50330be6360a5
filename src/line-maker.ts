import { BOOT, bootWorld, type Ground, type Opening, reactionsOf } from './boot.js'
import type { Later, MachineClock } from './clock.js'
import type { IsMemoryShort } from './memory.js'
import type { Pace, StartTime } from './pace.js'
import { type KeptKey, keptKey, worldIdOf } from './secrets.js'
import { DataError } from './store/data-error.js'
import type { FoundWorld } from './store/rebuild.js'
import type { Store } from './store/store.js'
import {
  type Boot,
  type Changed,
  DEFAULT_WORLD,
  type MakeWorld,
  type ReopenedLine,
  Timeline,
} from './timeline.js'
import type { Cause } from './world/kernel/entry.js'
import { openWorld, type Recorder } from './world/world.js'
import type { KeptWorld, Shelf, WorldStart, Worlds } from './worlds.js'

export interface LineParts {
  readonly machineClock: MachineClock
  /** Runs what waits for machine time: the pulse of a watched world, heartbeats of streams. */
  readonly later: Later
  readonly isMemoryShort: IsMemoryShort
  /** How many exchanges the request log of a world keeps; none when 0. */
  readonly requestLog: number
  /** A full-access key of one's own for the default world. */
  readonly apiKey: string | undefined
  readonly pace: Pace
  /** Where the time of a world begins whose clock is not real. */
  readonly start: StartTime
  /** Whether the pace was asked for: then a world that was kept goes on at it. */
  readonly paceGiven: boolean
}

/** The default world's seed at its boot, of which those of worlds by key are made; `again` gives that of a reset. */
export interface Seeds {
  readonly seed: string
  readonly again: () => string
}

/** What worlds by key belong to. */
type Roster = Pick<Worlds, 'forget' | 'changed'>

/** Makes the lines of a sandbox: from its ground, or from what was kept of them. */
export class LineMaker {
  readonly #parts: LineParts
  readonly #ground: Ground
  readonly #seeds: Seeds
  readonly #store: Store | undefined

  constructor(parts: LineParts, ground: Ground, seeds: Seeds, store: Store | undefined) {
    this.#parts = parts
    this.#ground = ground
    this.#seeds = seeds
    this.#store = store
  }

  /** The line of the default world; the options of this start hold for one that goes on. */
  main(found: FoundWorld | undefined): Timeline {
    const { seed, again } = this.#seeds
    const key = this.#ownKey()
    const line = this.#startLine(DEFAULT_WORLD, {
      first: { seed, ...key },
      anew: () => ({ seed: again(), ...key }),
      ...(found && this.#goingOn(found)),
    })
    if (found) this.#applyFlags(line, key.key)
    return line
  }

  /** The key of the option, for every beginning of the default world; none where the fixtures hold it. */
  #ownKey(): Pick<Opening, 'key'> {
    const { apiKey } = this.#parts
    if (apiKey === undefined) return {}
    const kept = keptKey(apiKey)
    const isThere = this.#ground.base.tables.api_keys.first('hash', kept.hash) !== undefined
    return isThere ? {} : { key: { name: 'From --api-key', ...kept } }
  }

  /** The line of a world by key, which is among `worlds` from now on. */
  byKey(kept: KeptKey, { again, make, reopened }: WorldStart, worlds: Roster): Timeline {
    const id = worldIdOf(kept.hash)
    const opening: Opening = {
      seed: `${this.#seeds.seed}/${id}`,
      key: namedKey(kept),
      keyless: true,
    }
    if (!reopened) {
      // A world whose beginning cannot be kept has never been.
      this.#store?.assertOpen('the world was not opened')
      this.#store?.alongside(() => worlds.forget(id))
    }
    return this.#startLine(id, {
      first: again ? { ...opening, again } : opening,
      anew: () => opening,
      make,
      reopened,
      changed: worlds.changed,
    })
  }

  /** A world by key that was kept: what opens it is among its own keys. */
  kept(id: string, found: FoundWorld): KeptWorld {
    const keys = found.tables.api_keys.list('all', '')
    const key = keys.find(({ hash }) => worldIdOf(hash) === id)
    if (!key) throw new DataError(`worlds.${id}.tables.api_keys: none of them opens this world`)
    return { key: { hash: key.hash, last_four: key.last_four }, ...this.#goingOn(found) }
  }

  /** How a line goes on with what was kept of it. */
  #goingOn(found: FoundWorld): { readonly make: MakeWorld; readonly reopened: ReopenedLine } {
    const react = reactionsOf(this.#ground)
    return { make: (record) => openWorld(found, { react, record }), reopened: found }
  }

  /** Puts worlds aside, into files of their own, when others need their room. */
  shelfOf(store: Store): Shelf {
    return {
      putAside: (line, leave) => store.putAside(line, leave),
      open: (id) => {
        const found = store.findAside(id, this.#ground.base)
        return found && this.kept(id, found)
      },
      drop: (id, takeBack) => {
        store.assertOpen()
        store.alongside(takeBack)
        store.deleted(id)
      },
    }
  }

  #startLine(id: string, { first, anew, make, reopened, changed }: LineStart): Timeline {
    const { machineClock, later, isMemoryShort, requestLog } = this.#parts
    const { base, beginning } = this.#ground
    const begin = (opening: Opening, record: Recorder, seq: number, cause: Cause) =>
      bootWorld(this.#ground, opening, { record, seq, cause })
    const boot: Boot = (record, seq, cause) => begin(anew(), record, seq, cause)
    const report = (bug: unknown) => console.error(bug)
    const keeping = this.#store
    const line = new Timeline(
      {
        id,
        beginning,
        machineClock,
        later,
        isMemoryShort,
        report,
        requestLog,
        boot,
        changed,
        keeping,
        reopened,
      },
      make ?? ((record) => begin(first, record, base.seq, BOOT)),
    )
    keeping?.opened(line, !reopened)
    if (reopened) line.resumeClock(BOOT)
    return line
  }

  /** What the options of this start ask of a world that goes on: a pace, a key of one's own. */
  #applyFlags(main: Timeline, key: Opening['key']): void {
    const { pace, paceGiven } = this.#parts
    const clock = main.world.tables.clock.get('clock')
    const isOther = clock?.mode !== pace.mode || clock.speed !== pace.speed
    if (paceGiven && isOther) main.setPace(pace, BOOT)
    if (!key || main.world.tables.api_keys.first('hash', key.hash)) return
    main.world.run('api_key.create', { ...key, permissions: 'full', expires_at: null }, BOOT)
  }
}

/** How a line begins, how it does anew at a reset, and what makes its world in place of a beginning. */
interface LineStart extends Pick<WorldStart, 'make' | 'reopened'> {
  readonly first: Opening
  readonly anew: () => Opening
  readonly changed?: Changed
}

/** The key that opens a world by its form, as a record of that world. */
export const namedKey = (key: KeptKey) => ({ name: 'The key of this world', ...key })
