import { describe, expect, test } from 'vitest'
import { MemoryLog } from '../../test/support/memory-log.js'
import type { CommandRecord } from '../kernel/command-record.js'
import { Commits } from './commit.js'
import type { Commit, CompactionSource, Origin, StoredCopy } from './port.js'

/** A log whose writes end when the test says so. */
class HeldLog extends MemoryLog {
  readonly written: string[][] = []
  readonly ends: ((fails?: readonly string[]) => void)[] = []
  source: CompactionSource | undefined

  override begin(proposal: Origin, source?: CompactionSource) {
    this.source = source
    return super.begin(proposal)
  }

  override async append(commits: readonly Commit[]) {
    this.written.push(
      commits.map(({ id, entries }) => `${id} ${entries.map(({ seq }) => seq).join()}`),
    )
    const fails = await new Promise<readonly string[]>((resolve) => {
      this.ends.push((ids = []) => resolve(ids))
    })
    const results = await super.append(commits)
    return results.map((result, i) =>
      fails.includes(commits[i]?.id ?? '') ? ({ is: 'failed' } as const) : result,
    )
  }
}

const turn = () => new Promise(setImmediate)

const open = async () => {
  const log = new HeldLog()
  const group = new Commits(log)
  const undone: string[] = []
  const persisted: string[] = []
  const worlds = new Map<string, StoredCopy>()
  await group.begin({ seed: 's', isDrawn: false, base: {} as never }, () => [...worlds.values()])
  const worldOf = (id: string): StoredCopy => {
    const world: StoredCopy = worlds.get(id) ?? {
      id,
      standing: 'fresh',
      head: undefined,
      isPartial: false,
      world: {} as never,
      created_at: '',
      snapshots: () => [],
      isSuspect: () => false,
      onPersisted: (seq) => persisted.push(`${id} ${seq}`),
      rollbackLatest: ({ seq }) => undone.push(`${id} ${seq}`),
      neededFrom: () => undefined,
      resumeTimers: () => {},
      follow: () => {},
    }
    worlds.set(id, world)
    return world
  }
  const add = (id: string, seq: number) =>
    group.append(worldOf(id), { seq, command: 'x', changes: [] as unknown } as CommandRecord)
  return { log, group, undone, persisted, worldOf, add }
}

describe('group commit', () => {
  test('starts the next write before it resolves the last one', async () => {
    const { log, group, add } = await open()
    add('a', 1)
    const written = group.pending?.then(() => log.written.length)
    await turn()
    add('a', 2)
    log.ends[0]?.()
    expect(await written).toBe(2)
  })

  test('the worlds to store are no longer right if a deletion before them fails', async () => {
    const { log, group, worldOf, add } = await open()
    add('a', 1)
    await turn()
    log.ends[0]?.()
    await group.pending
    group.delete(worldOf('a'), () => {})
    const { worlds, persisted } = log.source?.worlds() ?? {}
    expect(worlds).toEqual({})
    await turn()
    log.ends[1]?.(['a'])
    await expect(persisted?.()).rejects.toThrow('the change was not made')
  })

  test('a failure that nobody waits for is no unhandled rejection', async () => {
    const unhandled: unknown[] = []
    const record = (why: unknown) => void unhandled.push(why)
    process.on('unhandledRejection', record)
    const { log, group, add } = await open()
    add('a', 1)
    const pending = group.pending
    await turn()
    log.ends[0]?.(['a'])
    await turn()
    await turn()
    process.off('unhandledRejection', record)
    expect(unhandled).toEqual([])
    await expect(pending).rejects.toThrow()
  })
})
