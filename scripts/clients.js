// Generates clients from the contract document with five generators, compiles each, drives three.
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { spawnServer } from './spawn-server.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = join(root, 'test', 'clients')
const KEY = 'SandrampFullAccessKey00000000001'

/** Generated lines may mention assumptions up to this share. */
const MAX_ASSUMED_SHARE = 0.1

const GENERATORS = {
  'openapi-typescript': (input, out) => ['openapi-typescript', input, '-o', join(out, 'schema.ts')],
  'hey-api': (input, out) => ['openapi-ts', '-i', input, '-o', out, '-c', '@hey-api/client-fetch'],
  orval: (input, out) => [
    ...['orval', '--input', input, '--output', join(out, 'api.ts')],
    ...['--client', 'fetch'],
  ],
  'swagger-typescript-api': (input, out) => [
    ...['swagger-typescript-api', 'generate', '-p', input, '-o', out, '-n', 'api.ts'],
  ],
  // Takes its input and output from the environment.
  kubb: () => ['kubb', 'generate', '--config', 'kubb.config.js'],
}
const DRIVEN = ['openapi-typescript', 'hey-api', 'kubb']

const TSC = [
  ...['tsc', '--strict', '--noEmit', '--skipLibCheck', '--allowImportingTsExtensions'],
  ...['--target', 'ES2022', '--module', 'ESNext', '--moduleResolution', 'bundler'],
  ...['--lib', 'ES2023,DOM,DOM.Iterable', '--types', 'node'],
]

await run('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'])
rmSync(join(folder, 'out'), { recursive: true, force: true })

await Promise.all([
  ...Object.keys(GENERATORS).map((name) => check('contract.json', name, name)),
  check('service.json', 'openapi-typescript', 'service'),
  check('control.json', 'openapi-typescript', 'control'),
])
await Promise.all(DRIVEN.map(drive))

/** Runs a command in the folder of the clients; its output is the error message when it fails. */
async function run(command, args, env = {}) {
  try {
    await promisify(execFile)(command, args, {
      cwd: folder,
      maxBuffer: 64 * 2 ** 20,
      shell: process.platform === 'win32',
      env: { ...process.env, DO_NOT_TRACK: '1', ...env },
    })
  } catch (error) {
    throw new Error(`${command} ${args.join(' ')}\n${error.stdout}${error.stderr}`)
  }
}

function runBin([name, ...args], env) {
  return run(join(folder, 'node_modules', '.bin', name), args, env)
}

/** Generates, compiles and counts. */
async function check(document, generator, folderName) {
  const input = join('..', '..', 'openapi', document)
  const out = join('out', folderName)
  await runBin(GENERATORS[generator](input, out), { DOCUMENT: input, OUTPUT: out })
  const files = readdirSync(join(folder, out), { recursive: true })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join(out, file))
  if (files.length === 0) throw new Error(`${generator} generated no file from ${document}`)
  const driver = DRIVEN.includes(folderName) ? [`${folderName}.ts`] : []
  await runBin([...TSC, ...driver, ...files])

  const lines = files.flatMap((file) => readFileSync(join(folder, file), 'utf8').split('\n'))
  const assumed = lines.filter((line) => /assum/i.test(line)).length
  const share = `${((100 * assumed) / lines.length).toFixed(1)} %`
  console.log(
    `ok  ${document.padEnd(14)}${generator.padEnd(24)}${lines.length} lines, ${share} about assumptions`,
  )
  if (assumed > MAX_ASSUMED_SHARE * lines.length)
    throw new Error(
      `${generator} generated ${share} of lines about assumptions from ${document}. ` +
        `Expected at most ${100 * MAX_ASSUMED_SHARE} %.`,
    )
}

/** Calls a sandbox through a generated client. */
async function drive(name) {
  const program = join('out', `${name}.mjs`)
  await build({
    entryPoints: [join(folder, `${name}.ts`)],
    outfile: join(folder, program),
    bundle: true,
    platform: 'node',
    format: 'esm',
    logLevel: 'error',
  })
  const cli = join(root, 'dist', 'cli.js')
  const sandbox = await spawnServer(process.execPath, [
    ...[cli, 'start', '--port', '0', '--clock', 'manual'],
  ])
  try {
    await run(process.execPath, [program], { SANDRAMP_URL: sandbox.url, SANDRAMP_API_KEY: KEY })
  } finally {
    await sandbox.stop('SIGINT')
  }
  console.log(`ok  main flow     ${name}`)
}
