// Runs every check that needs no test run: types, lint, format, OpenAPI lint and drift of generated files.
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importSource } from './import-source.js'

const root = fileURLToPath(new URL('..', import.meta.url))

const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Runs a command of an installed package; its output is the error message when it fails. */
const run = (name, args) =>
  new Promise((resolve, reject) => {
    const child = spawn(join(root, 'node_modules', '.bin', name), args, {
      cwd: root,
      env,
      shell: process.platform === 'win32',
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk
      })
    }
    child.once('error', reject)
    child.once('close', (code) => (code === 0 ? resolve() : reject(new Error(output))))
  })

const read = (file) => {
  const path = join(root, file)
  return existsSync(path) ? readFileSync(path, 'utf8') : ''
}

const assertNoDrift = async () => {
  const { generateFiles } = await importSource('src/generate/generated-files.ts')
  const stale = Object.entries(await generateFiles(read)).filter(
    ([file, text]) => read(file) !== text,
  )
  if (stale.length > 0) {
    const files = stale.map(([file]) => file).join(' and ')
    throw new Error(`${files} differ from the code; write them: npm run documents`)
  }
}

const checks = {
  types: () => run('tsc', ['--noEmit']),
  'lint and format': () => run('biome', ['check', '--error-on-warnings', '.']),
  'OpenAPI lint': () => run('redocly', ['lint', '--config', '.redocly.yaml']),
  'drift of documents': assertNoDrift,
}

const results = await Promise.all(
  Object.entries(checks).map(async ([name, check]) => {
    const start = performance.now()
    const error = await check().then(
      () => undefined,
      (reason) => reason,
    )
    return { name, error, seconds: (performance.now() - start) / 1000 }
  }),
)

for (const { name, error, seconds } of results) {
  console.log(`${error ? 'FAILED' : 'ok'.padEnd(6)}  ${name} (${seconds.toFixed(1)} s)`)
}
for (const { name, error } of results) {
  if (error) console.error(`\n${name}:\n${error.message}`)
}
if (results.some(({ error }) => error)) process.exitCode = 1
