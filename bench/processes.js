import { execFile, spawn } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

export const root = fileURLToPath(new URL('..', import.meta.url))
const cli = join(root, 'dist', 'cli.js')

/** Starts a program that prints `… listening on <url>`; returns its url, process and start time. */
export const startServer = async (args) => {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  const url = await new Promise((resolve, reject) => {
    let text = ''
    child.stdout.on('data', (chunk) => {
      text += chunk
      const said = / listening on (\S+)/.exec(text)
      if (said) resolve(said[1])
    })
    child.on('exit', (code) =>
      reject(new Error(`${args[0]} ended with ${code} before it listened`)),
    )
  })
  return { url, port: Number(new URL(url).port), child }
}

export const stopServer = ({ child }, signal = 'SIGKILL') =>
  new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.once('exit', resolve)
    child.kill(signal)
  })

export const startSandramp = (...flags) =>
  startServer([cli, 'start', '--port', '0', '--log', 'silent', ...flags])

export const startBare = (...bodies) => startServer([join(root, 'bench', 'bare.js'), ...bodies])

export const startBareFlushing = (file, body) =>
  startServer([join(root, 'bench', 'bare-flushing.js'), file, body])

export const startPlainHono = (transfer) =>
  startServer([join(root, 'bench', 'plain-hono.js'), transfer])

/** Runs the load generator: requests per second, p50 and p99. Fails on any response outside 2xx. */
export const load = async (options) => {
  const args = [join(root, 'bench', 'load.js'), JSON.stringify(options)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  const { per_second, p50_ms, p99_ms, failed } = JSON.parse(stdout)
  if (failed > 0) throw new Error(`${failed} requests of ${options.method} ${options.path} failed`)
  return { per_second, p50_ms, p99_ms }
}

/** Runs a program of this folder in a process of its own; returns what it prints, as JSON. */
export const runProgram = async (name, ...flags) => {
  const args = [...flags, join(root, 'bench', name)]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout)
}

export const median = (values) => [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]
