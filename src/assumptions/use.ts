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

/**
 * The readings of one request or command, and a record of those that its result depends on. Use a
 * reading only where the contract's silence matters for this very response.
 */
export class Readings {
  #used = NONE

  /** `confirmed` are readings of the answers file, which are no assumptions. */
  constructor(
    private world: WorldChoices | undefined,
    private readonly own?: Choices,
    readonly confirmed?: Choices,
  ) {}

  get used(): UsedReadings {
    return this.#used.all
  }

  setWorld(world: WorldChoices): void {
    this.world = world
  }

  /** The request's choice, else the world's, else the default. Records the use. */
  use<Id extends AssumptionId>(id: Id): ReadingOf<Id> {
    const reading = this.peek(id)
    this.#used = this.#used.with(id, reading)
    return reading
  }

  get asReader() {
    return <Id extends AssumptionId>(id: Id): ReadingOf<Id> => this.use(id)
  }

  /** Returns the reading without recording its use. */
  peek<Id extends AssumptionId>(id: Id): ReadingOf<Id> {
    const own = this.own?.[id]
    if (own !== undefined) return own as ReadingOf<Id>
    const { world } = this
    // Not by size: a start on a data file can add choices to the base of existing worlds.
    if (world === undefined || world.isUnchanged) return DEFAULT_READINGS[id]
    return (world.get(id)?.reading ?? DEFAULT_READINGS[id]) as ReadingOf<Id>
  }

  /** Records a reading that applied when the shown record was created. */
  record<Id extends AssumptionId>(id: Id, reading: ReadingOf<Id>): void {
    this.#used = this.#used.with(id, reading)
  }

  /** Used readings that neither the request nor the world has chosen. */
  unconfirmed(): AssumptionId[] {
    return assumptionIds.filter(
      (id) => this.used.has(id) && this.own?.[id] === undefined && !this.world?.get(id),
    )
  }
}
