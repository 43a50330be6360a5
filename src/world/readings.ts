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

  /** Whether anything was relied on, settled or not. */
  get isRelied(): boolean {
    return (this.first | this.second | this.third) !== 0
  }

  /**
   * What was relied on and is not settled, as `<id>=<reading>, …` in the order of the register; empty when
   * nothing was.
   */
  told(): string {
    const { first, second, third, others } = this
    if ((first | second | third) === 0) return ''
    if (others || this.settled) return this.list(others ?? NO_OTHERS)
    const key = `${first},${second},${third}`
    const known = TOLD.get(key)
    if (known !== undefined) return known
    const told = this.list(NO_OTHERS)
    if (TOLD.size < MOST_TOLD) TOLD.set(key, told)
    return told
  }

  /** What was relied on although neither the request nor the world has chosen it. */
  guesses(): AssumptionId[] {
    const ids: AssumptionId[] = []
    this.each((n) => {
      const id = assumptionIds[n] as AssumptionId
      if (this.own?.[id] === undefined && !this.world?.get(id)) ids.push(id)
    })
    return ids
  }

  /** Calls back with the number of each id that was relied on. */
  each(visit: (n: number) => void): void {
    eachBit(this.first, 0, visit)
    eachBit(this.second, 32, visit)
    eachBit(this.third, 64, visit)
  }

  private list(others: ReadonlyMap<number, string>): string {
    const parts: string[] = []
    this.each((n) => {
      const id = assumptionIds[n] as AssumptionId
      const reading = others.get(n) ?? DEFAULTS[id]
      if (this.settled?.[id] !== reading) parts.push(`${id}=${reading}`)
    })
    return parts.join(', ')
  }
}

/** Most answers rely on one of a few sets of defaults: each is told once. */
const TOLD = new Map<string, string>()
const MOST_TOLD = 1_000
const NO_OTHERS: ReadonlyMap<number, string> = new Map()

const eachBit = (bits: number, from: number, visit: (n: number) => void): void => {
  for (let rest = bits; rest !== 0; rest &= rest - 1) visit(from + 31 - Math.clz32(rest & -rest))
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
