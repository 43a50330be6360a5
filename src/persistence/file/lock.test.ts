import { spawn } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import fsPromises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { lock } from './lock.js'

/** Replaces the next call of a system function. Returns whether it was called. */
const once = <Name extends 'stat' | 'rename'>(name: Name, act: (path: string) => void) => {
  const real = fsPromises[name] as (...args: unknown[]) => Promise<unknown>
  const become = (call: typeof real) => {
    Object.assign(fsPromises, { [name]: call })
    // Named imports follow only then.
    syncBuiltinESMExports()
  }
  const called = vi.fn()
  onTestFinished(() => become(real))
  become(async (...args) => {
    become(real)
    called()
    act(String(args[0]))
    return real(...args)
  })
  return called
}

const makeFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A socket that its process has left behind, as a crash does. */
const leaveStale = async (place: string): Promise<void> => {
  const program = `require('node:net').createServer().listen(${JSON.stringify(place)}, () => process.kill(process.pid, 'SIGKILL'))`
  const child = spawn(process.execPath, ['-e', program])
  await new Promise((resolve) => child.once('close', resolve))
}

describe('a lock', () => {
  test('is one process’s alone until it is released', async () => {
    const path = join(makeFolder(), 'state.json')
    const first = await lock(path, 'state.json')
    await expect(lock(path, 'state.json')).rejects.toThrow(
      'state.json: another Sandramp is using it; close that one, or give another file',
    )
    await first.release()
    const second = await lock(path, 'state.json')
    await second.release()
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  test('is taken over from a process that has crashed', async () => {
    const path = join(makeFolder(), 'state.json')
    await leaveStale(`${path}.lock.0a1b2c3d`)
    expect(existsSync(`${path}.lock.0a1b2c3d`)).toBe(true)
    const held = await lock(path, 'state.json')
    await expect(lock(path, 'state.json')).rejects.toThrow('another Sandramp')
    await held.release()
  })

  test('removes what a process has left that was killed before it stood for it, and nothing else', async () => {
    const path = join(makeFolder(), 'state.json')
    await leaveStale(`${path}.lock.0a1b2c3d.4e5f6071`)
    const early = createServer((socket) => socket.resume().end('yours'))
    await new Promise<void>((resolve) => early.listen(`${path}.lock.0a1b2c3d.99999999`, resolve))
    const others = ['state.json.lock.0a1b2c3d.99999999', 'state.json.lock.old-copy']
    writeFileSync(`${path}.lock.old-copy`, '')
    const held = await lock(path, 'it')
    const left = readdirSync(join(path, '..')).filter((name) => !others.includes(name))
    await held.release()
    expect(left).toEqual([expect.stringMatching(/^state\.json\.lock\.[0-9a-f]{8}$/)])
    expect(readdirSync(join(path, '..')).sort()).toEqual(others)
    await new Promise((resolve) => early.close(resolve))
  })

  test('is one process’s alone, also when it took another for what a crash has left', async () => {
    const path = join(makeFolder(), 'state.json')
    const first = await lock(path, 'it')
    const renamed = once('rename', (from) => rmSync(from))
    await expect(lock(path, 'it')).rejects.toThrow('another Sandramp')
    expect(renamed).toHaveBeenCalled()
    await first.release()
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  test('is refused if its folder is gone', async () => {
    const folder = makeFolder()
    const held = await lock(join(folder, 'state.json'), 'it')
    rmSync(folder, { recursive: true })
    await expect(held.renew()).rejects.toThrow(
      `it cannot be locked: the folder ${folder} is gone. Expected an existing folder`,
    )
    await held.release()
  })

  test('goes to one of many who want it at once, whether it is new or stale', async () => {
    for (let round = 0; round < 6; round++) {
      const path = join(makeFolder(), 'state.json')
      if (round % 2 === 0) await leaveStale(`${path}.lock.0a1b2c3d`)
      const all = await Promise.allSettled(Array.from({ length: 8 }, () => lock(path, 'it')))
      const won = all.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []))
      expect(won).toHaveLength(1)
      await expect(lock(path, 'it')).rejects.toThrow('another Sandramp')
      await won[0]?.release()
      expect(readdirSync(join(path, '..'))).toEqual([])
    }
  })

  test('is taken again after its socket was removed, unless another process has it', async () => {
    const path = join(makeFolder(), 'state.json')
    const first = await lock(path, 'it')
    const socket = () => readdirSync(join(path, '..')).map((name) => join(path, '..', name))
    for (const it of socket()) rmSync(it)
    await first.renew()
    await expect(lock(path, 'it')).rejects.toThrow('another Sandramp')
    for (const it of socket()) rmSync(it)
    const second = await lock(path, 'it')
    await expect(first.renew()).rejects.toThrow('another Sandramp')
    await second.renew()
    await second.release()
    await first.release()
  })

  test('is taken again once when two renewals run at the same time', async () => {
    const path = join(makeFolder(), 'state.json')
    const held = await lock(path, 'it')
    for (const name of readdirSync(join(path, '..'))) rmSync(join(path, '..', name))
    await Promise.all([held.renew(), held.renew()])
    expect(readdirSync(join(path, '..'))).toHaveLength(1)
    await expect(lock(path, 'it')).rejects.toThrow('another Sandramp')
    await Promise.all([held.renew(), held.release()])
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  test.each([
    ['cannot check its socket', 'EIO'],
    ['finds its socket again that was away for a moment, with its folder', 'ENOENT'],
  ])('stays what it is when the system %s', async (_, code) => {
    const path = join(makeFolder(), 'state.json')
    const held = await lock(path, 'it')
    const asked = once('stat', () => {
      throw Object.assign(new Error(`${code}: it went wrong`), { code })
    })
    await held.renew()
    expect(asked).toHaveBeenCalled()
    expect(readdirSync(join(path, '..'))).toHaveLength(1)
    await expect(lock(path, 'it')).rejects.toThrow('another Sandramp')
    await held.release()
    expect(readdirSync(join(path, '..'))).toEqual([])
  })

  test.each([
    ['folder', 'x'.repeat(120), 'state.json', /^state\.json\.lock\.[0-9a-f]{8}$/],
    ['file name', '', 'x'.repeat(120), /^[0-9a-f]{16}\.lock\.[0-9a-f]{8}$/],
  ])('its socket is beside the file when the %s is too long for an address', async (...row) => {
    const [, part, file, form] = row
    const folder = join(makeFolder(), part)
    mkdirSync(folder, { recursive: true })
    const path = join(folder, file)
    const held = await lock(path, 'it')
    expect(readdirSync(folder)).toEqual([expect.stringMatching(form)])
    await expect(lock(path, 'it')).rejects.toThrow('another Sandramp')
    for (const name of readdirSync(folder)) rmSync(join(folder, name))
    await held.renew()
    await expect(lock(path, 'it')).rejects.toThrow('another Sandramp')
    await held.release()
    expect(readdirSync(folder)).toEqual([])
  })

  test('holds for one folder under two paths, of which one is too long for an address', async () => {
    const folder = join(makeFolder(), 'x'.repeat(120))
    mkdirSync(folder)
    const short = join(makeFolder(), 'short')
    symlinkSync(folder, short)
    const held = await lock(join(short, 'state.json'), 'it')
    await expect(lock(join(folder, 'state.json'), 'it')).rejects.toThrow('another Sandramp')
    await held.release()
  })

  test('is refused where no local socket can be made beside the file', async () => {
    const path = join(makeFolder(), 'state.json')
    once('rename', () => {
      throw Object.assign(new Error('EOPNOTSUPP'), { code: 'EOPNOTSUPP' })
    })
    await expect(lock(path, 'it')).rejects.toThrow(
      'it cannot be locked: no local socket can be made beside it (EOPNOTSUPP). Expected a file on a ' +
        'file system with sockets, such as a local disk or a Docker volume',
    )
    expect(readdirSync(join(path, '..'))).toEqual([])
  })
})
