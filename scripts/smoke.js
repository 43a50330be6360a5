// Starts the build and an installed package, and uses both as a client does.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { spawnServer } from './spawn-server.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'sandramp-smoke-'))
const headers = {
  'x-api-key': 'SandrampFullAccessKey00000000001',
  'content-type': 'application/json',
}
const ADA = '11111111-1111-4111-8111-000000000001'

try {
  await useServer(join(root, 'dist', 'cli.js'))
  console.log(`ok  dist/cli.js on Node ${process.version}`)
  await usePackage()
  console.log('ok  the package, installed elsewhere')
} finally {
  await rm(folder, { recursive: true })
}

/** Starts the sandbox, uses it, and stops it as Ctrl-C does. */
async function useServer(cli) {
  const sandbox = await spawnServer(process.execPath, [cli, 'start', '--port', '0'])
  try {
    await useService(sandbox.url)
  } finally {
    assert.equal(await sandbox.stop('SIGINT'), 0)
  }
}

/** Runs an offramp from start to end over HTTP, and reads the documents and the reference. */
async function useService(url) {
  const call = async (path, body) => {
    const answer = await fetch(`${url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers,
      ...(body && { body: JSON.stringify(body) }),
    })
    assert.ok(answer.ok, `${path}: ${answer.status}`)
    return answer.headers.get('content-type') === 'application/json' ? answer.json() : undefined
  }
  const { address } = await call('/payment/api/v1/offramp', {
    user_id: ADA,
    account_id: '22222222-2222-4222-8222-000000000001',
  })
  const { transfer_id } = await call('/_sandbox/deposits', { address, amount: '100' })
  await call('/_sandbox/clock/advance', { until: 'idle' })
  const { status } = await call(`/payment/api/v1/fx-audit/status/${transfer_id}`)
  assert.equal(status, 'PAYMENT_PROCESSED')
  assert.equal((await call('/_sandbox/audit')).ok, true)
  for (const path of ['/openapi.json', '/_sandbox/openapi.json', '/reference']) await call(path)
}

/** Packs the project, installs the package in an empty one, and uses its command and its library. */
async function usePackage() {
  const npm = (...args) => execFileSync('npm', args, { cwd: folder, encoding: 'utf8' })
  execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: root })
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }')
  npm('install', '--silent', '--no-audit', '--no-fund', join(folder, packageFile()))
  const installed = join(folder, 'node_modules', 'sandramp')
  await useServer(join(installed, 'dist', 'cli.js'))
  const program = `
    import { createSandbox } from 'sandramp'
    const sandbox = await createSandbox({ clock: 'manual' })
    const answer = await sandbox.fetch('/_sandbox/health')
    if (!answer.ok) process.exitCode = 1
  `
  execFileSync(process.execPath, ['--input-type=module', '-e', program], { cwd: folder })
}

function packageFile() {
  const manifest = execFileSync(process.execPath, ['-p', "require('./package.json').version"], {
    cwd: root,
    encoding: 'utf8',
  })
  return `sandramp-${manifest.trim()}.tgz`
}
