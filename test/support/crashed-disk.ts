import { type DiskChange, MemoryDisk } from './memory-disk.js'

/** A whole number below `limit`. */
export type Random = (limit: number) => number

/** The disk as a kill leaves it: with all changes until then, and the first bytes of the write that was running. */
export const afterKill = (disk: MemoryDisk, count: number, random: Random): MemoryDisk =>
  replay([...disk.changes.slice(0, count), ...tear(disk.changes[count], random)])

/**
 * The disk as a loss of power leaves it. Of the changes since the last flush of a file, or of the folder, only the
 * first ones are there.
 */
export const afterPowerLoss = (disk: MemoryDisk, count: number, random: Random): MemoryDisk => {
  const done = disk.changes.slice(0, count)
  const kept = new Map<DiskChange, DiskChange>()
  for (const place of new Set(done.map(placeOf))) {
    const own = done.filter((it) => placeOf(it) === place)
    const flushed = own.findLastIndex(({ is }) => is === 'flush' || is === 'settle') + 1
    const end = flushed + random(own.length - flushed + 1)
    for (const it of own.slice(0, end)) kept.set(it, it)
    for (const half of tear(own[end], random)) kept.set(own[end] as DiskChange, half)
  }
  return replay(done.flatMap((it) => kept.get(it) ?? [])).copy()
}

/** Content is lost by file, and names by folder, of which there is one. */
const placeOf = (change: DiskChange): string => ('inode' in change ? change.inode : 'folder')

const tear = (change: DiskChange | undefined, random: Random): DiskChange[] =>
  change?.is === 'write'
    ? [{ ...change, bytes: change.bytes.subarray(0, random(change.bytes.length + 1)) }]
    : []

const replay = (changes: readonly DiskChange[]): MemoryDisk => {
  const disk = new MemoryDisk()
  for (const it of changes) disk.apply(it)
  return disk
}
