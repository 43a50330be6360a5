import { execFileSync } from 'node:child_process'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { checksum, formatCommit, parseLog } from '../../src/worlds/file/log-lines.js'
import { openFileStore } from '../../src/worlds/file/store.js'
import { dataFile } from '../support/data-folder.js'
import { ownId } from '../support/fixture-ids.js'
import { got } from '../support/invalid.js'
import { MemoryDisk } from '../support/memory-disk.js'
import { openPersistent } from '../support/persistent-sandbox.js'
import { payoutRequest, walletRequest } from '../support/requests.js'
import { worldId, worldKey } from '../support/worlds.js'
import { expectRefused, snapshotOf } from './failed-start.js'

/** The files of a sandbox that was used a little: closed, or crashed with all lines in the journal. */
const used = async (how: 'closed' | 'crashed') => {
  const file = dataFile()
  const disk = new MemoryDisk()
  const { sandbox, call } = await openPersistent(file, disk)
  await call('POST', '/payment/api/v1/payout', payoutRequest())
  await call('POST', '/payment/api/v1/custody-wallet', walletRequest())
  await call('POST', '/_sandbox/scenarios', {
    name: 'mine',
    title: 'Mine',
    rules: [{ when: 'payout.created', then: [{ after: '5s', move: 'PAYOUT_FAILED' }] }],
  })
  await call('POST', '/_sandbox/clock/advance', { by: '1s' })
  await sandbox.flushed()
  const left = disk.copy()
  await sandbox.close()
  return { file, journal: 'state.json.journal.1', disk: how === 'closed' ? disk : left }
}

