import { spawn } from 'node:child_process'

/**
 * Reads the number of a process group, then waits for a line. When its input ends without one, whoever held
 * the other end is dead: it kills the group.
 */
const WATCH = 'read group && { read line || kill -s KILL -- "-$group"; }'

export interface Guard {
  readonly watch: (group: number) => void
  readonly release: () => void
}

/** Sees to it that a process group ends with us, even when we are killed without a chance to say anything. */
export const startGuard = (): Guard => {
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
    watch: (group) => guard.stdin.write(`${group}\n`),
    release: () => guard.stdin.end('done\n'),
  }
}
