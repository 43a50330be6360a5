// Compares Sandramp with mock servers from npm, installed into a temporary folder. WireMock needs Java.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load, median, root, startBare, startSandramp, stopServer } from './processes.js'
import { answer, fund, get, post } from './requests.js'

const PACKAGES = [
  'json-server@0.17.4',
  '@stoplight/prism-cli@5.14.2',
  '@mockoon/cli@9.9.0',
  'wiremock@3.13.2',
]
const ROUNDS = 3
const SECONDS = 3
const GIVE_UP_MS = 60_000

/** Prints a Markdown table: starts, requests per second with 32 connections, and resident memory. */
export const comparePeers = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-peers-'))
  try {
    install(folder)
    const bodies = await recordBodies()
    const document = join(folder, 'service.json')
    const servers = { 'bare node:http': () => startBare(bodies.get, bodies.post) }
    servers.Sandramp = () => startSandramp()
    servers['Sandramp with --data'] = () => startSandramp('--data', join(folder, 'state.json'))
    Object.assign(servers, peersIn(folder, bodies, document))
    console.log('| | first answer | GET/s | POST/s | memory |\n|---|--:|--:|--:|--:|')
    for (const [name, start] of Object.entries(servers)) console.log(await measure(name, start))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const install = (folder) => {
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const flags = ['--no-audit', '--no-fund', '--silent']
  const { status } = spawnSync('npm', ['install', ...flags, ...PACKAGES], {
    cwd: folder,
    stdio: 'inherit',
  })
  if (status !== 0) throw new Error('npm could not install the peers')
}

/** The responses of Sandramp, which the others return. */
const recordBodies = async () => {
  const server = await startSandramp()
  await fund(server.url)
  const bodies = { get: await answer(server.url, get), post: await answer(server.url, post) }
  await stopServer(server)
  return bodies
}

/** How to start each peer with the two routes. Prism and Mockoon serve the examples of the OpenAPI document. */
const peersIn = (folder, bodies, document) => {
  const service = JSON.parse(readFileSync(join(root, 'openapi', 'contract-3.0.json'), 'utf8'))
  writeFileSync(document, JSON.stringify(service))
  const routes = { [get.path]: '/transfers/1', [post.path]: '/payouts' }
  const database = { transfers: [{ ...JSON.parse(bodies.get), id: 1 }], payouts: [] }
  writeFileSync(join(folder, 'db.json'), JSON.stringify(database))
  writeFileSync(join(folder, 'routes.json'), JSON.stringify(routes))
  const mappings = join(folder, 'wiremock', 'mappings')
  mkdirSync(mappings, { recursive: true })
  for (const [{ method, path }, body] of [
    [get, bodies.get],
    [post, bodies.post],
  ]) {
    const headers = { 'content-type': 'application/json' }
    const stub = { request: { method, url: path }, response: { status: 200, headers, body } }
    writeFileSync(join(mappings, `${method}.json`), JSON.stringify(stub))
  }
  const run = (program, ...args) => startPeer(folder, program, args)
  return {
    'json-server 0.17': () => run('json-server', '--quiet', 'db.json', '--routes', 'routes.json'),
    'Prism 5.14': () => run('prism', 'mock', document, '--verboseLevel', 'silent'),
    'Mockoon 9.9': () => run('mockoon-cli', 'start', '--data', document, '--disable-log-to-file'),
    'WireMock 3.13': () =>
      run('wiremock', '--root-dir', 'wiremock', '--use-chunked-encoding', 'never'),
  }
}

const startPeer = async (folder, program, args) => {
  const port = await freePort()
  const command = join(folder, 'node_modules', '.bin', program)
  const child = spawn(command, [...args, '--port', String(port)], {
    cwd: folder,
    stdio: 'ignore',
    detached: true,
  })
  return { url: `http://127.0.0.1:${port}`, port, child, isGroup: true }
}

const freePort = () =>
  new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })

const measure = async (name, start) => {
  const began = performance.now()
  const server = await start()
  try {
    await untilAnswered(server)
    const first_s = (performance.now() - began) / 1_000
    if (name.startsWith('Sandramp')) await fund(server.url)
    const rates = []
    for (const request of [get, post]) rates.push(await rate(server, request))
    const cells = [`${first_s.toFixed(2)} s`, ...rates, `${residentMib(server)} MiB`]
    return `| ${name} | ${cells.join(' | ')} |`
  } finally {
    await stop(server)
  }
}

const untilAnswered = async ({ url }) => {
  const giveUpAt = performance.now() + GIVE_UP_MS
  for (;;) {
    const response = await fetch(url + get.path, { headers: get.headers }).catch(() => undefined)
    await response?.text()
    if (response?.ok) return
    if (performance.now() > giveUpAt) throw new Error(`${url} answers with ${response?.status}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

const rate = async ({ port }, request) => {
  const options = { ...request, port, connections: 32, seconds: SECONDS }
  const rates = []
  for (let round = 0; round < ROUNDS; round++) rates.push((await load(options)).per_second)
  return Math.round(median(rates)).toLocaleString('en')
}

/** The memory of the process and of those it started. */
const residentMib = ({ child, isGroup }) => {
  const args = isGroup
    ? ['-o', 'rss=', '-g', String(child.pid)]
    : ['-o', 'rss=', '-p', String(child.pid)]
  const { stdout } = spawnSync('ps', args, { encoding: 'utf8' })
  const kib = stdout.trim().split(/\s+/).map(Number)
  return Math.round(kib.reduce((sum, it) => sum + it, 0) / 1_024)
}

const stop = (server) =>
  server.isGroup
    ? new Promise((resolve) => {
        server.child.once('exit', resolve)
        process.kill(-server.child.pid, 'SIGKILL')
      })
    : stopServer(server)
