import { expect } from 'vitest'
import type { MemoryDisk } from '../support/memory-disk.js'
import { openPersistent } from '../support/persistent-sandbox.js'

/** The content of all files. */
export const snapshotOf = (disk: MemoryDisk) =>
  [...disk.files].map(([path, { bytes }]) => [path, bytes.toString()])

/** Expects that a start is refused with these words, and that no file is touched. */
export const expectRefused = async (file: string, disk: MemoryDisk, words: RegExp | string) => {
  const before = snapshotOf(disk)
  await expect(openPersistent(file, disk)).rejects.toThrow(words)
  expect(snapshotOf(disk)).toEqual(before)
}
