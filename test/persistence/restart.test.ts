import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { audit } from '../../src/domain/audit.js'
import { DEFAULT_WORLD, deriveWorldId, hashSecret } from '../../src/lib/secrets.js'
import { activeNames } from '../../src/scenarios/evaluate/compiled-rules.js'
import { namesIn } from '../../src/scenarios/language/catalogue.js'
import { BEFORE_RESET, BEFORE_RESTORE } from '../../src/worlds/snapshots.js'
import { dataFile } from '../support/data-folder.js'
import { accounts, keys, ownId, users } from '../support/fixture-ids.js'
import { MemoryDisk } from '../support/memory-disk.js'
import { openPersistent, type PersistentSandbox, stateOf } from '../support/persistent-sandbox.js'
import { offrampRequest, payoutRequest } from '../support/requests.js'

const PAYOUT = '/payment/api/v1/payout'
const byLibrary = () => ({ kind: 'library' }) as const

const transferRequest = () => ({
  user_id: users.ada,
  account_id: accounts.adaEur,
  source_currency: 'USD',
  source_amount: '500.00',
})

const SCENARIO = `
name: mine
title: Mine
rules:
  - when: payout.created
    then:
      - { after: 5s, move: PAYOUT_FAILED, reason: "\u{1F600} caf\u00e9" }
`

/** A sandbox with new files. */
const start = async (options?: Parameters<typeof openPersistent>[2]) => {
  const [file, disk] = [dataFile(), new MemoryDisk()]
  return { file, disk, first: await openPersistent(file, disk, options) }
}

/** Closes a sandbox in this way, and opens what it has left. */
const restart = async (
  { sandbox }: PersistentSandbox,
  file: string,
  disk: MemoryDisk,
  how: 'closed' | 'crashed',
  options: Parameters<typeof openPersistent>[2] = {},
): Promise<PersistentSandbox> => {
  await sandbox.flushed()
  const left = disk.copy()
  await sandbox.close()
  if (how === 'crashed') disk.become(left)
  return openPersistent(file, disk, options)
}

