import { tableNames } from '../domain/schema.js'
import type { World } from '../domain/world.js'
import { forEachWrite, type Writes } from '../kernel/command-record.js'
import { Refusal } from '../kernel/refusal.js'
import type { Row } from '../kernel/row.js'
import { formatSize } from '../lib/sizes.js'
import type { StoredCopy } from './port.js'
import { isAutomatic } from './snapshots.js'
import { toTable } from './stored-world.js'

/** How many bytes of JSON worlds may hold. */
export interface ByteLimits {
  readonly world: number
  /** Each tenant has a limit for all its worlds together. */
  readonly tenants?: TenantRoom | undefined
}

interface TenantRoom {
  assertRoom(tenant: string | undefined, more: number): void
  addBytes(tenant: string | undefined, more: number): void
}

/**
 * Limits the records of a world, with its scenarios and armed calls, and the snapshots that a caller took. Fixtures do not
 * count, nor do the three snapshots that resets take: a world that was reset must have room.
 */
export class ByteBudget {
  readonly #limits: ByteLimits
  readonly #of: StoredCopy
  #records: number | undefined

  constructor(limits: ByteLimits, of: StoredCopy) {
    this.#limits = limits
    this.#of = of
  }

  get bytes(): number {
    const taken = this.#of.snapshots().filter((it) => !isAutomatic(it))
    return taken.reduce((sum, it) => sum + weighSnapshot(it.world), this.#ownRecords)
  }

  get #ownRecords(): number {
    this.#records ??= weighRecords(this.#of.world)
    return this.#records
  }

  /** Throws a Refusal if there is no room for what was written. */
  readonly assertRoom = (writes: Writes): void => {
    const more = weighWrites(writes)
    // The world has them already, until the command is rolled back.
    this.#records ??= weighRecords(this.#of.world) - more
    this.#assertRoom(more)
  }

  add(writes: Writes): void {
    const more = weighWrites(writes)
    if (this.#records !== undefined) this.#records += more
    this.#addToTenant(more)
  }

  /** Adds a snapshot, or throws a Refusal. */
  addSnapshot(): void {
    this.#assertRoom(this.#ownRecords)
    this.#addToTenant(this.#ownRecords)
  }

  /** Throws a Refusal if there is no room for other records in place of these. */
  assertRestorable(world: World): void {
    this.#assertRoom(weighSnapshot(world) - this.#ownRecords)
  }

  /** Adds another world of the tenant, or throws a Refusal. */
  addFork(world: World): void {
    const more = weighSnapshot(world)
    this.#assertTenantRoom(more)
    this.#addToTenant(more)
  }

  #assertRoom(more: number): void {
    if (more <= 0) return
    this.#assertTenantRoom(more)
    assertFits(
      'this world',
      this.bytes,
      more,
      this.#limits.world,
      'Delete snapshots, or go on in a new world',
    )
  }

  #assertTenantRoom(more: number): void {
    this.#limits.tenants?.assertRoom(this.#of.tenant, more)
  }

  #addToTenant(more: number): void {
    this.#limits.tenants?.addBytes(this.#of.tenant, more)
  }

  /** The world was read or made again. */
  weighAgain(): void {
    this.#records = undefined
  }
}

/** Throws a Refusal with the sums if there is no room for more. */
export const assertFits = (
  who: string,
  bytes: number,
  more: number,
  limit: number,
  hint: string,
): void => {
  if (bytes + more <= limit) return
  const problem = `${who} holds ${formatSize(bytes)} of ${formatSize(limit)}, and this would add ${formatSize(more)}`
  throw new Refusal('full', { problem, hint })
}

/** Records never change. */
const sizes = new WeakMap<Row, number>()

const weigh = (row: Row | undefined): number => {
  if (!row) return 0
  const known = sizes.get(row)
  if (known !== undefined) return known
  const size = Buffer.byteLength(JSON.stringify(row))
  sizes.set(row, size)
  return size
}

const weighWrites = (writes: Writes): number => {
  let sum = 0
  forEachWrite(writes, (_table, _id, before, after) => {
    sum += weigh(after) - weigh(before)
  })
  return sum
}

const weighRecords = ({ tables }: World): number =>
  tableNames
    .flatMap((name) => toTable(tables, name).own().records)
    .reduce((sum, row) => sum + weigh(row), 0)

/** A snapshot never changes. */
const snapshotSizes = new WeakMap<World, number>()

const weighSnapshot = (world: World): number => {
  const size = snapshotSizes.get(world) ?? weighRecords(world)
  snapshotSizes.set(world, size)
  return size
}
