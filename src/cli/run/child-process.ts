import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, existsSync } from 'node:fs'
import { delimiter } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { UsageError } from '../../lib/arguments.js'
import { explainFileError, isFile } from '../../lib/read-file.js'
import { ENDING_SIGNALS } from '../exit.js'
import type { RunOptions } from './run-flags.js'

export type ExitReason =
  | { readonly kind: 'exited'; readonly code: number }
  /** By a signal that did not come from this process, or by a crash. */
  | { readonly kind: 'killed'; readonly signal: NodeJS.Signals }
  | { readonly kind: 'timed_out' }

/** This process got a signal and passed it on. */
interface Interrupted {
  readonly kind: 'interrupted'
  readonly signal: NodeJS.Signals
}

/** Time that a command has to end after the first signal. */
const GRACE_MS = 5_000
/** Time that the output has to arrive after the end. */
const OUTPUT_MS = 1_000
const POLL_MS = 20

/** Windows has no process groups, so only the command itself ends there. */
const HAS_GROUPS = process.platform !== 'win32'

/**
 * Runs a command in its own process group and kills what is left of the group when the command ends. Signals to
 * this process go to the group. With `onOutput` the command has no stdin, and its output goes there. Throws a
 * UsageError if the command cannot start.
 */
export const spawnCommand = async (
  [program, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
  timeout_ms: number | undefined,
  onOutput?: (chunk: Buffer) => void,
  /** Kills the whole group, as a crash of its machine does. */
  crash?: AbortSignal,
): Promise<ExitReason | Interrupted> => {
  let child: ChildProcess | undefined
  let reason: ExitReason | Interrupted | undefined
  let timer: NodeJS.Timeout | undefined
  let killTimer: NodeJS.Timeout | undefined
  const kill = () => signalGroup(child, 'SIGKILL')
  const stop = (why: ExitReason | Interrupted, signal: NodeJS.Signals) => {
    // A second signal does not wait.
    signalGroup(child, reason ? 'SIGKILL' : signal)
    reason ??= why
    killTimer ??= setTimeout(kill, GRACE_MS)
  }
  const passOn = (signal: NodeJS.Signals) => stop({ kind: 'interrupted', signal }, signal)
  // Before the command starts: it may be over at once.
  for (const signal of ENDING_SIGNALS) process.on(signal, passOn)
  process.once('exit', kill)
  crash?.addEventListener('abort', kill)
  try {
    child = spawn(findProgram(program, env), args, {
      argv0: program,
      stdio: onOutput ? ['ignore', 'pipe', 'pipe'] : 'inherit',
      env,
      detached: HAS_GROUPS,
    })
    // Node creates no pipes if too many files are open.
    const pipes = [child.stdout, child.stderr].flatMap((pipe) => pipe ?? [])
    if (onOutput) for (const pipe of pipes) pipe.on('data', onOutput)
    const closed = new Promise((resolve) => child?.once('close', resolve))
    const exited = waitForExit(child)
    if (timeout_ms) timer = setTimeout(() => stop({ kind: 'timed_out' }, 'SIGTERM'), timeout_ms)

    const exit = await exited
    clearTimeout(timer)
    // The other processes of the group got the signal too, and may take as long to end.
    if (reason) await waitForGroup(child)
    kill()
    // A process that left the group may hold the pipes open.
    await Promise.race([closed, sleep(OUTPUT_MS, undefined, { ref: false })])
    for (const pipe of pipes) pipe.destroy()
    return reason ?? exit
  } catch (error) {
    // spawn throws some errors and emits others.
    throw new UsageError(startErrorMessage(error, program))
  } finally {
    clearTimeout(timer)
    clearTimeout(killTimer)
    process.off('exit', kill)
    crash?.removeEventListener('abort', kill)
    for (const signal of ENDING_SIGNALS) process.off(signal, passOn)
  }
}

const waitForExit = (child: ChildProcess): Promise<ExitReason> =>
  new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code, signal) => {
      resolve(signal ? { kind: 'killed', signal } : { kind: 'exited', code: code ?? 1 })
    })
  })

/** Looks a command up before its run removes the reports of an earlier one. */
export const assertStartable = ({ command: [program], env }: RunOptions): void => {
  // Throws if the working folder is gone.
  process.cwd()
  findProgram(program, { ...process.env, ...env })
}

/** Skips unusable folders of the PATH as shells do: the system stops at some of them. */
const findProgram = (program: string, { PATH = '/bin:/usr/bin' }: NodeJS.ProcessEnv): string => {
  const folders = PATH.split(delimiter)
  const files = program.includes('/') ? [program] : folders.map((it) => `${it || '.'}/${program}`)
  // Windows finds programs in its own way.
  const found = HAS_GROUPS ? files.find(isExecutable) : program
  if (found !== undefined) return found
  throw new UsageError(
    files.some((file) => existsSync(file))
      ? `${program} cannot be executed: permission denied`
      : commandNotFound(program),
  )
}

const isExecutable = (file: string): boolean => {
  try {
    accessSync(file, constants.X_OK)
    return isFile(file)
  } catch {
    return false
  }
}

const commandNotFound = (program: string): string => {
  const hint = /\s/.test(program) ? `. Start a shell for a line of commands: -- sh -c '…'` : ''
  return `command not found: ${program}${hint}`
}

const startErrorMessage = (error: unknown, program: string): string => {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
    return `${program} cannot be executed: ${explainFileError(error)}`
  if (!HAS_GROUPS) return commandNotFound(program)
  return `${program} cannot be executed: the program in its first line does not exist. Line ends in CRLF cause this too.`
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

/** Waits until the group is empty, but not for long. */
const waitForGroup = async (child: ChildProcess): Promise<void> => {
  for (let waited_ms = 0; waited_ms < GRACE_MS; waited_ms += POLL_MS) {
    if (!signalGroup(child, 0)) return
    await sleep(POLL_MS)
  }
}
