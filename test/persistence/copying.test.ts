import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Row } from '../../src/kernel/row.js'
import { Standing } from '../../src/persistence/file/standing.js'
import { checksum } from '../../src/persistence/file/wal-records.js'
import { type RecordLines, writeText } from '../../src/persistence/file/write-text.js'
import { dataFile } from '../support/data-folder.js'
import { ownId } from '../support/fixture-ids.js'
import { MemoryDisk } from '../support/memory-disk.js'
import { look, openPersistent, stateOf } from '../support/persistent-sandbox.js'
import { payoutRequest } from '../support/requests.js'

const PAYOUT = '/payment/api/v1/payout'
const payout = (n: number) => ({ ...payoutRequest(), customer_payout_id: ownId(n), amount: '1.00' })

const rowOf = (n: number, word: string): Row => Object.assign({ id: `${n}`, n }, { word })
const rowsOf = (length: number) => Array.from({ length }, (_, i) => rowOf(2 * i, 'é first'))
const listOf = (path: string, records: readonly Row[]): RecordLines => ({
  path,
  records,
  between: ',\n ',
})
const textOf = (...lists: RecordLines[]) => lists.flatMap((list) => ['[', list, ']\n'])

/** What becomes of a record: mostly nothing. */
const fates = fc.array(
  fc.oneof(
    { weight: 40, arbitrary: fc.constant('stays' as const) },
    { weight: 1, arbitrary: fc.constantFrom('changes', 'goes', 'gets a neighbour') },
  ),
  { minLength: 300, maxLength: 300, size: 'max' },
)

const changed = (records: readonly Row[], what: readonly string[]): Row[] =>
  records.flatMap((record, i) => {
    const { n } = record
    if (what[i] === 'goes') return []
    if (what[i] === 'changes') return [rowOf(n, 'second, and longer')]
    return what[i] === 'gets a neighbour' ? [record, rowOf(n + 1, 'new')] : [record]
  })

describe('a text that is copied where it stands already', () => {
  it('is what would have been written anew, and can be copied from in turn', async () => {
    await fc.assert(
      fc.asyncProperty(fates, fates, fc.boolean(), async (first, second, isTurned) => {
        const disk = new MemoryDisk()
        const before = [rowsOf(300), rowsOf(100)] as const
        let standing = await writeText(
          disk,
          'a',
          textOf(listOf('x', before[0]), listOf('y', before[1])),
        )
        let [x, y] = before as [Row[], Row[]]
        for (const [from, to, what] of [
          ['a', 'b', first],
          ['b', 'c', second],
        ] as const) {
          x = changed(x, what)
          y = changed(y, what)
          const lists = [listOf('x', x), listOf('y', y)]
          // What comes in another order is copied as far as the file is read on.
          const text = textOf(...(isTurned ? lists.toReversed() : lists))
          const file = new Standing(await disk.open(from, 'to read'), standing)
          standing = await writeText(disk, to, text, file)
          await file.end()
          await writeText(disk, 'anew', text)
          expect(disk.text(to)).toBe(disk.text('anew'))
          const bytes = disk.readNow(to) ?? Buffer.alloc(0)
          expect(standing.print).toEqual({ crc: checksum(bytes), size: bytes.length })
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('a fold', () => {
  const filled = async () => {
    const file = dataFile()
    const disk = new MemoryDisk()
    const opened = await openPersistent(file, disk, { foldAt: 1_000 })
    const pay = async (from: number, to: number) => {
      for (let n = from; n <= to; n++) {
        expect((await opened.call('POST', PAYOUT, payout(n))).status).toBe(200)
      }
    }
    await pay(1, 100)
    await opened.sandbox.flushed()
    return { ...opened, file, disk, pay }
  }

  it('copies no record that somebody has changed in the file', async () => {
    const { file, disk, pay, sandbox } = await filled()
    const inode = disk.files.get(file)
    const at = inode?.bytes.indexOf(ownId(1)) ?? -1
    expect(at).toBeGreaterThan(0)
    inode?.bytes.write('f', at)
    expect(disk.text(file)).not.toContain(ownId(1))
    await pay(101, 102)
    const state = stateOf(sandbox.main)
    await sandbox.close()
    expect(disk.text(file)).toContain(ownId(1))
    const again = await openPersistent(file, disk)
    expect(stateOf(again.sandbox.main)).toEqual(state)
    expect(again.told).toEqual([])
  })

  it.each(['removed', 'cut off'])('writes all anew when the file was %s', async (what) => {
    const { file, disk, pay, sandbox, timers, told } = await filled()
    const inode = disk.files.get(file)
    if (what === 'removed') disk.files.delete(file)
    else if (inode) inode.bytes = inode.bytes.subarray(0, 10_000)
    await look({ timers })
    expect(told).toEqual([
      'state.json: it was removed, replaced or cut off while in use; it is written anew',
    ])
    await pay(101, 102)
    const state = stateOf(sandbox.main)
    await sandbox.close()
    const again = await openPersistent(file, disk)
    expect(stateOf(again.sandbox.main)).toEqual(state)
  })
})
