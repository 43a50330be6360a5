import { spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Running, startCli } from '../cli/sandramp.js'
import { findPort, hasPostgres, usePostgres } from '../support/postgres.js'
import { payoutRequest } from '../support/requests.js'
import { pause } from './world.js'

const CLIENTS = 16
const STATUS = '/payment/api/v1/fx-audit/status/66666666-6666-4666-8666-000000000001'
const hasNginx = spawnSync('nginx', ['-v']).status === 0

const server = usePostgres()
const folder = mkdtempSync(join(tmpdir(), 'sandramp-nginx-'))
afterAll(() => rmSync(folder, { recursive: true }))

const startReplica = async (port: number, data: string): Promise<Running> => {
  const args = ['start', '--port', String(port), '--log', 'silent', '--data', data]
  const replica = startCli(args)
  await replica.printed(/listening on/)
  return replica
}

/** The configuration of `deploy/`, without the name server of Docker. */
const writeConfiguration = (port: number, replicas: readonly number[]): string => {
  const path = join(folder, 'nginx.conf')
  const site = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')
    .replace(/resolver .*;/, '')
    .replace(/server sandramp:.*;/, replicas.map((it) => `server 127.0.0.1:${it};`).join(' '))
    .replace(/listen 80;/, `listen 127.0.0.1:${port};`)
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  )
  const http = `http { access_log off; ${folders.join(' ')} ${site} }`
  const main = `daemon off; pid ${folder}/pid; error_log ${folder}/errors;`
  writeFileSync(path, `${main} events {} ${http}`)
  return path
}

test.runIf(hasPostgres && hasNginx)('a rolling restart behind nginx fails no request', async () => {
  const data = await server().createPlace()
  const ports = [await findPort(), await findPort(), await findPort()]
  const replicas: Running[] = []
  for (const port of ports) replicas.push(await startReplica(port, data))
  const port = await findPort()
  const nginx = spawn('nginx', ['-c', writeConfiguration(port, ports)])
  const url = `http://127.0.0.1:${port}`
  await expect.poll(() => fetch(`${url}/_sandbox/ready`).catch(() => {})).toHaveProperty('ok', true)

  const statuses = new Map<number, number>()
  const signal = new AbortController()
  const use = async (key: string) => {
    while (!signal.signal.aborted) {
      const headers = { 'x-api-key': key, 'content-type': 'application/json' }
      const body = JSON.stringify({ ...payoutRequest(), customer_payout_id: randomUUID() })
      const read = await fetch(url + STATUS, { headers })
      const paid = await fetch(`${url}/payment/api/v1/payout`, { method: 'POST', headers, body })
      for (const { status } of [read, paid]) statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
  }
  const keys = Array.from({ length: CLIENTS }, () => randomUUID().replaceAll('-', '').slice(0, 20))
  const clients = keys.map((key) => use(`SandboxWorld${key}`))
  for (const [i, replica] of replicas.entries()) {
    replica.child.kill('SIGTERM')
    expect((await replica.ended).code).toBe(0)
    replicas[i] = await startReplica(ports[i] ?? 0, data)
    await pause(500)
  }
  signal.abort()
  await Promise.all(clients)
  nginx.kill()
  for (const { child } of replicas) child.kill('SIGKILL')
  expect([...statuses.keys()], readFileSync(join(folder, 'errors'), 'utf8')).toEqual([200])
})
