import { readdirSync, readFileSync } from 'node:fs'

/** What a process is: dead or alive, in which group, since when, with how much memory. */
interface Stat {
  readonly isDead: boolean
  readonly group: number
  /** Ticks since the machine was started. */
  readonly began: number
  /** 0 for the dead, and for threads of the kernel. */
  readonly bytes: number
}

/** What stands in `/proc/<pid>/stat` behind the name: state, parent, group; far behind, the start and the memory. */
const STAT = /\) (\S) \d+ (\d+) (?:\S+ ){16}(\d+) (\d+) /

/**
 * Whether all that is left of a process group is dead, and waits for whoever inherited it to notice. In a
 * container that may take for ever. Told only where there is `/proc`; elsewhere false.
 */
export const isGroupDead = (group: number): boolean =>
  process.platform === 'linux' &&
  pids().every((pid) => {
    const stat = readStat(pid)
    return stat?.group !== group || stat.isDead
  })

/** What a look at all processes has shown. */
interface Look {
  readonly found: readonly number[]
  /** Somebody was about to become another program, and had no environment for that moment. */
  readonly isUnsure: boolean
}

/**
 * The processes younger than this one that were started with a text in their environment, whatever group
 * they are in: a daemon leaves its group, but not its environment. Told only where there is `/proc`.
 */
export const processesWith = (variable: string): Look => {
  if (process.platform !== 'linux') return { found: [], isUnsure: false }
  const found: number[] = []
  let isUnsure = false
  const since = readStat('self')?.began ?? 0
  for (const pid of pids()) {
    const stat = readStat(pid)
    if (!stat?.bytes || stat.began < since) continue
    const environment = statFile(pid, 'environ')
    if (environment === '') isUnsure = true
    if (environment?.split('\0').includes(variable)) found.push(pid)
  }
  return { found, isUnsure }
}

const pids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => pid !== process.pid)

const readStat = (pid: number | 'self'): Stat | undefined => {
  const [, state = '', group, began, bytes] = STAT.exec(statFile(pid, 'stat') ?? '') ?? []
  if (!state) return undefined
  const isDead = state === 'Z' || state === 'X'
  return { isDead, group: Number(group), began: Number(began), bytes: Number(bytes) }
}

/** What `/proc` tells of a process; undefined when it is gone, or somebody else's. */
const statFile = (pid: number | 'self', name: 'stat' | 'environ'): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return undefined
  }
}
