import { spawn } from 'node:child_process'

/**
 * Reads the number of a process group and what marks its daemons, then waits for a line. When its input ends
 * without one, whoever held the other end is dead: it kills the group, and looks for daemons, twice, as what
 * one starts may have come behind a look.
 */
const WATCH = `read group && read mark && { read line || {
  kill -s KILL -- "-$group"
  for look in 1 2; do
    for found in $(grep -lF "$mark" /proc/[0-9]*/environ); do
      found=\${found#/proc/}
      kill -s KILL "\${found%/environ}"
    done
  done
}; }`

export interface Watchdog {
  /** `mark` stands in the environment of all that the group starts. */
  readonly watch: (group: number, mark: string) => void
  readonly release: () => void
}

/** Sees to it that a process group and its daemons end with us, even when we are killed without a chance to say anything. */
export const startWatchdog = (): Watchdog => {
  const guard = spawn('/bin/sh', ['-c', WATCH, 'sandramp-guard'], {
    stdio: ['pipe', 'ignore', 'ignore'],
    // In a group of its own: what ends us must not end it.
    detached: true,
  })
  // Without a shell there is no guard; all other ways to end are still looked after.
  guard.on('error', () => {})
  guard.stdin.on('error', () => {})
  guard.unref()
  return {
    watch: (group, mark) => guard.stdin.write(`${group}\n${mark}\n`),
    release: () => guard.stdin.end('done\n'),
  }
}
