import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The built command line, in a process of its own, as its users call it. */

export const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly child: ChildProcess
  /** Waits until stdout matches; returns the first group. */
  printed(pattern: RegExp): Promise<string>
  readonly ended: Promise<Ran>
}

const folders = mkdtempSync(join(tmpdir(), 'sandramp-cli-'))
process.once('exit', () => rmSync(folders, { recursive: true, force: true }))

export const makeFolder = (files: Readonly<Record<string, string>> = {}): string => {
  const folder = mkdtempSync(join(folders, 'of-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return folder
}

export const startCli = (args: readonly string[], cwd?: string): Running =>
  startProgram(process.execPath, [CLI, ...args], cwd)

export const runCli = (
  args: readonly string[],
  cwd?: string,
  env?: Readonly<Record<string, string>>,
): Promise<Ran> => startProgram(process.execPath, [CLI, ...args], cwd, env).ended

export const startProgram = (
  program: string,
  args: readonly string[],
  cwd: string | undefined,
  env: Readonly<Record<string, string>> = {},
): Running => {
  const child = spawn(program, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, ...env },
  })
  let stdout = ''
  let stderr = ''
  child.stdout.on('data', (chunk) => {
    stdout += chunk
  })
  child.stderr.on('data', (chunk) => {
    stderr += chunk
  })
  const ended = new Promise<Ran>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, stdout, stderr }))
  })
  const printed = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const found = pattern.exec(stdout)
        if (found) resolve(found[1] ?? found[0])
      }
      look()
      child.stdout.on('data', look)
      child.once('close', () =>
        reject(new Error(`the process ended without ${pattern}\n${stdout}${stderr}`)),
      )
    })
  return { child, printed, ended }
}

/** False for zombies too. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
  } catch {
    return false
  }
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return process.platform !== 'linux'
  }
}
