import { describe, expect, test } from 'vitest'
import { WalFile } from '../../src/persistence/file/wal-file.js'
import { withChecksum, worldRecord } from '../../src/persistence/file/wal-records.js'
import { MemoryDisk, noSpace } from '../support/memory-disk.js'

const [first, second, third] = ['a', 'b', 'c'].map((world) => worldRecord(world, 'deleted'))

describe('a journal’s file', () => {
  test('hands nothing on to another that it has cut back', async () => {
    const disk = new MemoryDisk()
    const snapshot = { crc: '00000000', size: 0 }
    const journal = await WalFile.create(disk, 'journal', { format: 1, after: 0, snapshot })
    journal.remember()
    await journal.write(first ?? '')
    disk.meanwhile = noSpace
    await expect(journal.flush(second ?? '', 2)).rejects.toThrow('ENOSPC')
    disk.meanwhile = () => {}
    await journal.flush(third ?? '', 1)
    expect(journal.remembered().map(String)).toEqual([String(withChecksum(third ?? ''))])
  })
})
