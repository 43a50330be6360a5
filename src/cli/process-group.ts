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

const statOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return ''
  }
}
