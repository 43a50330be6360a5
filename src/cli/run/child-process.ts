import { type ChildProcess, type StdioOptions, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ENDING_SIGNALS } from '../signals.js'
import { isGroupDead, processesWith } from './processes.js'
import { startWatchdog } from './watchdog.js'

/** How a command came to its end. */
export type ExitReason =
  | { readonly kind: 'exited'; readonly code: number }
  /** Somebody else ended it, or it crashed. */
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'timed_out' }
  /** We were asked to end, and have ended it. */
  | { readonly kind: 'interrupted'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'not_started'; readonly why: string }

/** How long a command that is asked to end may take. */
const GRACE_MS = 5_000
/** How long it takes until what was killed is gone. */
const KILL_MS = 1_000
const GONE_POLL_MS = 20
/** Tells what stems from a run, even when it has left the run's process group. */
const MARK = 'SANDRAMP_RUN'

/** Windows has no process groups: there the command alone is ended. */
const HAS_GROUPS = process.platform !== 'win32'

/**
 * Runs a command in a process group of its own, and waits until all of the group is gone. Signals that we
 * get go to the group. What the command has left running is killed, whatever becomes of us. What it prints
 * goes where ours goes, or to `hear`; then it gets no input either.
 */
export const runCommand = async (
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  timeout_ms: number | undefined,
  hear?: (chunk: Buffer) => void,
): Promise<ExitReason> => {
  const guard = HAS_GROUPS ? startWatchdog() : undefined
  const run = randomUUID()
  const mark = `${MARK}=${run}`
  let child: ChildProcess | undefined
  let reason: ExitReason | undefined
  let impatience: NodeJS.Timeout | undefined
  const kill = () => signalGroup(child, 'SIGKILL')
  const end = (why: ExitReason, signal: NodeJS.Signals) => {
    // Whoever asks a second time does not want to wait.
    signalGroup(child, reason ? 'SIGKILL' : signal)
    reason ??= why
    impatience ??= setTimeout(kill, GRACE_MS)
  }
  const passOn = (signal: NodeJS.Signals) => end({ kind: 'interrupted', signal }, signal)
  // The command may be quick: whatever can befall us must be looked after before it starts.
  for (const signal of ENDING_SIGNALS) process.on(signal, passOn)
  process.once('exit', kill)
  const marked = { ...env, [MARK]: run }
  const stdio: StdioOptions = hear ? ['ignore', 'pipe', 'pipe'] : 'inherit'
  child = spawn(program, args, { stdio, env: marked, detached: HAS_GROUPS })
  const heard = hear ? hearing(child, hear) : undefined
  if (child.pid) guard?.watch(child.pid, mark)
  const ended = toExitReason(child, program)
  const timer = timeout_ms && setTimeout(() => end({ kind: 'timed_out' }, 'SIGTERM'), timeout_ms)

  const ending = await ended
  if (timer) clearTimeout(timer)
  // What the command has started may still be about to end, as it was asked to.
  if (reason) await groupGone(child, GRACE_MS)
  kill()
  await groupGone(child, KILL_MS)
  await endDaemons(mark)
  await heard?.()
  clearTimeout(impatience)
  guard?.release()
  process.off('exit', kill)
  for (const signal of ENDING_SIGNALS) process.off(signal, passOn)
  return reason ?? ending
}

/** Hears what a process prints. What is given waits until all is heard, or for a moment. */
const hearing = (child: ChildProcess, hear: (chunk: Buffer) => void): (() => Promise<void>) => {
  const streams = [child.stdout, child.stderr].filter((stream) => stream !== null)
  const ends = streams.map((stream) => new Promise((resolve) => stream.once('close', resolve)))
  for (const stream of streams) stream.on('data', hear)
  return async () => {
    const patience = new AbortController()
    const { signal } = patience
    // Somebody whom we cannot end may hold the other end open.
    const late = sleep(KILL_MS, undefined, { signal }).catch(() => {})
    await Promise.race([Promise.all(ends), late])
    patience.abort()
    for (const stream of streams) stream.destroy()
  }
}

/**
 * Ends what has left the process group, as daemons do, until two looks in a row have found nobody: what a
 * process starts, and then ends, may have come behind a look.
 */
const endDaemons = async (variable: string): Promise<void> => {
  let clear = 0
  for (let waited_ms = 0; clear < 2 && waited_ms < KILL_MS; ) {
    const { found, isUnsure } = processesWith(variable)
    for (const pid of found) endProcess(pid)
    clear = found.length === 0 && !isUnsure ? clear + 1 : 0
    if (clear > 0) continue
    await sleep(GONE_POLL_MS)
    waited_ms += GONE_POLL_MS
  }
}

const endProcess = (pid: number): void => {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It is gone.
  }
}

const toExitReason = (child: ChildProcess, program: string): Promise<ExitReason> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve({ kind: 'not_started', why: whyNot(error, program) }))
    child.once('exit', (code, signal) => {
      resolve(signal ? { kind: 'killed', signal } : { kind: 'exited', code: code ?? 1 })
    })
  })

/** Why a program cannot be started, as far as files tell; undefined when it may be. */
export const whyNoProgram = (program: string, env: NodeJS.ProcessEnv): string | undefined => {
  // Windows has its own ways to find a program.
  if (!HAS_GROUPS) return undefined
  const folders = (env.PATH ?? '/bin:/usr/bin').split(delimiter)
  const files = program.includes('/') ? [program] : folders.map((it) => join(it || '.', program))
  const found = files.filter((file) => statSync(file, { throwIfNoEntry: false }))
  if (found.some(isExecutable)) return undefined
  const code = found.length > 0 ? 'EACCES' : 'ENOENT'
  return whyNot(Object.assign(new Error(code), { code }), program)
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}

const whyNot = (error: NodeJS.ErrnoException, program: string): string => {
  if (error.code === 'ENOENT') {
    const hint = /\s/.test(program) ? `; a line for a shell goes behind sh -c, as -- sh -c '…'` : ''
    return `there is no command ${program}${hint}`
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
    // It is gone.
    return false
  }
}

/** Waits until nothing of the group is left, but not for ever: what cannot be killed stays. */
const groupGone = async (child: ChildProcess, most_ms: number): Promise<void> => {
  for (let waited_ms = 0; waited_ms < most_ms; waited_ms += GONE_POLL_MS) {
    if (!signalGroup(child, 0)) return
    if (child.pid && isGroupDead(child.pid)) return
    await sleep(GONE_POLL_MS)
  }
}
