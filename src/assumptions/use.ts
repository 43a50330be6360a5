import { type AssumptionId, assumptionIds, DEFAULT_READINGS, type ReadingOf } from './ids.js'

/** The table `readings`, or the part of it that `Readings` needs. */
interface WorldChoices {
  readonly isUnchanged: boolean
  get(id: string): { readonly reading: string } | undefined
}

/** Readings of the request's header, by id. */
export type Choices = Readonly<Record<string, string>>

/** The readings behind a response, by id. */
export type UsedReadings = ReadonlyMap<AssumptionId, string>

/** Requests that use the same readings share one map, so that a response formats and copies none. */
class SharedReadings {
  readonly #next = new Map<AssumptionId, SharedReadings>()

  constructor(readonly all: UsedReadings) {}

  with(id: AssumptionId, reading: string): SharedReadings {
    if (this.all.get(id) === reading) return this
    const known = this.#next.get(id)
    if (known?.all.get(id) === reading) return known
    const next = new SharedReadings(new Map(this.all).set(id, reading))
    this.#next.set(id, next)
    return next
  }
}

const NONE = new SharedReadings(new Map())

class AskedReadings {
  #used = NONE
  /** Undefined for a world without choices: most have none, and a request asks for ten readings. */
  #world?: WorldChoices | undefined

  /** `confirmed` are readings of the answers file, which are no assumptions. */
  constructor(
    world?: WorldChoices,
    private readonly own?: Choices,
    readonly confirmed?: Choices,
  ) {
    if (world) this.setWorld(world)
  }

  get used(): UsedReadings {
    return this.#used.all
  }

  setWorld(world: WorldChoices): void {
    // Not by size: a start on a data file can add choices to the base of existing worlds.
    this.#world = world.isUnchanged ? undefined : world
  }

  /** The request's choice, else the world's, else the default. Notes that it was asked for. */
  of<Id extends AssumptionId>(id: Id): ReadingOf<Id> {
    const reading = this.#find(id)
    this.#used = this.#used.with(id, reading)
    return reading as ReadingOf<Id>
  }

  #find(id: AssumptionId): string {
    const own = this.own?.[id]
    if (own !== undefined) return own
    return this.#world?.get(id)?.reading ?? DEFAULT_READINGS[id]
  }

  /** Used readings that neither the request nor the world has chosen. */
  unconfirmed(): AssumptionId[] {
    return assumptionIds.filter(
      (id) => this.used.has(id) && this.own?.[id] === undefined && !this.#world?.get(id),
    )
  }
}

type AreaOf<Id> = Id extends `${infer Area}.${string}` ? Area : never

type ByArea = {
  readonly [Area in AreaOf<AssumptionId>]: {
    readonly [Id in AssumptionId as Id extends `${Area}.${infer Name}`
      ? Name
      : never]: ReadingOf<Id>
  }
}

/**
 * The readings of one request or command. Code asks for one by its id, `readings.payout.source`; each
 * that it asks for counts as used.
 */
export type Readings = AskedReadings & ByArea
export const Readings = AskedReadings as new (
  ...args: ConstructorParameters<typeof AskedReadings>
) => Readings

for (const area of new Set(assumptionIds.map((id) => id.slice(0, id.indexOf('.'))))) {
  class Area {
    // A field of the class would cost more: each question makes an object.
    declare readonly asked: AskedReadings
    constructor(asked: AskedReadings) {
      this.asked = asked
    }
  }
  for (const id of assumptionIds.filter((it) => it.startsWith(`${area}.`))) {
    const name = id.slice(area.length + 1)
    Object.defineProperty(Area.prototype, name, {
      get(this: Area) {
        return this.asked.of(id)
      },
    })
  }
  Object.defineProperty(AskedReadings.prototype, area, {
    get(this: AskedReadings) {
      return new Area(this)
    },
  })
}

/** The control API and the console show records with the default readings. */
export const DEFAULTS = new Readings()
