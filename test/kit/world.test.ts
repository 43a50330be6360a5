import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  connect,
  createSandbox,
  ExpectationError,
  type Sandbox,
  type SandboxClient,
  SandboxError,
  type SandboxWorld,
} from '../../src/index.js'
import { runCli } from '../cli/sandramp.js'
import { readText } from '../readme/markdown.js'
import { BEGINNING, users } from '../support/fixture-ids.js'

const json = { 'content-type': 'application/json' }
const PAYOUT = '/payment/api/v1/payout'

const post = (world: SandboxWorld, path: string, body: object): Promise<Response> =>
  world.fetch(path, { method: 'POST', headers: json, body: JSON.stringify(body) })

const pay = async (world: SandboxWorld, overrides = {}) => {
  const response = await post(world, PAYOUT, world.build.payout(overrides))
  return {
    status: response.status,
    body: (await response.json()) as { id: string; status: string },
  }
}

/** Set by `sandramp run`, which the last test starts with this file. */
const { SANDRAMP_URL } = process.env
const modes = SANDRAMP_URL ? ['under run'] : ['in process', 'over a port']

describe.each(modes)('a world %s', (mode) => {
  let sandbox: Sandbox
  let client: SandboxClient
  let world: SandboxWorld

  beforeAll(async () => {
    sandbox = await createSandbox()
    if (mode === 'in process') client = sandbox
    else client = await connect(SANDRAMP_URL ?? (await sandbox.defaultWorld.url()))
  })
  beforeEach(async () => {
    world = await client.world()
  })
  afterAll(() => sandbox.close())

  test('has a key, a name and the fixtures by name', async () => {
    const world = await client.world('pays once')
    expect(world.key).toMatch(/^SandboxWorld/)
    expect(world.name).toBe('pays once')
    expect(world.users.ada.id).toBe(users.ada)
    expect(world.accounts.adaEur.user_id).toBe(users.ada)
    expect(world.wallets.adaPolygon.blockchain).toBe('polygon')
    const response = await world.fetch('/_sandbox/worlds?name=pays%20once')
    expect(await response.json()).toMatchObject({ items: [{ id: world.id, name: 'pays once' }] })
  })

  test('keeps its name through a reset, and shares nothing with another one of that name', async () => {
    const [one, other] = [await client.world('twin'), await client.world('twin')]
    await pay(one)
    await one.expect({ payouts: {}, count: 1 })
    await other.expect({ payouts: {}, count: 0 })
    await one.reset()
    await one.expect({ payouts: {}, count: 0 })
    const response = await one.fetch('/_sandbox/worlds?name=twin')
    expect(await response.json()).toMatchObject({ items: { length: 2 } })
  })

  test('builds bodies that the service accepts, with new ids each time', async () => {
    const consent = await post(world, '/onboarding/api/v1/tnc', world.build.consent())
    const consent_id = (await consent.json()) as string
    for (const [path, body] of [
      ['/onboarding/api/v1/users', world.build.user()],
      ['/onboarding/api/v1/users', world.build.user()],
      ['/onboarding/api/v1/users', world.build.user({ consent_id, first_name: 'Zoë' })],
      ['/payment/api/v1/custody-wallet', world.build.wallet()],
      ['/payment/api/v1/offramp', world.build.offramp()],
      [PAYOUT, world.build.payout({ recipient_details: { bank_name: 'Access Bank' } })],
      [PAYOUT, world.build.payout()],
    ] as const) {
      expect((await post(world, path, body)).ok).toBe(true)
    }
    await world.expect({ payouts: {}, count: 2 })
    await world.expect({ users: { first_name: 'Zoë' }, count: 1 })
  })

  test('types and messages refuse values that cannot be', async () => {
    // @ts-expect-error
    const status = world.expect({ payouts: { status: 'PROCESSED' } })
    await expect(status).rejects.toThrow('Did you mean "PAYOUT_PROCESSED"?')
    // @ts-expect-error
    await expect(world.credit('ada', '1', 'naira')).rejects.toThrow('Invalid currency')
    // @ts-expect-error
    await expect(world.advance('soon')).rejects.toThrow('Invalid by')
  })

  test('takes each unused consent of the fixtures for one user', async () => {
    const { build } = await client.world()
    const given = build.user({ consent_id: users.ada }).consent_id
    const taken = [build.user().consent_id, build.user().consent_id]
    expect(new Set([given, ...taken]).size).toBe(3)
    expect(() => build.user()).toThrow('Missing consent_id. Expected the id of a new consent: ')
  })

  test.each<[object, string]>([
    [{ amout: '3' }, 'Unknown field "amout". Did you mean "amount"? Allowed: user_id, currency, '],
    [{ recipient_details: { bank: 'x' } }, 'Unknown field "recipient_details.bank". '],
  ])('refuses to build a payout with %j', async (overrides, message) => {
    const { build } = await client.world()
    expect(() => build.payout(overrides)).toThrow(message)
  })

  test('refuses names that the fixtures lack', async () => {
    await expect(world.credit('bob', '1', 'NGN')).rejects.toMatchObject({ field: 'id' })
    await expect(world.deposit('adaPolygn', '1')).rejects.toThrow(
      'Invalid address: got "adaPolygn". Expected an address, or one of adaEthereum, adaPolygon, ',
    )
  })

  test('refuses options that it does not have', async () => {
    const next = () => world.next('createPayout', { user: 'ada' } as object)
    expect(next).toThrow('Unknown option "user". Did you mean "userId"? Allowed: times, userId')
    await expect(connect('http://localhost', { token: 'x' } as object)).rejects.toThrow('"token"')
  })

  test('has a manual clock, which begins at the time of the fixtures, after a reset too', async () => {
    expect(await world.now()).toBe(BEGINNING)
    await world.advance('1h')
    await world.reset()
    const clock = await world.fetch('/_sandbox/clock')
    expect(await clock.json()).toMatchObject({ mode: 'manual', now: BEGINNING })
  })

  test('has a fetch that may stub the global one', async () => {
    vi.stubGlobal('fetch', world.fetch)
    onTestFinished(() => void vi.unstubAllGlobals())
    const { status } = await fetch('https://live.example.com/onboarding/api/v1/users/all')
    expect(status).toBe(200)
    expect(await world.requests()).toHaveLength(1)
  })

  test('logs requests with a wrong key, an expired one, or a wrong path', async () => {
    const expires_at = new Date(Date.parse(BEGINNING) + 1_000).toISOString()
    const made = await post(world, '/_sandbox/api-keys', { name: 'short', expires_at })
    const { secret } = (await made.json()) as { secret: string }
    await world.advance('1s')
    for (const key of ['undefined', secret])
      await world.fetch('/onboarding/api/v1/users/all', { headers: { 'x-api-key': key } })
    await post(world, '/payments/api/v1/payout', {})
    const statuses = (await world.requests()).map(({ status }) => status)
    expect(statuses).toEqual([403, 401, 404])
  })

  test.each([
    ['drop: before', 'UND_ERR_SOCKET'],
    ['drop: after', 'UND_ERR_SOCKET'],
    ['drop: mid_body', 'UND_ERR_SOCKET'],
    ['reset: before', 'ECONNRESET'],
    ['reset: after', 'ECONNRESET'],
  ])('%s rejects with the cause that Node gives', async (step, code) => {
    const rule = `{ when: request, then: [{ ${step} }] }`
    await world.scenarios.post(`{ name: cut, title: Cut, rules: [${rule}] }`)
    const cut = world.fetch('/onboarding/api/v1/users/all').then((response) => response.text())
    await expect(cut).rejects.toMatchObject({ name: 'TypeError', cause: { code } })
  })

  test('a reset ends what a rule holds, so that the new world has no trace of it', async () => {
    await world.next('createPayout').hold('commit', '5m')
    const held = pay(world)
    await expect.poll(() => world.requests(), { interval: 1 }).toMatchObject([{ pending: true }])
    await world.reset()
    expect((await held).status).toBe(503)
    await world.expect([
      { payouts: {}, count: 0 },
      { requests: {}, count: 0 },
    ])
  })

  test('moves its clock instead of waiting', async () => {
    const begin = Date.parse(await world.now())
    await world.sleep(1_500)
    await world.advance('3d')
    await world.advance({ to: new Date(begin + 400_000_000) })
    expect(Date.parse(await world.now())).toBe(begin + 400_000_000)
  })

  test('simulates a deposit, moves its transfer, and explains it', async () => {
    const response = await post(world, '/payment/api/v1/offramp', world.build.offramp())
    const { address } = (await response.json()) as { address: string }
    const { transfer_id } = await world.deposit(address, '100')
    const transfer = world.transfer(transfer_id ?? '')
    expect((await transfer.advance()).status).toBe('FUNDS_RECEIVED')
    expect((await transfer.resume()).status).toBe('FUNDS_RECEIVED')
    expect((await transfer.fail('account_closed')).reason).toBe('account_closed')
    const { entries } = await world.why(transfer_id ?? '')
    expect(entries.at(-1)?.sentence).toContain('Failed')
  })

  test('credits, pauses and approves a user, and returns a payout', async () => {
    const { hanna } = world.users
    expect((await world.credit('hanna', '9000.00', 'NGN')).amount).toBe(9000)
    const { body } = await pay(world, { user_id: hanna.id })
    expect((await world.payout(body.id).return()).reason).toBe('returned')
    expect((await world.user(hanna.id).pause()).status).toBe('paused')
    expect((await world.user(world.users.chloe.id).approve()).status).toBe('active')
    await world.account(hanna.id, { currency: 'EUR', account_number: 'DE89370400440532013000' })
    expect(await world.audit()).toMatchObject({ ok: true, violations: [] })
  })

  test('takes a snapshot, restores, undoes and redoes', async () => {
    await world.snapshot('empty')
    await pay(world)
    await world.restore('empty')
    await world.expect({ payouts: {}, count: 0 })
    await world.undo()
    await world.expect({ payouts: {}, count: 1 })
    await world.redo()
    await world.expect({ payouts: {}, count: 0 })
  })

  test('plays scenarios before others, and assumes a reading', async () => {
    await world.scenarios.add('payout-fails-and-refunds')
    await world.assume('payout.repeat', 'conflict')
    const body = world.build.payout()
    expect((await post(world, PAYOUT, body)).status).toBe(200)
    expect((await post(world, PAYOUT, body)).status).toBe(409)
    await world.advance('1m')
    await world.expect({ payouts: { status: 'PAYOUT_FAILED' }, count: 1 })
    expect(await world.requests({ status: '4xx' })).toMatchObject([{ status: 409 }])
    expect((await world.journal()).map(({ command }) => command)).toContain('scenarios.activate')
  })

  test('loses the response of the next payout once, which is paid once', async () => {
    await world.next('createPayout').loseResponse()
    const body = world.build.payout()
    await expect(post(world, PAYOUT, body)).rejects.toThrow('fetch failed')
    expect((await post(world, PAYOUT, body)).status).toBe(200)
    await world.expect({ payouts: {}, count: 1 })
    await world.expect({ requests: { operation: 'createPayout' }, count: 2 })
  })

  test.each([
    ['respond', (world: SandboxWorld) => world.next().respond(503, { retryAfter: 5 }), 503],
    ['fail', (world: SandboxWorld) => world.next('createPayout').fail('limit'), 'PAYOUT_FAILED'],
    [
      'stayPending',
      (world: SandboxWorld) => world.next('createPayout').stayPending(),
      'PAYOUT_PENDING',
    ],
    ['patch', (world: SandboxWorld) => world.next('createPayout').patch({ status: 'ODD' }), 'ODD'],
    ['malform', (world: SandboxWorld) => world.next().malform('empty'), ''],
    ['delay', (world: SandboxWorld) => world.next().delay('1ms'), 'PAYOUT_PROCESSED'],
    ['hold', (world: SandboxWorld) => world.next().hold('answer', 1), 'PAYOUT_PROCESSED'],
  ])('next: %s', async (_, arm, seen) => {
    expect((await arm(world)).rule).toMatch(/^next-/)
    const response = await post(world, PAYOUT, world.build.payout())
    const text = await response.text()
    if (typeof seen === 'number') expect(response.status).toBe(seen)
    else expect(text === '' ? '' : JSON.parse(text).status).toBe(seen)
  })

  test('next: return moves a processed payout after a while', async () => {
    await world.next('createPayout', { times: 'always', userId: 'ada' }).return({ after: '3d' })
    expect((await pay(world)).body.status).toBe('PAYOUT_PROCESSED')
    await world.advance('3d')
    await world.expect({ payouts: { status: 'PAYOUT_FAILED' }, count: 1 })
  })

  test('next: a word that is misspelt, and an argument that a word lacks, are refused', async () => {
    const next = world.next('createPayout') as unknown as Record<string, (it?: object) => unknown>
    expect(() => next.losResponse?.()).toThrow(
      'Unknown fault "losResponse". Did you mean "loseResponse"? Allowed: fail, return, ',
    )
    await expect(next.loseResponse?.({ after: '3d' })).rejects.toThrow(
      'Invalid argument 1 of loseResponse: got {"after":"3d"}. Expected no argument.',
    )
    await expect(next.settle?.({ affter: '3d' })).rejects.toThrow('Did you mean "after"?')
  })

  test('methods refuse surplus arguments', async () => {
    const surplus = (call: (...given: never[]) => unknown, ...given: unknown[]) =>
      Reflect.apply(call, world, given)
    expect(() => surplus(world.advance, '3d', 'x')).toThrow(
      'Invalid argument 2 of advance: got "x". Expected at most 1.',
    )
    expect(() => surplus(world.undo, 3)).toThrow('argument 1 of undo: got 3. Expected no argument')
    expect(() => surplus(world.payout(users.ada).process, 'x')).toThrow('argument 1 of process')
    expect(() => surplus(world.build.user, {}, {})).toThrow('argument 2 of user')
  })

  test('processes a payout that stays pending', async () => {
    await world.next('createPayout').stayPending()
    const { body } = await pay(world)
    expect((await world.payout(body.id).process()).status).toBe('PAYOUT_PROCESSED')
  })

  test('next: an await without a fault is rejected', async () => {
    const call: unknown = world.next('createPayout')
    await expect(call).rejects.toThrow(
      'world.next(…) was called without a fault. Expected one behind it, such as',
    )
  })

  test('expect rejects with the missed expectation and its near misses', async () => {
    await pay(world, { amount: '12.00' })
    const missed = world.expect([{ audit: 'clean' }, { payouts: { amount: 13 }, count: 1 }])
    await expect(missed).rejects.toThrow(ExpectationError)
    await expect(missed).rejects.toThrow(/^MISSED .*\n.*12\.00 NGN.*\n +amount: expected 13, got /)
  })

  test('an error of the control API is a SandboxError with its code and field', async () => {
    const refused = world.next('listUsers').fail()
    await expect(refused).rejects.toThrow(SandboxError)
    await expect(refused).rejects.toMatchObject({ code: '4000', status: 400, field: 'operation' })
    await expect(refused).rejects.toThrow('createPayout, initiateOfframp, createUser')
  })

  test.each([
    ['createUser', 'Invalid operation: got "createUser"'],
    [undefined, 'Missing operation'],
  ] as const)(
    'next: return of %s is rejected, and names the operations that fit',
    async (operation, words) => {
      const message = `${words}. Expected createPayout, initiateOfframp, whose record then can return`
      await expect(world.next(operation).return()).rejects.toThrow(message)
    },
  )

  test('an unknown scenario is rejected with the nearest name', async () => {
    await expect(world.scenarios.add('late-retrun' as 'late-return')).rejects.toThrow(
      'Expected a name that GET /_sandbox/scenarios lists. Did you mean "late-return"?',
    )
  })
})

