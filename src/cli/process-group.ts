import { readdirSync, readFileSync } from 'node:fs'

/** What stands in `/proc/<pid>/stat` behind the name: state, parent, group. */
const STAT = /\) (\S) \d+ (\d+) /

/**
 * Whether all that is left of a process group is dead, and waits for whoever inherited it to notice. In a
 * container that may take for ever. Told only where there is `/proc`; elsewhere false.
 */
export const isGroupDead = (group: number): boolean => {
  if (process.platform !== 'linux') return false
  const states = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const [, state = '', its = ''] = STAT.exec(statOf(pid)) ?? []
      return Number(its) === group ? [state] : []
    })
  return states.every((state) => state === 'Z' || state === 'X')
}

/**
 * The processes that were started with this text in their environment, whatever group they are in: a
 * daemon leaves its group, but not its environment. Told only where there is `/proc`.
 */
export const processesWith = (variable: string): number[] => {
  if (process.platform !== 'linux') return []
  const own = String(process.pid)
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== own)
    .filter((pid) => fileOf(pid, 'environ').split('\0').includes(variable))
    .map(Number)
}

const statOf = (pid: string): string => fileOf(pid, 'stat')

/** What `/proc` tells of a process; nothing when it is gone, or somebody else's. */
const fileOf = (pid: string, name: 'stat' | 'environ'): string => {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'latin1')
  } catch {
    return ''
  }
}
