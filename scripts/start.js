// What `npm start` runs: builds when something has changed, then starts the sandbox with the arguments that came.
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

// npm passes a signal on to its shell alone. Some shells die of it and leave the sandbox behind, which then
// would keep its port and its data file: it ends as if it had come here.
const watch = setInterval(() => {
  if (process.ppid === shell) return
  clearInterval(watch)
  process.kill(process.pid, 'SIGTERM')
}, WATCH_MS)
watch.unref()

process.argv.splice(2, 0, 'start')
await import('../dist/cli.js')