test.skipIf(SANDRAMP_URL)('the same tests pass under sandramp run', async () => {
  const file = fileURLToPath(import.meta.url)
  const command = [process.execPath, 'node_modules/vitest/vitest.mjs', 'run', file]
  const ran = await runCli(
    ['run', '--', ...command],
    fileURLToPath(new URL('../..', import.meta.url)),
  )
  expect(ran.code, ran.stdout + ran.stderr).toBe(0)
})

test('bodies accept every field of the contract', async () => {
  const { defaultWorld } = await createSandbox({ clock: 'manual' })
  const { schemas } = JSON.parse(readText('openapi/contract.json')).components
  const build = {
    UserRequest: (fields: object) => defaultWorld.build.user({ consent_id: users.ada, ...fields }),
    AddressRequest: (address: object) =>
      defaultWorld.build.user({ consent_id: users.ada, address: { ...address } }),
    PayoutRequest: defaultWorld.build.payout,
    ConsentRequest: defaultWorld.build.consent,
    CustodyWalletRequest: defaultWorld.build.wallet,
    OfframpRequest: defaultWorld.build.offramp,
  }
  for (const [name, make] of Object.entries(build))
    for (const field of Object.keys(schemas[name].properties))
      expect(() => make({ [field]: undefined }), `${name}.${field}`).not.toThrow()
})

