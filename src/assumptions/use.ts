import {
  ASSUMPTION_INDEX,
  type AssumptionId,
  assumptionIds,
  DEFAULT_READINGS,
  type ReadingOf,
} from './ids.js'

/** The readings that a world has chosen: the table `readings`, or a part of it. */
interface WorldChoices {
  readonly isUnchanged: boolean
  get(id: string): { readonly reading: string } | undefined
}

/** Readings that a request chose for itself, by id. */
export type Choices = Readonly<Record<string, string>>

/**
 * What one request or command goes by. To ask is to rely: what was asked is what the answer rests on, so
 * it is asked only where the silence of the contract matters for this very answer.
 */
export class Readings {
  // One bit for each id that was relied on, 32 to a number: to ask costs no allocation.
  private first = 0
  private second = 0
  private third = 0
  /** By number of the id; only those that are not the default. */
  private others: Map<number, string> | undefined

  /** `settled` are those that somebody who knows has answered: what goes by them assumes nothing. */
  constructor(
    private world: WorldChoices | undefined,
    private readonly own?: Choices,
    private readonly settled?: Choices,
  ) {}

  /** Goes by the choices of this world from here on. */
  setWorld(world: WorldChoices): void {
    this.world = world
  }

  /** How to read it: the request's own choice, else the world's, else the default. It is relied on. */
  use<Id extends AssumptionId>(id: Id): ReadingOf<Id> {
    const reading = this.peek(id)
    this.record(id, reading)
    return reading
  }

  /** The same, to hand on. */
  get asReader() {
    return <Id extends AssumptionId>(id: Id): ReadingOf<Id> => this.use(id)
  }

  /** How it would be read, which is relied on elsewhere or not at all. */
  peek<Id extends AssumptionId>(id: Id): ReadingOf<Id> {
    const own = this.own?.[id]
    if (own !== undefined) return own as ReadingOf<Id>
    const { world } = this
    // Its size would not tell: a start on a data file chooses in the base of worlds that are there already.
    if (world === undefined || world.isUnchanged) return DEFAULT_READINGS[id]
    return (world.get(id)?.reading ?? DEFAULT_READINGS[id]) as ReadingOf<Id>
  }

  /** Notes a reading that was in force when what is shown came to be. */
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

  /** What was relied on, in the order of the register. */
  usage(): AssumptionUse {
    const { first, second, third, others, settled } = this
    if ((first | second | third) === 0) return NOTHING
    const bits = { first, second, third }
    return others || settled ? reliedOn(bits, others, settled) : usual(bits)
  }

  /** What was relied on although neither the request nor the world has chosen it. */
  unconfirmed(): AssumptionId[] {
    return this.usage()
      .numbers.map((n) => assumptionIds[n] as AssumptionId)
      .filter((id) => this.own?.[id] === undefined && !this.world?.get(id))
  }
}

/** What an answer relied on. Equal sets of unsettled defaults are one object, so that texts can be cached by it. */
export interface AssumptionUse {
  /** Numbers of the ids, in the order of the register. */
  readonly numbers: readonly number[]
  /** Readings that are not the default, by number of the id. */
  readonly nonDefault: ReadonlyMap<number, string>
  /** Readings that somebody who knows has confirmed. */
  readonly confirmed: Choices
}

/** A set of ids: one bit for each, by its number. */
interface Bits {
  readonly first: number
  readonly second: number
  readonly third: number
}

const NO_OTHERS: ReadonlyMap<number, string> = new Map()
const NONE_SETTLED: Choices = {}
const NOTHING: AssumptionUse = { numbers: [], nonDefault: NO_OTHERS, confirmed: NONE_SETTLED }

/** Cache by bits: most answers rely on one of a few sets of defaults. */
const KNOWN: ({ readonly bits: Bits; readonly use: AssumptionUse } | undefined)[] = []
const MAX_KNOWN_READINGS = 1_024

/** The cached set of defaults. Two sets with the same place replace each other. */
const usual = (bits: Bits): AssumptionUse => {
  const place = placeOf(bits)
  const known = KNOWN[place]
  if (known && isSame(known.bits, bits)) return known.use
  const use = reliedOn(bits)
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

const reliedOn = (
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