describe('a sandbox with a data file', () => {
  test('is reset when the key of the option is one of the fixtures', async () => {
    const { file, disk, first } = await start()
    const second = await restart(first, file, disk, 'closed', { apiKey: keys.full })
    const reset = await second.call('POST', '/_sandbox/reset')
    expect([reset.status, reset.body]).toMatchObject([200, {}])
  })

  test.each(['closed', 'crashed'] as const)('is the same again after it was %s', async (how) => {
    const { file, disk, first } = await start({ seed: 'tests' })
    const posted = await first.fetch('/_sandbox/scenarios', {
      method: 'POST',
      headers: { 'content-type': 'application/yaml' },
      body: SCENARIO,
    })
    expect(posted.status, await posted.text()).toBe(201)
    await first.call('PUT', '/_sandbox/scenarios/active', { names: ['mine'] })
    await first.call('POST', PAYOUT, payoutRequest())
    await first.call('POST', '/_sandbox/transfers', transferRequest())
    await first.call('POST', '/_sandbox/clock/advance', { by: '3s' })
    const made = await first.call('POST', '/_sandbox/api-keys', { name: 'm', permissions: 'full' })
    first.sandbox.main.rewind.takeSnapshot('before', byLibrary())
    await first.call('POST', PAYOUT, { ...payoutRequest(), customer_payout_id: ownId(9) })
    const before = stateOf(first.sandbox.main)

    const next = await restart(first, file, disk, how)
    expect(stateOf(next.sandbox.main)).toEqual(before)
    const { status } = await next.fetch('/onboarding/api/v1/users/all', {
      headers: { 'x-api-key': made.body.secret },
    })
    expect(status).toBe(200)
    await next.call('POST', '/_sandbox/clock/advance', { by: '2s' })
    const list = await next.call('GET', '/_sandbox/payouts')
    expect(list.body.items[1]).toMatchObject({
      status: 'PAYOUT_FAILED',
      reason: '\u{1F600} caf\u00e9',
    })
  })

  test.each(['closed', 'crashed'] as const)('keeps armed calls after it was %s', async (how) => {
    const { file, disk, first } = await start()
    const arm = (operation: string, move: string) =>
      first.call('POST', '/_sandbox/next', { operation, then: { move } })
    await arm('initiateOfframp', 'FAILED')
    await arm('createPayout', 'PAYOUT_FAILED')
    const { body } = await first.call('POST', '/payment/api/v1/offramp', offrampRequest())
    const before = stateOf(first.sandbox.main)

    const next = await restart(first, file, disk, how)
    expect(stateOf(next.sandbox.main)).toEqual(before)
    const { address } = body
    await next.call('POST', '/_sandbox/deposits', { address, amount: '50' })
    const transfers = await next.call('GET', '/_sandbox/transfers')
    expect(transfers.body.items[0].status).toBe('FAILED')
    const paid = await next.call('POST', PAYOUT, payoutRequest())
    expect(paid.body.status).toBe('PAYOUT_FAILED')
  })

  test('goes on where it was: the same ids follow as without a restart', async () => {
    const file = dataFile()
    const run = async (disk: MemoryDisk, isRestarted: boolean) => {
      const first = await openPersistent(file, disk, { seed: 'tests' })
      await first.call('POST', PAYOUT, payoutRequest())
      const next = isRestarted ? await restart(first, file, disk, 'crashed') : first
      const { body } = await next.call('POST', PAYOUT, {
        ...payoutRequest(),
        customer_payout_id: ownId(2),
      })
      await next.sandbox.close()
      return body
    }
    expect(await run(new MemoryDisk(), true)).toEqual(await run(new MemoryDisk(), false))
  })

  test('says that the history of its records begins now when no entry is kept', async () => {
    const { file, disk, first } = await start()
    const { body: transfer } = await first.call('POST', '/_sandbox/transfers', transferRequest())
    await first.call('POST', '/_sandbox/clock/advance', { by: '3s' })
    const next = await restart(first, file, disk, 'closed')
    const { body } = await next.call('GET', `/_sandbox/records/${transfer.id}/why`)
    const begins_at = '2026-06-15T09:00:03.000Z'
    expect(body).toMatchObject({ complete: false, begins_at, entries: [] })
    const page = await (await next.fetch(`/transfers/${transfer.id}`)).text()
    expect(page).toMatch(
      /"2026-06-15T09:00:03\.000Z"[^/]*<\/time>\s*<div>\s*<p><b>The journal begins here/,
    )
  })

  test.each(['closed', 'crashed'] as const)(
    'uses the readings of its own start after it was %s, except for choices of a world',
    async (how) => {
      const chooser = `SandboxWorld${'C'.repeat(20)}`
      const path = '/_sandbox/assumptions/payout.repeat'
      const actives = async ({ call }: PersistentSandbox) => {
        const answers = [await call('GET', path), await call('GET', path, undefined, chooser)]
        return answers.map(({ body }) => body.active)
      }
      const { file, disk, first } = await start()
      await first.call('PATCH', path, { reading: 'second' }, chooser)
      expect(await actives(first)).toEqual(['current', 'second'])
      const reading = { readings: ['payout.repeat=conflict'] }
      const next = await restart(first, file, disk, how, reading)
      expect(await actives(next)).toEqual(['conflict', 'second'])
      await next.call('POST', PAYOUT, payoutRequest())
      expect((await next.call('POST', PAYOUT, payoutRequest())).status).toBe(409)
      const last = await restart(next, file, disk, how)
      expect(await actives(last)).toEqual(['current', 'second'])
    },
  )

  test('fires timers that came due meanwhile with their own time', async () => {
    let machine_ms = Date.parse('2030-01-01T00:00:00.000Z')
    const options = { clock: 'real', machineClock: () => machine_ms }
    const { file, disk, first } = await start(options)
    const { body: transfer } = await first.call('POST', '/_sandbox/transfers', transferRequest())
    machine_ms += 3_000
    await first.call('GET', '/_sandbox/clock')
    machine_ms += 60_000
    const next = await restart(first, file, disk, 'crashed', {
      ...options,
      clock: undefined as never,
    })
    const { body } = await next.call('GET', `/_sandbox/transfers/${transfer.id}`)
    expect(body.status).toBe('PAYMENT_PROCESSED')
    expect(body.reached).toMatchObject({
      PENDING: '2030-01-01T00:00:00.000Z',
      FUNDS_RECEIVED: '2030-01-01T00:00:02.000Z',
      PAYMENT_PROCESSED: '2030-01-01T00:00:08.000Z',
    })
    expect((await next.call('GET', '/_sandbox/clock')).body.now).toBe('2030-01-01T00:01:03.000Z')
  })

  test('lets clocks wait where the machine’s time was behind once, and keeps what was advanced', async () => {
    let machine_ms = Date.parse('2030-01-02T00:00:00.000Z')
    const options = { clock: 'real', machineClock: () => machine_ms }
    const later = { ...options, clock: undefined as never }
    const own = `SandboxWorld${'0'.repeat(20)}`
    const timesOf = async ({ call }: Awaited<ReturnType<typeof openPersistent>>) =>
      Promise.all(
        [undefined, own].map(async (key) => {
          const { body } = await call('GET', '/_sandbox/clock', undefined, key)
          return body.now as string
        }),
      )
    const { file, disk, first } = await start(options)
    await timesOf(first)
    machine_ms -= 24 * 60 * 60_000
    const next = await restart(first, file, disk, 'closed', later)
    expect(next.warnings).toEqual(
      [DEFAULT_WORLD, deriveWorldId(hashSecret(own))].map((id) =>
        expect.stringContaining(`world ${id} waits at 2030-01-02T00:00:00.000Z until`),
      ),
    )
    machine_ms += 5_000
    await next.call('POST', '/_sandbox/clock/advance', { by: '1h' }, own)
    expect(await timesOf(next)).toEqual(['2030-01-02T00:00:00.000Z', '2030-01-02T01:00:00.000Z'])
    machine_ms += 24 * 60 * 60_000
    const last = await restart(next, file, disk, 'crashed', later)
    expect(last.warnings).toEqual([])
    expect(await timesOf(last)).toEqual(['2030-01-02T00:00:05.000Z', '2030-01-02T01:00:05.000Z'])
  })

  test('keeps its seed, and refuses another', async () => {
    const { file, disk, first } = await start({ seed: 'one' })
    const next = await restart(first, file, disk, 'closed')
    expect(next.sandbox.main.world.seed).toBe('one')
    await next.sandbox.close()
    const text = disk.text(file)
    await expect(openPersistent(file, disk, { seed: 'two' })).rejects.toThrow(
      /Invalid seed: got "two"\. Expected "one", with which .*state.json began, or none/,
    )
    expect(disk.text(file)).toBe(text)
    const same = await openPersistent(file, disk, { seed: 'one' })
    expect(same.sandbox.main.world.seed).toBe('one')
  })

  test.each([
    ['that was asked for', { seed: 'one' }, {}],
    ['that was asked for once it was there', {}, { seed: 'drawn' }],
  ])('gives a reset the seed %s', async (_what, made, later) => {
    const { file, disk, first } = await start(made)
    await first.sandbox.close()
    const { seed } = first.sandbox.main.world
    const asked = await openPersistent(file, disk, 'seed' in later ? { seed } : {})
    await asked.sandbox.close()
    const again = await openPersistent(file, disk)
    await again.call('POST', '/_sandbox/reset')
    expect(again.sandbox.main.world.seed).toBe(seed)
  })

  test('gives a reset another seed than one that nobody has asked for', async () => {
    const { file, disk, first } = await start()
    const { seed } = first.sandbox.main.world
    await first.sandbox.close()
    const again = await openPersistent(file, disk)
    expect(again.sandbox.main.world.seed).toBe(seed)
    await again.call('POST', '/_sandbox/reset')
    const other = again.sandbox.main.world.seed
    expect(other).not.toBe(seed)
    await again.sandbox.close()
    expect(JSON.parse(disk.text(file))).toMatchObject({ seed, drawn: true })
    const next = await openPersistent(file, disk)
    expect(next.sandbox.main.world.seed).toBe(other)
  })

  test('takes on what a start asks for: a pace, a key of one’s own, starting scenarios', async () => {
    const apiKey = 'A'.repeat(32)
    const { file, disk, first } = await start()
    const options = { clock: '60x', apiKey, scenarios: ['gateway-down'] }
    const shipped = namesIn(first.sandbox.catalogue, first.sandbox.main.world.tables)
    options.scenarios = [shipped.find((name) => name !== 'happy-path') ?? '']
    const next = await restart(first, file, disk, 'closed', options)
    const { main } = next.sandbox
    expect(main.world.tables.clock.get('clock')).toMatchObject({ mode: 'speed', speed: 60 })
    expect(activeNames(main.world.tables)[0]).toBe(options.scenarios[0])
    const { seq } = main.world
    const third = await restart(next, file, disk, 'closed', options)
    expect(third.sandbox.main.world.seq).toBe(seq)
    expect(third.sandbox.main.world.tables.api_keys.list('all', '').at(-1)?.last_four).toBe('AAAA')
  })

  test('leaves the files as they are when nothing was done', async () => {
    const { file, disk, first } = await start()
    const next = await restart(first, file, disk, 'closed')
    const written = { state: disk.text(file), journal: disk.text(`${file}.journal`) }
    const third = await restart(next, file, disk, 'closed')
    await third.sandbox.close()
    expect({ state: disk.text(file), journal: disk.text(`${file}.journal`) }).toEqual(written)
  })

  test('answers cursors from before its first entry as any that is too old', async () => {
    const { file, disk, first } = await start()
    await first.call('POST', PAYOUT, payoutRequest())
    const { newest } = first.sandbox.main.journal
    const next = await restart(first, file, disk, 'closed')
    expect((await next.call('GET', '/_sandbox/journal?after=1')).status).toBe(410)
    expect((await next.call('GET', `/_sandbox/journal?after=${newest}`)).body.items).toEqual([])
    const { body } = await next.call('GET', '/_sandbox/journal')
    expect(body).toMatchObject({ items: [], next: newest, oldest: newest + 1 })
    const crashed = await restart(next, file, disk, 'crashed')
    expect((await crashed.call('GET', `/_sandbox/journal?after=${newest}`)).status).toBe(200)
  })

  test('has the balances again that an undo of a restore and a restore of before-restore brought back', async () => {
    const { file, disk, first: api } = await start({ seed: 'one' })
    const post = async (path: string, body?: object) =>
      expect((await api.call('POST', `/_sandbox/${path}`, body)).status).toBeLessThan(300)
    const credit = (amount: string) =>
      post(`users/${users.ada}/balances`, { currency: 'NGN', amount })
    // With the same random numbers both credits have one id, so each movement replaces the other.
    await credit('7')
    await post('snapshots', { name: 'a' })
    await post('reset')
    await credit('5')
    await post('snapshots/a/restore')
    await post('undo')
    await credit('3')
    await post('snapshots/a/restore')
    await post('snapshots/before-restore/restore')
    const before = stateOf(api.sandbox.main)
    const again = await restart(api, file, disk, 'crashed')
    expect(stateOf(again.sandbox.main)).toEqual(before)
    expect(audit(again.sandbox.main.world.tables).violations).toEqual([])
  })

  const AUTOMATIC: Readonly<Record<number, string>> = { 0: BEFORE_RESET, 3: BEFORE_RESTORE }

  test('is the same again after any history of commands, resets, snapshots and undos', async () => {
    const verb = fc.oneof(
      fc.record({ do: fc.constant('credit' as const), n: fc.nat(9) }),
      fc.record({ do: fc.constant('payout' as const), n: fc.nat(9) }),
      fc.record({ do: fc.constant('transfer' as const), n: fc.nat(9) }),
      fc.record({ do: fc.constant('advance' as const), n: fc.nat(9) }),
      fc.record({ do: fc.constant('reset' as const), n: fc.nat(9) }),
      fc.record({ do: fc.constant('take' as const), n: fc.nat(2) }),
      fc.record({ do: fc.constant('drop' as const), n: fc.nat(2) }),
      fc.record({ do: fc.constant('restore' as const), n: fc.nat(3) }),
      fc.record({ do: fc.constant('undo' as const), n: fc.nat(9) }),
      fc.record({ do: fc.constant('restart' as const), n: fc.nat(1) }),
    )
    type Act = typeof verb extends fc.Arbitrary<infer A> ? A : never
    const play = async (at: PersistentSandbox, file: string, disk: MemoryDisk, act: Act) => {
      const { sandbox } = at
      const { main } = sandbox
      const cause = byLibrary()
      const automatic = act.do === 'take' ? undefined : AUTOMATIC[act.n]
      const name = automatic ?? `s${act.n}`
      const { world } = main
      switch (act.do) {
        case 'credit':
          world.run(
            'balance.credit',
            { user_id: users.ada, currency: 'NGN', amount: `${act.n + 1}.50` },
            cause,
          )
          break
        case 'payout': {
          const input = { ...payoutRequest(), customer_payout_id: ownId(act.n) }
          world.run('payout.create', input, cause)
          break
        }
        case 'transfer':
          world.run('transfer.start', transferRequest(), cause)
          break
        case 'advance':
          main.advance(world.now + act.n * 1_000, cause)
          break
        case 'reset':
          main.reset(cause)
          break
        case 'take':
          main.rewind.takeSnapshot(name, cause)
          break
        case 'drop':
          if (main.rewind.snapshot(name)) main.rewind.dropSnapshot(name, cause)
          break
        case 'restore': {
          const snapshot = main.rewind.snapshot(name)
          if (snapshot) main.rewind.restore(snapshot, cause)
          break
        }
        case 'undo':
          main.rewind.undo(cause)
          break
        case 'restart':
          return restart(at, file, disk, act.n === 0 ? 'closed' : 'crashed')
      }
      return at
    }
    await fc.assert(
      fc.asyncProperty(
        fc.array(verb, { minLength: 5, maxLength: 25, size: 'max' }),
        async (acts) => {
          const file = dataFile()
          const disk = new MemoryDisk()
          let at = await openPersistent(file, disk)
          for (const act of acts) at = await play(at, file, disk, act)
          const before = stateOf(at.sandbox.main)
          expect(audit(at.sandbox.main.world.tables).violations).toEqual([])
          for (const how of ['crashed', 'closed'] as const) {
            at = await restart(at, file, disk, how)
            expect(stateOf(at.sandbox.main)).toEqual(before)
          }
          await at.sandbox.close()
        },
      ),
      { numRuns: 15 },
    )
  })
})