test('the names of the shipped fixtures are those of the types', async () => {
  const { defaultWorld } = await createSandbox({ clock: 'manual' })
  const named = (records: object) =>
    Object.keys(records)
      .filter((name) => !name.includes('TestValue'))
      .sort()
      .join(' ')
  expect(named(defaultWorld.users)).toBe('ada ben chloe daniel erin felix grace hanna')
  const accounts = 'adaEur adaKes adaNgn adaUsd benEur benKes graceGbp'
  expect(named(defaultWorld.accounts)).toBe(accounts)
  const wallets = 'adaEthereum adaPolygon adaSolana benEthereum benPolygon benSolana'
  expect(named(defaultWorld.wallets)).toBe(wallets)
})

describe('connect', () => {
  test.each([
    ['localhost:4020', 'Invalid url: got "localhost:4020". Expected the URL of a sandbox'],
    ['http://127.0.0.1:65535', 'Invalid url: no sandbox answers at http://127.0.0.1:65535.'],
  ])('rejects %s with one sentence', async (url, message) => {
    const connecting = connect(url)
    await expect(connecting).rejects.toThrow(SandboxError)
    await expect(connecting).rejects.toThrow(message)
  })

  test('needs the control token of the sandbox', async () => {
    const sandbox = await createSandbox({ controlToken: 'a-token-of-this-test' })
    onTestFinished(() => sandbox.close())
    const url = await sandbox.defaultWorld.url()
    await expect(connect(url)).rejects.toMatchObject({ code: '4011', status: 401 })
    const client = await connect(url, { controlToken: 'a-token-of-this-test' })
    expect((await pay(await client.world())).status).toBe(200)
  })

  test('opens worlds with keys of a prefix', async () => {
    const sandbox = await createSandbox({ clock: 'manual' })
    onTestFinished(() => sandbox.close())
    const url = await sandbox.defaultWorld.url()
    const client = await connect(url, { keyPrefix: 'SandboxWorldAbcdefghij' })
    const world = await client.world('of a tenant')
    expect(world.key).toMatch(/^SandboxWorldAbcdefghij/)
    await (await client.world()).expect({ payouts: {}, count: 0 })
    await world.expect({ payouts: {}, count: 0 })
  })
})
