import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENDING_SIGNALS } from '../signals.js'

/** How a command ended. */
export type ExitReason =
  | { readonly kind: 'exited'; readonly code: number }
  /** By a signal that did not come from this process, or by a crash. */
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'timed_out' }
  /** This process got a signal and passed it on. */
  | { readonly kind: 'interrupted'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not_started'; readonly why: string }

/** Time that a command has to end after the first signal. */
const GRACE_MS = 5_000
/** Time that killed processes have to disappear, and their output to arrive. */
const KILL_MS = 1_000
const POLL_MS = 20

/** Windows has no process groups, so only the command itself ends there. */
const HAS_GROUPS = process.platform !== 'win32'

/**
 * Runs a command in its own process group and kills what is left of the group when the command ends. Signals to
 * this process go to the group. With `onOutput` the command has no stdin, and its output goes there.
 */
export const spawnCommand = async (
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  timeout_ms: number | undefined,
  onOutput?: (chunk: Buffer) => void,
): Promise<ExitReason> => {
  let child: ChildProcess | undefined
  let reason: ExitReason | undefined
  let killTimer: NodeJS.Timeout | undefined
  const kill = () => signalGroup(child, 'SIGKILL')
  const stop = (why: ExitReason, signal: NodeJS.Signals) => {
    // A second signal does not wait.
    signalGroup(child, reason ? 'SIGKILL' : signal)
    reason ??= why
    killTimer ??= setTimeout(kill, GRACE_MS)
  }
  const passOn = (signal: NodeJS.Signals) => stop({ kind: 'interrupted', signal }, signal)
  // Before the command starts: it may be over at once.
  for (const signal of ENDING_SIGNALS) process.on(signal, passOn)
  process.once('exit', kill)
  child = spawn(program, args, {
    stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit',
    env,
    detached: HAS_GROUPS,
  })
  const outputEnded = onOutput && forwardOutput(child, onOutput)
  const exited = waitForExit(child, program)
  const timer = timeout_ms && setTimeout(() => stop({ kind: 'timed_out' }, 'SIGTERM'), timeout_ms)

  const exit = await exited
  if (timer) clearTimeout(timer)
  // The other processes of the group got the signal too, and may take as long to end.
  if (reason) await waitForGroup(child, GRACE_MS)
  kill()
  await waitForGroup(child, KILL_MS)
  await outputEnded?.()
  clearTimeout(killTimer)
  process.off('exit', kill)
  for (const signal of ENDING_SIGNALS) process.off(signal, passOn)
  return reason ?? exit
}

/** Returns a function that waits for the rest of the output, but not for long: a daemon may hold the pipe open. */
const forwardOutput = (
  { stdout, stderr }: ChildProcess,
  onOutput: (chunk: Buffer) => void,
): (() => Promise<void>) => {
  const streams = [stdout, stderr].filter((stream) => stream !== null)
  const closed = streams.map((stream) => new Promise((resolve) => stream.once('close', resolve)))
  for (const stream of streams) stream.on('data', onOutput)
  return async () => {
    const abort = new AbortController()
    const late = sleep(KILL_MS, undefined, { signal: abort.signal }).catch(() => {})
    await Promise.race([Promise.all(closed), late])
    abort.abort()
    for (const stream of streams) stream.destroy()
  }
}

const waitForExit = (child: ChildProcess, program: string): Promise<ExitReason> =>
  new Promise((resolve) => {
    child.once('error', (error) =>
      resolve({ kind: 'not_started', why: startErrorMessage(error, program) }),
    )
    child.once('exit', (code, signal) => {
      resolve(signal ? { kind: 'killed', signal } : { kind: 'exited', code: code ?? 1 })
    })
  })

/** Checks the file system only: undefined means that the program may start. */
export const findStartError = (program: string, env: NodeJS.ProcessEnv): string | undefined => {
  // Windows finds programs in its own way.
  if (!HAS_GROUPS) return undefined
  const folders = (env.PATH ?? '/bin:/usr/bin').split(delimiter)
  const files = program.includes('/') ? [program] : folders.map((it) => join(it || '.', program))
  const found = files.filter((file) => statSync(file, { throwIfNoEntry: false }))
  if (found.some(isExecutable)) return undefined
  const code = found.length > 0 ? 'EACCES' : 'ENOENT'
  return startErrorMessage(Object.assign(new Error(code), { code }), program)
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

const startErrorMessage = (error: NodeJS.ErrnoException, program: string): string => {
  if (error.code === 'ENOENT') {
    const hint = /\s/.test(program) ? `. Start a shell for a line of commands: -- sh -c '…'` : ''
    return `command not found: ${program}${hint}`
  }
  if (error.code === 'EACCES') return `${program} cannot be executed: permission denied`
  return `${program} cannot be executed: ${error.message}`
}

const signalGroup = (child: ChildProcess | undefined, signal: NodeJS.Signals | 0): boolean => {
  const pid = child?.pid
  if (pid === undefined) return false
  try {
    return process.kill(HAS_GROUPS ? -pid : pid, signal)
  } catch {
    return false
  }
}

/** Waits until the group is empty, at most this long. */
const waitForGroup = async (child: ChildProcess, max_ms: number): Promise<void> => {
  for (let waited_ms = 0; waited_ms < max_ms; waited_ms += POLL_MS) {
    if (!signalGroup(child, 0)) return
    await sleep(POLL_MS)
  }
}
