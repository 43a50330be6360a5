import { expect, test } from 'vitest'
import { WalFile } from '../../src/persistence/file/wal.js'
import { formatCommit, withChecksum } from '../../src/persistence/file/wal-records.js'
import { MemoryDisk, noSpace } from '../support/memory-disk.js'

const [first = '', second = '', third = ''] = ['a', 'b', 'c'].map((id) =>
  formatCommit({ id, head: undefined, entries: [], ends: true }),
)

test('a write-ahead log hands no rejected commit on to the next log', async () => {
  const disk = new MemoryDisk()
  const snapshot = { id: 'a', crc: '00000000', size: 0 }
  const wal = await WalFile.create(disk, 'journal', { format: 2, snapshot })
  wal.remember()
  await wal.write(first)
  disk.meanwhile = noSpace
  await expect(wal.flush(second)).rejects.toThrow('ENOSPC')
  disk.meanwhile = () => {}
  await wal.flush(third)
  expect(wal.remembered().map(String)).toEqual([String(withChecksum(third))])
})
