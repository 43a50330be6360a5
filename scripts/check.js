// Checks all that needs no test run: types, lint and format, and the OpenAPI documents.
import { spawn } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { importSource } from './import-source.js'

const root = fileURLToPath(new URL('..', import.meta.url))

// No check talks to the network.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

/** Runs a command of an installed package; what it printed is the complaint when it fails. */
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

/** The committed documents are those that the code generates. */
const assertNoDrift = async () => {
  const { documentTexts } = await importSource('src/documents.ts')
  const stale = []
  for (const [file, text] of Object.entries(documentTexts())) {
    const committed = await readFile(join(root, 'openapi', file), 'utf8').catch(() => '')
    if (committed !== text) stale.push(`openapi/${file}`)
  }
  if (stale.length > 0) {
    throw new Error(`${stale.join(' and ')} differ from the code; write them: npm run documents`)
  }
}

const checks = {
  types: () => run('tsc', ['--noEmit']),
  'lint and format': () => run('biome', ['check', '--error-on-warnings', '.']),
  'OpenAPI lint': () => run('redocly', ['lint', '--config', '.redocly.yaml', 'service', 'control']),
  'OpenAPI drift': assertNoDrift,
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
