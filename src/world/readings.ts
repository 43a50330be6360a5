import { broken, unknown } from './kernel/refusal.js'
import { layout, type Row, type Table } from './kernel/table.js'
import {
  type AssumptionId,
  assumptionIds,
  DEFAULTS,
  isAssumption,
  NUMBERS,
  type ReadingOf,
  readingNames,
} from './reading-names.js'
import type { Tx } from './world.js'

/**
 * How a world was told to read one thing that the contract leaves open, be it the default; without a
 * record nobody has chosen, and it is the default.
 */
export interface Choice extends Row {
  readonly reading: string
}

export const readingsLayout = layout<Choice>()({ all: () => '' })

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
    private world: Table<Choice, 'all'> | undefined,
    private readonly own?: Choices,
    private readonly settled?: Choices,
  ) {}

  /** Goes by the choices of this world from here on. */
  enter(world: Table<Choice, 'all'>): void {
    this.world = world
  }

  /** How to read it: the request's own choice, else the world's, else the default. It is relied on. */
  of<Id extends AssumptionId>(id: Id): ReadingOf<Id> {
    const reading = this.peek(id)
    this.note(id, reading)
    return reading
  }

  /** The same, to hand on. */
  get read() {
    return <Id extends AssumptionId>(id: Id): ReadingOf<Id> => this.of(id)
  }

  /** How it would be read, which is relied on elsewhere or not at all. */
  peek<Id extends AssumptionId>(id: Id): ReadingOf<Id> {
    const own = this.own?.[id]
    if (own !== undefined) return own as ReadingOf<Id>
    const { world } = this
    if (world === undefined || world.size === 0) return DEFAULTS[id]
    return (world.get(id)?.reading ?? DEFAULTS[id]) as ReadingOf<Id>
  }

  /** Notes a reading that was in force when what is shown came to be. */
  note<Id extends AssumptionId>(id: Id, reading: ReadingOf<Id>): void {
    const n = NUMBERS[id]
    const bit = 1 << (n & 31)
    if (n < 32) this.first |= bit
    else if (n < 64) this.second |= bit
    else this.third |= bit
    if (reading === DEFAULTS[id]) return
    this.others ??= new Map()
    this.others.set(n, reading)
  }

  /** What was relied on, in the order of the register. */
  relied(): Relied {
    const { first, second, third, others, settled } = this
    if ((first | second | third) === 0) return NOTHING
    if (others || settled) return reliedOn(first, second, third, others ?? NO_OTHERS, settled)
    const known = RELIED.get(first)?.get(second)?.get(third)
    return known ?? keep(first, second, third, reliedOn(first, second, third, NO_OTHERS))
  }

  /** What was relied on although neither the request nor the world has chosen it. */
  guesses(): AssumptionId[] {
    return this.relied()
      .numbers.map((n) => assumptionIds[n] as AssumptionId)
      .filter((id) => this.own?.[id] === undefined && !this.world?.get(id))
  }
}

/** What an answer relied on. */
export interface Relied {
  /** What of it is not settled, as `<id>=<reading>, …`; empty when that is nothing. */
  readonly told: string
  /** All of it, by the numbers of the ids. */
  readonly numbers: readonly number[]
}

const NOTHING: Relied = { told: '', numbers: [] }
const NO_OTHERS: ReadonlyMap<number, string> = new Map()

/** Most answers rely on one of a few sets of defaults: each is told once, and found by its bits. */
const RELIED = new Map<number, Map<number, Map<number, Relied>>>()
const MOST_KEPT = 1_000
let kept = 0

const keep = (first: number, second: number, third: number, relied: Relied): Relied => {
  if (kept >= MOST_KEPT) return relied
  kept++
  const seconds = RELIED.get(first) ?? new Map<number, Map<number, Relied>>()
  RELIED.set(first, seconds)
  const thirds = seconds.get(second) ?? new Map<number, Relied>()
  seconds.set(second, thirds.set(third, relied))
  return relied
}

const reliedOn = (
  first: number,
  second: number,
  third: number,
  others: ReadonlyMap<number, string>,
  settled: Choices = {},
): Relied => {
  const numbers = [...bitsOf(first, 0), ...bitsOf(second, 32), ...bitsOf(third, 64)]
  const parts = numbers.flatMap((n) => {
    const id = assumptionIds[n] as AssumptionId
    const reading = others.get(n) ?? DEFAULTS[id]
    return settled[id] === reading ? [] : [`${id}=${reading}`]
  })
  return { told: parts.join(', '), numbers }
}

const bitsOf = (bits: number, from: number): number[] => {
  const numbers: number[] = []
  for (let rest = bits; rest !== 0; rest &= rest - 1) {
    numbers.push(from + 31 - Math.clz32(rest & -rest))
  }
  return numbers
}

export interface ReadingChoice {
  readonly id: string
  readonly reading: string
}

/** Chooses how the world reads something from now on. */
export const chooseReading = (tx: Tx, { id, reading }: ReadingChoice): ReadingChoice => {
  if (!isAssumption(id)) throw unknown('id', `no assumption has the id ${id}`)
  const names = readingNames(id)
  if (!names.includes(reading)) {
    throw broken(
      'reading',
      `${JSON.stringify(reading)} came; ${id} can be read as ${names.join(', ')}`,
    )
  }
  const { readings } = tx.tables
  const known = readings.get(id)
  if (known) tx.replace('readings', known, { ...known, reading })
  else tx.add('readings', { id, n: readings.next, reading })
  tx.emit({ type: 'reading.chosen', id, reading })
  return { id, reading }
}
