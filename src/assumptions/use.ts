import {
  ASSUMPTION_INDEX,
  type AssumptionId,
  assumptionIds,
  DEFAULT_READINGS,
  type ReadingOf,
} from './ids.js'

/** The table `readings`, or the part of it that `Readings` needs. */
interface WorldChoices {
  readonly isUnchanged: boolean
  get(id: string): { readonly reading: string } | undefined
}

/** Readings of the request's header, by id. */
export type Choices = Readonly<Record<string, string>>

/**
 * The readings of one request or command, and a record of those that its result depends on. Use a
 * reading only where the contract's silence matters for this very response.
 */
export class Readings {
  private first = 0
  private second = 0
  private third = 0
  /** By number of the id; only readings other than the default. */
  private others: Map<number, string> | undefined

  /** `settled` are confirmed readings, which are no assumptions. */
  constructor(
    private world: WorldChoices | undefined,
    private readonly own?: Choices,
    private readonly settled?: Choices,
  ) {}

  /** Uses the choices of this world from now on. */
  setWorld(world: WorldChoices): void {
    this.world = world
  }

  /** The request's choice, else the world's, else the default. Records the use. */
  use<Id extends AssumptionId>(id: Id): ReadingOf<Id> {
    const reading = this.peek(id)
    this.record(id, reading)
    return reading
  }

  /** `use` as a function. */
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
    const n = ASSUMPTION_INDEX[id]
    const bit = 1 << (n & 31)
    if (n < 32) this.first |= bit
    else if (n < 64) this.second |= bit
    else this.third |= bit
    if (reading === DEFAULT_READINGS[id]) return
    this.others ??= new Map()
    this.others.set(n, reading)
  }

  /** The recorded readings, in the order of the register. */
  usage(): AssumptionUse {
    const { first, second, third, others, settled } = this
    if ((first | second | third) === 0) return NOTHING
    const bits = { first, second, third }
    return others || settled ? createUse(bits, others, settled) : cachedUse(bits)
  }

  /** Recorded readings that neither the request nor the world has chosen. */
  unconfirmed(): AssumptionId[] {
    return this.usage()
      .numbers.map((n) => assumptionIds[n] as AssumptionId)
      .filter((id) => this.own?.[id] === undefined && !this.world?.get(id))
  }
}

/**
 * The assumptions behind a response. Equal sets of unconfirmed defaults are one object, so that
 * texts can be cached by it.
 */
export interface AssumptionUse {
  /** Numbers of the ids, in the order of the register. */
  readonly numbers: readonly number[]
  /** Readings other than the default, by number of the id. */
  readonly nonDefault: ReadonlyMap<number, string>
  /** Readings of the answers file. */
  readonly confirmed: Choices
}

/** A set of ids: one bit per number. */
interface Bits {
  readonly first: number
  readonly second: number
  readonly third: number
}

const NO_OTHERS: ReadonlyMap<number, string> = new Map()
const NONE_SETTLED: Choices = {}
const NOTHING: AssumptionUse = { numbers: [], nonDefault: NO_OTHERS, confirmed: NONE_SETTLED }

/** Cache by bits, because most responses rely on one of a few sets. */
const KNOWN: ({ readonly bits: Bits; readonly use: AssumptionUse } | undefined)[] = []
const MAX_KNOWN_READINGS = 1_024

/** Two sets with the same slot replace each other. */
const cachedUse = (bits: Bits): AssumptionUse => {
  const place = placeOf(bits)
  const known = KNOWN[place]
  if (known && isSame(known.bits, bits)) return known.use
  const use = createUse(bits)
  KNOWN[place] = { bits, use }
  return use
}

const placeOf = ({ first, second, third }: Bits): number => {
  let mixed = 0
  mixed = Math.imul(mixed ^ first, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ second, 0x9e3779b1)
  mixed = Math.imul(mixed ^ (mixed >>> 15) ^ third, 0x9e3779b1)
  return (mixed >>> 16) % MAX_KNOWN_READINGS
}

const isSame = (a: Bits, b: Bits): boolean =>
  a.first === b.first && a.second === b.second && a.third === b.third

const createUse = (
  { first, second, third }: Bits,
  nonDefault: ReadonlyMap<number, string> = NO_OTHERS,
  confirmed: Choices = NONE_SETTLED,
): AssumptionUse => ({
  numbers: [...bitsOf(first, 0), ...bitsOf(second, 32), ...bitsOf(third, 64)],
  nonDefault,
  confirmed,
})

const bitsOf = (bits: number, from: number): number[] => {
  const numbers: number[] = []
  for (let rest = bits; rest !== 0; rest &= rest - 1) {
    numbers.push(from + 31 - Math.clz32(rest & -rest))
  }
  return numbers
}
