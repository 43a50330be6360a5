// `npm start`: builds if a source changed, then starts the sandbox with the given arguments.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { isBuilt } from './build-stamp.js'

const refuse = (sentence) => {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}

const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 20 || (major === 20 && minor < 19)) {
  refuse(`Sandramp needs Node 20.19 or newer, this is Node ${process.versions.node}.`)
}

const WATCH_MS = 1_000
const shell = process.ppid

if (!isBuilt(fileURLToPath(new URL('..', import.meta.url)))) {
  if (!existsSync(new URL('../node_modules/esbuild', import.meta.url))) {
    refuse('The dependencies are not installed: run npm ci first.')
  }
  process.stderr.write('Building, which takes a moment…\n')
  const script = fileURLToPath(new URL('build.js', import.meta.url))
  const { status } = spawnSync(process.execPath, [script], { stdio: 'inherit' })
  if (status !== 0) process.exit(status ?? 1)
}

// npm forwards a signal only to its shell. Some shells exit and leave the sandbox running, with its port and
// data file in use, so a lost parent ends the sandbox too.
const watch = setInterval(() => {
  if (process.ppid === shell) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, WATCH_MS)
watch.unref()

process.argv.splice(2, 0, 'start')
await import('../dist/cli.js')