describe('a journal', () => {
  test.each([0, 1, 100, -1])('loses such a line with a warning, cut at %i', async (at) => {
    const { file, journal, disk } = await used('crashed')
    const text = disk.text(journal)
    const start = text.lastIndexOf('\n', text.length - 2) + 1
    const kept = parseLog(Buffer.from(text.slice(0, start)), journal)
    const stored = kept?.records.flatMap(({ entries }) => entries).length ?? 0
    const end = at < 0 ? text.length + at : start + at
    disk.put(journal, Buffer.from(text).subarray(0, end))
    const { sandbox, warnings } = await openPersistent(file, disk)
    const lost = `those ${end - start} bytes are dropped, nothing that was answered is in them`
    const warning = `state.json.journal.1: a crash cut its end off; ${lost}`
    expect(warnings).toEqual(at === 0 ? [] : [warning])
    expect(sandbox.main.world.seq).toBe(2 + stored)
  })

  test('holds no world that was begun or reset by halves, cut at any line', async () => {
    const file = dataFile()
    const journal = 'state.json.journal.1'
    const disk = new MemoryDisk()
    const { sandbox, call } = await openPersistent(file, disk)
    const key = worldKey('w')
    await call('POST', '/payment/api/v1/payout', payoutRequest(), key)
    await call('POST', '/_sandbox/reset', undefined, key)
    await call('POST', '/_sandbox/reset')
    const left = disk.copy()
    await sandbox.close()
    const lines = left.text(journal).split(/(?<=\n)/)
    const found: (number | undefined)[] = []
    for (let kept = 1; kept < lines.length; kept++) {
      disk.become(left)
      disk.put(journal, lines.slice(0, kept).join('') + lines[kept]?.slice(0, 40))
      const again = await openPersistent(file, disk)
      found.push(again.sandbox.worlds.find(worldId(key))?.world.seq)
      const paid = await again.call('POST', '/payment/api/v1/payout', payoutRequest(), key)
      expect(paid.status).toBe(200)
      await again.sandbox.close()
    }
    const none = undefined
    expect(found).toEqual([none, none, 6, 10])
  })

  test('stays as a crash has left it when the start is refused for something else', async () => {
    const { file, journal, disk } = await used('crashed')
    disk.put(journal, disk.text(journal).slice(0, -10))
    const before = snapshotOf(disk)
    await expect(openPersistent(file, disk, { seed: 'another' })).rejects.toThrow(got('another'))
    expect(snapshotOf(disk)).toEqual(before)
  })

  test('stops the start when a byte of it is another one, and names the line', async () => {
    const { file, journal, disk } = await used('crashed')
    const bytes = Buffer.from(disk.text(journal))
    for (let at = 0; at < bytes.length - 1; at += 97) {
      const spoiled = Buffer.from(bytes)
      spoiled[at] = (spoiled[at] ?? 0) ^ 1
      const damaged = disk.copy()
      damaged.put(journal, spoiled)
      const line = bytes.subarray(0, at).toString().split('\n').length
      await expectRefused(
        file,
        damaged,
        new RegExp(`^state.json.journal.1:(${line}|${line + 1}): `),
      )
    }
  })

  test.each([
    ['zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
    ['without line breaks', (bytes: Buffer) => Buffer.from(bytes.toString().replaceAll('\n', ' '))],
  ])('stops the start when all of it is %s', async (_, spoil) => {
    const { file, journal, disk } = await used('crashed')
    disk.put(journal, spoil(Buffer.from(disk.text(journal))))
    await expectRefused(
      file,
      disk,
      /^state\.json\.journal\.1:1: none of its \d+ bytes can be read.*Restore it from a copy, or remove it/,
    )
  })

  test.each([0, 20])(
    'that ends after %i bytes never began, with a warning, and is renamed',
    async (length) => {
      const { file, journal, disk } = await used('crashed')
      disk.put(journal, disk.text(journal).slice(0, length))
      const { sandbox, warnings } = await openPersistent(file, disk)
      expect(warnings).toEqual([
        `${journal}: it has ${length} bytes of its first line, so it counts as never begun`,
      ])
      await sandbox.close()
      const left = [...disk.files.keys()].filter((it) => it.includes('journal'))
      expect(left).toEqual(length === 0 ? [] : [`${journal}.unread`])
    },
  )

  test('stops the start when a line is missing', async () => {
    const { file, journal, disk } = await used('crashed')
    const lines = disk.text(journal).split('\n')
    disk.put(journal, lines.toSpliced(-3, 1).join('\n'))
    const reason =
      /^state\.json\.journal\.1:\d+: entry \d+ cannot follow entry \d+ of that world\. Nothing was changed/
    await expectRefused(file, disk, reason)
  })

  test('stops the start when it is of another format', async () => {
    const { file, journal, disk } = await used('crashed')
    const text = disk.text(journal)
    const newer = '{"format":99}'
    disk.put(journal, `${checksum(newer)} ${newer}\n${text.slice(text.indexOf('\n') + 1)}`)
    await expectRefused(
      file,
      disk,
      /^state\.json\.journal\.1:1: it has format 99, and this version of Sandramp reads format 3/,
    )
  })

  test.each([
    [
      'changes an unknown table',
      { changes: [{ table: 'coins', id: 'a', record: null }] },
      /no table is named coins/,
    ],
    [
      'changes balances, which come of movements alone',
      { changes: [{ table: 'balances', id: 'a', record: null }] },
      /no table is named balances/,
    ],
  ])('stops the start when an entry %s', async (_what, wrong, words) => {
    const { file, journal, disk } = await used('crashed')
    const bytes = Buffer.from(disk.text(journal))
    const last = parseLog(bytes, journal)?.records.at(-1)
    const entry = { ...last?.entries[0], ...wrong } as never
    const start = bytes.lastIndexOf('\n', -2) + 1
    const line = formatCommit({ id: 'default', head: undefined, entries: [entry] })
    disk.put(journal, bytes.toString('utf8', 0, start) + line)
    await expectRefused(file, disk, words)
  })

  test('stops the start when its snapshot is not there', async () => {
    const { file, disk } = await used('crashed')
    disk.files.delete('state.json')
    await expectRefused(
      file,
      disk,
      /state\.json\.journal\.1: its snapshot .*state\.json is missing/,
    )
  })

  /** Opens the files, pays, and closes them; answers what a crash before that would have left. */
  const pay = async (file: string, on: MemoryDisk, id: number) => {
    const { sandbox, call } = await openPersistent(file, on)
    const body = { ...payoutRequest(), customer_payout_id: ownId(id) }
    await call('POST', '/payment/api/v1/payout', body)
    const left = on.copy()
    await sandbox.close()
    return left
  }

  test('stops the start when its snapshot is an earlier one', async () => {
    const { file, disk } = await used('closed')
    const early = disk.text(file)
    await pay(file, disk, 5)
    const crashed = await pay(file, disk, 6)
    crashed.put(file, early)
    await expectRefused(file, crashed, /it belongs to another snapshot/)
    // Without lines of its own it says nothing that the snapshot would lack.
    disk.put(file, early)
    const again = await openPersistent(file, disk)
    expect(again.sandbox.main.world.tables.payouts.first('customer_id', ownId(5))).toBeUndefined()
  })

  test('stops the start when its snapshot went on elsewhere', async () => {
    const { file, disk } = await used('closed')
    const elsewhere = disk.copy()
    await pay(file, elsewhere, 100)
    const left = await pay(file, disk, 1)
    left.put(file, elsewhere.text(file))
    await expectRefused(file, left, /it belongs to another snapshot/)
  })

  test('stops the start when one before it is missing', async () => {
    const { file, journal, disk } = await used('crashed')
    const { sandbox } = await openPersistent(file, disk)
    const crashed = disk.copy()
    await sandbox.close()
    crashed.files.delete(journal)
    await expectRefused(file, crashed, /journal\.2: .* or a journal before it is missing/)
  })

  test('is refused when it is something else', async () => {
    const { file, disk } = await used('closed')
    disk.put('state.json.journal.9', 'dear diary\n')
    await expectRefused(file, disk, /^state\.json\.journal\.9:1: its checksum is dear diar/)
  })
})

describe('a data file', () => {
  test.each([
    ['', /not well-formed JSON/],
    ['{"a": 1,\n "b": }', /^state\.json: not well-formed JSON: Unexpected token/],
    ['[]', /no data file of Sandramp/],
    [
      '{"users": []}',
      /it is no data file of Sandramp, which has a format number\. Nothing was changed/,
    ],
    ['{"format": 99}', /it has format 99, and this version of Sandramp reads format 3\. Nothing/],
    ['{"format": "2"}', /no data file/],
    ['{"format": 2}', /it has format 2, and this version of Sandramp reads format 3/],
    ['{"format": 3}', /changed since it was written/],
  ])('that holds %j is refused', async (text, words) => {
    const file = dataFile()
    const disk = new MemoryDisk()
    disk.put(file, text)
    await expectRefused(file, disk, words)
  })

  test.skipIf(process.platform === 'win32').each(['.journal.1'])(
    'with a pipe beside it, named %s, is refused',
    async (ending) => {
      const data = dataFile()
      await (await createSandbox({ data })).close()
      rmSync(data + ending, { force: true })
      execFileSync('mkfifo', [data + ending])
      await expect(createSandbox({ data })).rejects.toThrow(
        `state.json${ending} is not a file; remove it, or bring back the one that was there`,
      )
    },
  )

  test('in a folder that is not there is refused', async () => {
    const data = `${dataFile()}/state.json`
    await expect(createSandbox({ data })).rejects.toThrow(
      /state\.json cannot be created: there is no folder/,
    )
    const elsewhere = dataFile()
    writeFileSync(elsewhere, 'x')
    await expect(createSandbox({ data: `${elsewhere}/state.json` })).rejects.toThrow(
      'state.json cannot be used: a folder on the way to it is a file. Expected the path of a file',
    )
  })

  test('is made where a link leads, which stays', async () => {
    const file = dataFile()
    const link = `${file}.link`
    symlinkSync('state.json', link)
    const sandbox = await createSandbox({ data: link })
    await sandbox.close()
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(existsSync(file)).toBe(true)
  })
})

test('a lock that is no socket is not taken for another Sandramp', async () => {
  const data = dataFile()
  mkdirSync(`${data}.lock`)
  await expect(createSandbox({ data })).rejects.toThrow(`${data} cannot be locked`)
})

test('a change after its folder was renamed is refused with that reason', async () => {
  const data = dataFile()
  const folder = dirname(data)
  const sandbox = await createSandbox({ data })
  renameSync(folder, `${folder}-2`)
  onTestFinished(() => rmSync(`${folder}-2`, { recursive: true }))
  const warned = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => warned.mockRestore())
  const answer = await sandbox.fetch('/_sandbox/worlds', { method: 'POST' })
  const { message } = (await answer.json()) as { message: string }
  expect([answer.status, message]).toEqual([
    503,
    expect.stringContaining(`the folder ${folder} was`),
  ])
  await sandbox.close()
})

test('a data file that somebody edited is refused with the way to other records', async () => {
  const { file, disk } = await used('closed')
  disk.put(file, disk.text(file).replace('"Ada"', '"Eda"'))
  await expectRefused(file, disk, /^state\.json: it changed since .* use --fixtures\. Nothing was/)
})

test('a data file is refused whichever byte of it a fault has changed', async () => {
  const { file, disk } = await used('closed')
  const bytes = Buffer.from(disk.text(file))
  for (let n = 0; n < 200; n++) {
    const at = Math.floor((n * bytes.length) / 200)
    const damaged = new MemoryDisk()
    const flipped = Buffer.from(bytes)
    flipped[at] = (flipped[at] ?? 0) ^ (1 << (n % 8))
    damaged.put(file, flipped)
    const options = { fs: damaged, schedule: () => () => {}, warn: () => {} }
    await expect(openFileStore(file, options)).rejects.toThrow('state.json')
  }
})
