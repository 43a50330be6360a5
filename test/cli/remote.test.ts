import { once } from 'node:events'
import { chmodSync, existsSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { controlOperations } from '../../src/api/control/index.js'
import { createSandbox } from '../../src/index.js'
import type { Client } from '../support/client.js'
import { startTransfer } from '../support/control.js'
import { payoutId, transferId, users } from '../support/fixture-ids.js'
import { type OpenOptions, openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { Inhabitant, worldKey } from '../support/worlds.js'
import { runHere } from './run-in-process.js'
import { makeFolder, startCli } from './sandramp.js'

const PAYOUT = '/payment/api/v1/payout'
const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`

const RULE = '{"when":"request","then":[{"drop":"after"}]}'
const ADA_POLYGON = '33333333-3333-4333-8333-000000000002'

const open = async (options: OpenOptions = {}) => {
  const api = await openOwnSandbox(options)
  const { url } = await api.sandbox.listen({ port: 0 })
  const run = (...args: string[]) => runHere(args, undefined, { SANDRAMP_URL: url })
  const print = async (...args: string[]) => {
    const { stdout, ...ran } = await run(...args)
    expect(ran, stdout).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  return { api, url, run, print }
}

type Opened = Awaited<ReturnType<typeof open>>

let { api, url, run, print } = {} as Opened

beforeEach(async () => {
  ;({ api, url, run, print } = await open())
})

const balanceOf = async (api: Client | Inhabitant, user: string) =>
  (await api.read<{ items: object[] }>(`/_sandbox/users/${user}/balances`)).items

describe('sandramp', () => {
  test('advance moves the clock and prints what fired', async () => {
    await startTransfer(api)
    const [head, first] = (await print('advance', '3d')).split('\n')
    expect(head).toMatch(/^advanced 3 days, 4 timers fired; it is 2026-06-18T09:00:00\.000Z$/)
    expect(first).toMatch(
      /^ {2}2026-06-15T09:00:\S+ Scenario happy-path marked .* as \w+.* \(happy-path\.yaml:\d+\)/,
    )
    const idle = 'no timer was due; it is 2026-06-20T09:00:00.000Z\n'
    expect(await print('advance', '2d')).toBe(`advanced 2 days, ${idle}`)
    expect(await print('advance', 'idle')).toBe(`advanced, ${idle}`)
  })

  test('deposit accepts the name of a wallet and an address', async () => {
    const text = `deposited 100 USDC on polygon, for wallet ${ADA_POLYGON}\n`
    expect(await print('deposit', 'adaPolygon', '100')).toBe(text)
    expect(await print('deposit', '0x00000000000000000000000000000000000000aa', '1')).toMatch(
      /^deposited 1 .* unmatched: /,
    )
  })

  test('credit accepts the name of a user and an id', async () => {
    for (const user of ['hanna', users.hanna]) {
      expect(await print('credit', user, '50', 'NGN')).toContain(
        `credited ${user}, whose balance is`,
      )
    }
    expect(await balanceOf(api, users.hanna)).toContainEqual({ currency: 'NGN', amount: 100 })
  })

  test.each([
    ['payout', payoutId(1), 'PAYOUT_FAILED'],
    ['user', users.underReview, 'rejected'],
  ])('fail finds a %s by its id', async (noun, id, status) => {
    expect(await print('fail', id, 'account_closed')).toBe(
      `${noun} ${id} is ${status}: account_closed\n`,
    )
  })

  test('fail finds a transfer by its id', async () => {
    const { id } = await startTransfer(api)
    expect(await print('fail', id)).toBe(`transfer ${id} is FAILED\n`)
  })

  test('undo takes back the last change, and redo the undo', async () => {
    await print('advance', '3d')
    expect(await print('undo')).toMatch(
      /^undid: A control call moved the clock; it is 2026-06-15T09:00:00\.000Z\n$/,
    )
    expect(await print('redo')).toMatch(
      /^redid: A control call moved the clock; it is 2026-06-18T09:00:00\.000Z\n$/,
    )
  })

  test('why prints what happened to a record', async () => {
    expect(await print('why', payoutId(1))).toBe(
      '2026-06-15T09:00:00.000Z It came with the fixtures\n',
    )
  })

  test.each([
    [['setRate', '--base', 'USD', '--quote', 'NGN', '--rate', '1500.5'], { rate: 1500.5 }],
    [['setClock', '--speed', '0.5'], { mode: 'speed', speed: 0.5 }],
    [['readUser', 'ada'], { id: users.ada }],
    [['moveUser', users.underReview, '--status', 'active'], { status: 'active' }],
    [['listTransfers', '--user-id', 'ada', '--size', '1'], { pagination: { size: 1 } }],
    [['activateScenarios', '--names', 'bank-rejects', '--names', 'happy-path'], {}],
    [['verify', '--expect', '{"audit":"clean"}', '--until', 'idle'], { ok: true }],
    [['armNextCall', '--then', '{"drop":"after"}', '--times', '2'], { times: 2 }],
    [['postScenario', '--name', 'a', '--title', 'A', '--rules', RULE], { name: 'a' }],
  ])('%j is a control operation, whose answer is JSON', async (args, answer) => {
    expect(JSON.parse(await print(...args))).toMatchObject(answer)
  })

  test('has a command for each control operation but a stream', async () => {
    for (const { id, isStream } of controlOperations) {
      const { code, stdout } = await runHere([id, '--help'])
      expect([code, stdout.includes(`Usage: sandramp ${id}`)]).toEqual(
        isStream ? [2, false] : [0, true],
      )
    }
  })

  test('--json prints the answer of the control API', async () => {
    expect(JSON.parse(await print('advance', '1h', '--json'))).toEqual({
      now: '2026-06-15T10:00:00.000Z',
      count: 0,
      fired: [],
    })
  })
})

describe('sandramp next', () => {
  test.each<[string[], object]>([
    [['--lose-response'], { drop: 'after' }],
    [['--drop-before'], { drop: 'before' }],
    [['--delay', '12s'], { delay_ms: 12_000 }],
    [['--delay', '5'], { delay_ms: 5 }],
    [['--hold', 'commit=400ms'], { hold: { before: 'commit', for: '400ms' } }],
    [['--malform', 'html'], { malform: 'html' }],
    [['--patch', '{"status":"X"}'], { patch: { status: 'X' } }],
    [['--respond', '503'], { respond: { status: 503 } }],
    [
      ['--respond', '429', '--code', '4290', '--retry-after', '5s'],
      { respond: { status: 429, code: '4290', retry_after: '5s' } },
    ],
    [['--drop', 'mid_body'], { drop: 'mid_body' }],
    [['--stay-pending'], { stop: true }],
    [['--stay-pending', '30s'], { stay_pending: { for: '30s' } }],
    [['--settle', '3d'], { settle: { after: '3d' } }],
    [
      ['--fail', 'limit', '--after', '30s'],
      { move: 'PAYOUT_FAILED', after: '30s', reason: 'limit' },
    ],
    [['--fail'], { move: 'PAYOUT_FAILED' }],
    [['--fail', 'account_closed'], { move: 'PAYOUT_FAILED', reason: 'account_closed' }],
    [['--return'], { move: 'PAYOUT_FAILED', from: 'PAYOUT_PROCESSED', reason: 'returned' }],
    [
      ['--return', '2h'],
      { move: 'PAYOUT_FAILED', from: 'PAYOUT_PROCESSED', reason: 'returned', after: '2h' },
    ],
  ])('createPayout %j arms that fault', async (flags, then) => {
    expect(await print('next', 'createPayout', ...flags)).toBe('armed next-1/0 for createPayout\n')
    const { items } = await api.read<{ items: object[] }>('/_sandbox/next')
    expect(items).toMatchObject([{ operation: 'createPayout', user_id: null, times: 1, then }])
  })

  test('arms a read of any operation, for one user and several times', async () => {
    await print('next', 'getTransferAudit', '--stale', '30s', '--user', 'ada', '--times', '2')
    await print('next', 'any', '--lose-response', '--times', 'always')
    expect((await api.read<{ items: object[] }>('/_sandbox/next')).items).toMatchObject([
      { operation: null, times: 'always' },
      { operation: 'getTransferAudit', user_id: users.ada, times: 2, then: { stale: '30s' } },
    ])
  })

  test('lists the armed calls without a fault, and disarms them with --clear', async () => {
    await print('next', 'createPayout', '--lose-response')
    expect(await run('next', 'createPayout', '--clear')).toMatchObject({ code: 2 })
    expect(await print('next')).toBe('next-1/0 createPayout {"drop":"after"}, left: 1\n')
    expect(await print('next', '--clear')).toBe('disarmed 1 call\n')
    expect(await print('next')).toBe('no call is armed\n')
  })
})

describe('--world', () => {
  const openNamed = async () => {
    const opened = await open()
    const { api } = opened
    const make = async (name: string) =>
      api.make<{ id: string; key: string }>('/_sandbox/worlds', { name })
    const [once, ...twins] = [await make('once'), await make('twice'), await make('twice')]
    return { ...opened, once, twins }
  }

  test.each(['id', 'key', 'name'] as const)('accepts the %s of a world', async (by) => {
    const { api, print, once } = await openNamed()
    const world = { id: once.id, key: once.key, name: 'once' }[by]
    await print('advance', '3d', '--world', world)
    const clock = await new Inhabitant(api, once.key).read('/_sandbox/clock')
    expect(clock).toMatchObject({ now: '2026-06-18T09:00:00.000Z' })
    expect(await api.read('/_sandbox/clock')).toMatchObject({ now: '2026-06-15T09:00:00.000Z' })
  })

  test('refuses a name of several worlds, with their ids and ages', async () => {
    const { run, twins } = await openNamed()
    const { code, stderr } = await run('undo', '--world', 'twice')
    expect(code).toBe(2)
    expect(stderr).toContain('Invalid --world: several worlds have this name. Expected ')
    for (const { id } of twins) expect(stderr).toMatch(new RegExp(`${id} \\(\\d+ m?s old\\)`))
  })

  test('without a name is listed by the end of its key', async () => {
    const { key } = await api.make<{ key: string }>('/_sandbox/worlds', {})
    await startTransfer(new Inhabitant(api, key))
    expect(await print('worlds')).toMatch(
      new RegExp(`^…${key.slice(-4)} .*\\n {2}Left unfinished: 1 transfer$`, 'm'),
    )
  })

  test('is a world of sandramp worlds', async () => {
    const { print, once, twins } = await openNamed()
    const lines = (await print('worlds')).trim().split('\n')
    const ids = ['default', once.id, ...twins.map(({ id }) => id)]
    expect(lines.map((line) => line.split(' ').at(-1)).sort()).toEqual(ids.sort())
    expect(lines.find((line) => line.endsWith(once.id))).toMatch(/^once {5}.* 5 entries, .* old /)
  })
})

describe('a command for a running sandbox returns 2 in one sentence', () => {
  test.each<[string[], string]>([
    [['next', 'creatPayout', '--fail'], 'Invalid operation: got "creatPayout"'],
    [['next', 'any', '--lose-respons'], 'Unknown flag "--lose-respons"'],
    [['next', 'createPayout'], 'Missing fault. Expected exactly one of --fail, '],
    [['next', 'any', '--fail', '--delay', '1s'], 'Invalid fault: got "--fail --delay"'],
    [['next', 'any', 'x', '--drop-before'], 'Invalid fault: got "--drop-before x"'],
    [['next', 'any', '--patch', '{'], 'Invalid --patch: got "{". Expected a JSON object.'],
    [['next', 'any', '--delay', 'x'], 'Invalid --delay: got "x". Expected milliseconds from 0 to'],
    [['next', 'any', '--respond', 'x'], 'Invalid --respond: got "x". Expected an HTTP'],
    [['next', 'any', '--respond', 'x', '--code', 'x'], 'Invalid --respond: got "x"'],
    [['next', 'any', '--respond', '503', '--retry-after', 'x'], 'Invalid --retry-after: got "x"'],
    [['next', 'any', '--malform', 'htm'], 'Invalid --malform: got "htm"'],
    [['next', 'createPayout', '--return', 'x'], 'Invalid --return: got "x". Expected a duration'],
    [['next', 'createPayout', '--patch', '{"statu":1}'], 'Unknown field "--patch.statu"'],
    [['next', 'any', '--lose-response', '--code', '5030'], '--code was given without --respond'],
    [
      ['next', 'createPayout', '--fail', '--retry-after', '5s'],
      '--retry-after was given without --respond. Expected both or neither.',
    ],
    [['next', 'any', '--drop-before', '--times', 'x'], 'Invalid --times: got "x"'],
    [['next', 'any', '--drop-before', '--user', 'bob'], 'Invalid --user: got "bob"'],
    [['credit', 'bob', '1', 'NGN'], 'Invalid user: got "bob". Expected an id, or one of ada, '],
    [['advance'], 'Missing time. Expected sandramp advance <time>.'],
    [['advance', '2020-01-01'], 'Invalid time: got "2020-01-01"'],
    [['advance', 'soon'], 'Invalid time: got "soon". Expected idle, or an ISO'],
    [['creditUsr'], 'Unknown command "creditUsr". Did you mean "creditUser"?'],
    [['setRate', '--base', 'USD'], 'Missing --quote. Expected a string.'],
    [['setRate', '--rate', 'x'], 'Invalid --rate: got "x". Expected an amount'],
    [['moveUser', 'bob', '--status', 'active'], 'Invalid id: got "bob". Expected an id, or'],
    [['verify', '--expect', '{"payout":{}}'], 'Unknown field "--expect.0.payout". Did you'],
    [['deposit', 'adaPolygon'], 'Missing amount. Expected sandramp deposit <address> <amount>.'],
    [['undo', '3'], 'Invalid argument: got "3". Expected sandramp undo.'],
    [['fail', 'x'], 'Invalid id: got "x". Expected a UUID'],
    [['fail', ADA_POLYGON], 'Invalid id: it is one of the wallets. Expected the id of a'],
    [['undo', '--world', 'x'], 'Invalid --world: got "x"'],
    [['undo', '--world', 'f'.repeat(32)], 'Invalid --world: got "fff'],
    [['undo', '--world', 'all'], 'Invalid --world: got "all". Expected the id, key or name of a'],
    [['tail', '--status', 'x'], 'Invalid --status: got "x". Expected a status such as 404'],
    [['undo', '--url', 'localhost'], 'Invalid --url: got "localhost"'],
  ])('%j', async (args, words) => {
    const { code, stdout, stderr } = await run(...args)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toContain(`sandramp: ${words}`)
    expect(stderr).not.toMatch(/x-api-key|Bearer|_sandbox/)
  })

  /** A server whose every answer has this body. */
  const serve = async (body: string): Promise<string> => {
    const server = createServer((_, response) => void response.end(body)).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  test('for an older sandbox, another server, and none', async () => {
    const older = await serve('{"version":"0.0.9"}')
    const other = await serve('<html>')
    const { url: gone, api } = await open()
    await api.sandbox.close()
    const run = async (url: string) => {
      const { code, stderr } = await runHere(['undo', '--url', url])
      return [code, stderr]
    }
    const text = `no sandbox answers at ${gone}. Start one with npx sandramp, or give another URL.`
    const { stderr } = await runHere(['undo'], undefined, { SANDRAMP_URL: gone })
    expect(stderr).toBe(`sandramp: Invalid SANDRAMP_URL: ${text}\n`)
    expect(await run(older)).toEqual([2, expect.stringMatching(/has version 0\.0\.9\. Expected 0/)])
    for (const url of [other, gone]) {
      expect(await run(url)).toEqual([2, `sandramp: Invalid --url: ${text.replace(gone, url)}\n`])
    }
  })

  test('for a wrong control token, which it does not print', async () => {
    const { run, print } = await open({ controlToken: 'right-token-right-token' })
    for (const token of [[], ['--control-token', 'wrong-token']]) {
      const { code, stderr } = await run('undo', ...token)
      expect(code).toBe(2)
      expect(stderr).toMatch(/^sandramp: (Missing|Invalid) --control-token.* Expected that of the/)
      expect(stderr).not.toMatch(/wrong-token|Bearer/)
    }
    expect(await print('advance', '1s', '--control-token', 'right-token-right-token')).toContain(
      'advanced',
    )
  })
})

describe('sandramp tail', () => {
  const call = (url: string, path: string, key: string, body?: object) =>
    fetch(url + path, {
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    })

  const follow = (...args: string[]) => {
    const running = startCli(['tail', ...args])
    onTestFinished(() => void running.child.kill())
    return running
  }

  test('prints the newest requests, then each new one with its amount or its reason', async () => {
    const key = worldKey('tail')
    await call(url, STATUS, key)
    const { printed } = follow('--url', url, '--world', key)
    await printed(
      /^\d\d:\d\d:\d\d\.\d{3} 200 PAYMENT_PROCESSED GET {2}\S+ getTransferStatus [\da-f-]{36} \S+ms /m,
    )
    await call(url, PAYOUT, key, payoutRequest())
    await call(url, PAYOUT, key, { ...payoutRequest(), amount: 'x' })
    await printed(
      / 200 PAYOUT_PROCESSED POST \/payment\/api\/v1\/payout createPayout \S+ NGN [\da-f-]{36} /,
    )
    await printed(/ 400 4000 POST .*\n {4}Invalid amount: got "x"/)
  })

  test('names the world of each request with --world all, and keeps to a status', async () => {
    const { key } = await api.make<{ key: string }>('/_sandbox/worlds', { name: 'pays once' })
    const { printed, child, ended } = follow('--url', url, '--world', 'all', '--status', '4xx')
    await call(url, STATUS, key)
    await call(url, '/payment/elsewhere', key)
    await printed(/ 404 4040 GET .* world=pays once$/m)
    child.kill()
    expect((await ended).stdout).not.toContain(' 200 ')
  })

  test('connects again when the sandbox restarts', async () => {
    const first = await createSandbox()
    const { url } = await first.listen({ port: 0 })
    const { printed, child, ended } = follow('--url', url, '--json')
    await first.fetch('/payment/before')
    await printed(/"path":"\/payment\/before"/)
    await first.close()
    const second = await createSandbox()
    onTestFinished(() => second.close())
    await second.listen({ port: Number(new URL(url).port) })
    await second.fetch('/payment/after')
    await printed(/"path":"\/payment\/after"/)
    child.kill()
    expect((await ended).stderr).toBe('sandramp: The stream ended. tail connects again.\n')
  })
})

test.skipIf(process.platform !== 'linux')(
  'sandramp open passes the URL of a world to the browser',
  async () => {
    const { id } = await api.make<{ id: string }>('/_sandbox/worlds', { name: 'pays once' })
    const cwd = makeFolder({ 'xdg-open': '#!/bin/sh\necho "$1" > opened\n' })
    chmodSync(join(cwd, 'xdg-open'), 0o755)
    vi.stubEnv('PATH', `${cwd}:${process.env.PATH}`)
    const { stdout } = await runHere(['open', '--url', url, '--world', 'pays once'], cwd)
    vi.unstubAllEnvs()
    expect(stdout).toBe(`${url}/?world=${id}\n`)
    await expect.poll(() => existsSync(join(cwd, 'opened'))).toBe(true)
    await expect.poll(() => readFileSync(join(cwd, 'opened'), 'utf8')).toBe(stdout)
  },
)
