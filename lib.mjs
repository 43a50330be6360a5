// Shared by the cases of qa4. Each case ends with `verdict()`: exit 1 while a fault is there.
import { spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { randomBytes, randomUUID } from 'node:crypto'
export const PROJECT = '/tmp/va', TMP = '/tmp/vc/qa4', cli = `${PROJECT}/dist/cli.js`
fs.mkdirSync(TMP, { recursive: true })
export const here = new URL('.', import.meta.url).pathname
export const KEY = 'SandrampFullAccessKey00000000001', ADA = '11111111-1111-4111-8111-000000000001', ACC = '22222222-2222-4222-8222-000000000001'
export const P = '/payment/api/v1', O = '/onboarding/api/v1', C = '/_sandbox'
export const world = () => 'SandboxWorld' + [...randomBytes(20)].map((b) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'[b % 62]).join('')
export const payout = (o = {}) => ({ user_id: ADA, currency: 'NGN', customer_payout_id: randomUUID(), amount: '77.00', recipient_details: { bank_name: 'Access Bank', account_holder_name: 'Ada Okafor', recipient_account_number: '0690000031' }, ...o })
export const sleep = (ms) => new Promise((r) => setTimeout(r, ms))
/** A sandbox on a free port; `call(method, path, { key, body, raw, ct, signal })`. */
export const start = async (...args) => {
  const p = spawn('node', [cli, 'start', '--port', '0', '--clock', 'manual', ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  let out = ''
  p.stdout.on('data', (d) => { out += d }); p.stderr.on('data', (d) => { out += d })
  for (let i = 0; i < 150 && !/listening on/.test(out) && p.exitCode === null; i++) await sleep(100)
  const url = /listening on (http\S+)/.exec(out)?.[1]
  if (!url) throw new Error(out)
  const call = async (method, path, { key = KEY, body, raw, ct = 'application/json', signal } = {}) => {
    const r = await fetch(url + path, { method, signal, headers: { 'x-api-key': key, ...((body !== undefined || raw !== undefined) && { 'content-type': ct }) }, body: raw ?? (body === undefined ? undefined : JSON.stringify(body)) })
    const text = await r.text()
    let json
    try { json = JSON.parse(text) } catch {}
    return { status: r.status, headers: r.headers, text, json }
  }
  const post = (key, yaml) => call('POST', `${C}/scenarios?activate=true`, { key, raw: yaml, ct: 'application/yaml' })
  const stop = (signal = 'SIGTERM') => new Promise((r) => { if (p.exitCode !== null) return r(); p.on('exit', r); p.kill(signal) })
  return { url, call, post, stop }
}
/** Plays a scenario with a client; true when the run was green. */
export const green = (scenario, ...command) => {
  const r = spawnSync('node', [cli, 'run', scenario, '--clock', 'manual', '--seed', 'qa4', '--timeout', '60s', '--', ...command], { encoding: 'utf8', timeout: 120_000, cwd: TMP })
  return { green: r.status === 0, out: r.stdout + r.stderr, status: r.status }
}
let bad = 0
export const right = (name, good, detail = '') => { if (!good) bad++; console.log(good ? 'right' : 'WRONG', name, good ? '' : String(detail).slice(0, 500)) }
export const verdict = () => process.exit(bad ? 1 : 0)
