import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { programCommands } from '../../src/api/control/command-inputs.js'
import { createSandbox } from '../../src/index.js'
import { INSTANT_HELP } from '../../src/kernel/time.js'
import { fixturesFolder } from '../../src/lib/paths.js'
import { readText } from '../readme/markdown.js'
import { dataFile } from '../support/data-folder.js'
import { addresses, BEGINNING, keys, NOBODY, users } from '../support/fixture-ids.js'
import { didYouMean, invalid, inWords, missing, unknown, unknownField } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'

const later = (ms: number) => new Date(Date.parse(BEGINNING) + ms).toISOString()

describe('advance', () => {
  test.each<[Parameters<Awaited<ReturnType<typeof createSandbox>>['advance']>[0], number]>([
    ['30m', 1_800_000],
    [{ by: 'PT2S' }, 2_000],
    [{ to: later(5_000) }, 5_000],
    [{ to: new Date(later(5_000)) }, 5_000],
    [{ until: 'idle' }, 8_000],
  ])('%j', async (how, ms) => {
    const { sandbox } = await openSandbox()
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    expect(sandbox.advance(how).now).toBe(later(ms))
    expect(sandbox.now).toBe(later(ms))
  })
})

test.each([
  [{ untill: 'idle' }, unknown('option', 'untill', 'by, to, until', didYouMean('until'))],
  [{ by: '1s', unit: 's' }, unknown('option', 'unit', 'by, to, until', didYouMean('until'))],
  [{ until: 'ilde' }, invalid('until', 'ilde', 'idle')],
  [{ to: later(-1) }, invalid('to', later(-1), 'an instant from')],
  [{ to: '2026-06-20T00:00:00' }, invalid('to', '2026-06-20T00:00:00', INSTANT_HELP)],
  [{ to: new Date(Number.NaN) }, invalid('to', inWords('Invalid Date'), INSTANT_HELP)],
  [{ to: ['2026-06-20T00:00:00'] }, invalid('to', inWords('an array'), INSTANT_HELP)],
  [{}, invalid('target', inWords('no field'), 'one of by, to and until')],
  [5, invalid('target', 5, 'a duration')],
  [null, invalid('target', null, 'a duration')],
])('advance refuses %j and leaves the time unchanged', async (how, words) => {
  const { sandbox } = await openSandbox()
  expect(() => sandbox.advance(how as never)).toThrow(words)
  expect(sandbox.now).toBe(BEGINNING)
})

test('verify takes null for no wish where to wait', async () => {
  const { sandbox } = await openSandbox()
  await expect(sandbox.verify([{ audit: 'clean' }], null as never)).resolves.toMatchObject({
    ok: true,
  })
})

test.each([
  [{ until: '1 hour' }, invalid('until', '1 hour', 'idle, or a duration such as 500ms')],
  [{ until: 5 }, invalid('until', 5, 'idle, or a duration such as 500ms')],
  [{ untill: 'idle' }, unknown('option', 'untill', 'until', didYouMean('until'))],
])('verify refuses %j', async (how, words) => {
  const { sandbox } = await openSandbox()
  await expect(sandbox.verify([{ payouts: {} }], how as never)).rejects.toThrow(words)
})

test.each<[object, string]>([
  [{ payouts: { id: undefined }, count: 0 }, missing('expect.0.payouts.id', 'a ')],
  [{ requests: { body: undefined } }, missing('expect.0.requests.body', 'a ')],
  [{ payouts: {}, after: { users: { id: undefined } } }, missing('expect.0.after.users.id')],
  [{ payouts: { user: { last_name: undefined } } }, missing('expect.0.payouts.user.last_name')],
])(
  'verify refuses a condition without a value, which would never be met: %o',
  async (given, words) => {
    const sandbox = await createSandbox()
    await expect(sandbox.verify([given as never])).rejects.toThrow(words)
  },
)

test('run refuses to activate a scenario that does not exist', async () => {
  const { sandbox } = await openSandbox()
  const names = ['bank-reject']
  expect(() => sandbox.run('scenarios.activate', { names })).toThrow(
    expect.objectContaining({ name: 'Refusal', code: 'unknown', field: 'names.0' }),
  )
})

test('run answers what the command made, or throws its refusal', async () => {
  const { sandbox } = await openSandbox()
  const credit = { user_id: users.hanna, currency: 'USD', amount: '5.00' }
  expect(sandbox.run('balance.credit', credit)).toEqual({ currency: 'USD', amount: '5.00' })
  expect(() => sandbox.run('balance.credit', { ...credit, user_id: NOBODY })).toThrow(
    `Invalid user_id: no user has the id ${NOBODY}.`,
  )
})

describe('the input of run', () => {
  const refusal = (message: string) => expect.objectContaining({ name: 'Refusal', message })
  const AMOUNT = 'an amount above zero as a string such as "1500.00"'
  const credit = { user_id: users.hanna, currency: 'USD', amount: '5.00' }
  const payout = {
    user_id: users.hanna,
    currency: 'USD',
    customer_payout_id: NOBODY,
    amount: '1.00',
    recipient_details: {
      bank_name: 'First Bank',
      account_holder_name: 'Amina Yusuf',
      recipient_account_number: '0123456789',
    },
  }

  test.each<[string, unknown, string]>([
    ['balance.credit', undefined, missing('input', 'an object')],
    ['balance.credit', null, invalid('input', null, 'an object')],
    ['balance.credit', [credit], invalid('input', inWords('an array'), 'an object')],
    ['balance.credit', { ...credit, amount: 5 }, invalid('amount', 5, AMOUNT)],
    ['balance.credit', { ...credit, amount: undefined }, missing('amount', AMOUNT)],
    ['rate.set', { base: 'USD', quote: 'EUR', rate: 'soon' }, invalid('rate', 'soon', AMOUNT)],
    ['api_key.set', { id: NOBODY, key: keys.full }, unknownField('key', 'id, status, expires_at')],
    [
      'balance.credit',
      JSON.parse(`{ "__proto__": {}, ${JSON.stringify(credit).slice(1)}`),
      unknownField('__proto__', 'user_id, currency, amount'),
    ],
    [
      'payout.create',
      { ...payout, recipient_details: { ...payout.recipient_details, bic: 'X' } },
      unknownField(
        'recipient_details.bic',
        'bank_name, account_holder_name, recipient_account_number',
      ),
    ],
  ])('%s refuses %o without an entry', async (command, input, message) => {
    const { sandbox } = await openSandbox()
    const before = sandbox.entries().length
    const run = () => sandbox.run(command as 'balance.credit', input as never)
    expect(run).toThrow(refusal(`${message}.`))
    expect(sandbox.entries()).toHaveLength(before)
  })

  test('docs/reference/library.md lists the fields that each command names in its errors', async () => {
    const { sandbox } = await openSandbox()
    const words = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map((it) => it[1])
    const named = programCommands.map((command) => {
      let message = ''
      try {
        sandbox.run(command as 'balance.credit', { strange: 1 } as never)
      } catch (error) {
        message = String(error)
      }
      const [, allowed = ''] = message.split('Unknown field "strange". Allowed: ')
      const required = words(message, /Missing (\w+)\./g)
      return [command, ...required, '?', ...words(allowed, /(\w+)/g).slice(required.length)]
    })
    const [, section = ''] = readText('docs/reference/library.md').split('## Commands of run\n')
    const listed = section
      .split(/^\| (?=`)/m)
      .slice(1)
      .flatMap((row) => {
        const [commands = '', required = '', optional = ''] = row.split(' |')
        return words(commands, /`(.+?)`/g).map((command) => [
          command,
          ...words(required, /`(.+?)`/g),
          '?',
          ...words(optional, /`(.+?)`/g),
        ])
      })
    expect(listed.sort()).toEqual(named.sort())
  })
})

describe('records shown to a program', () => {
  test('records and entries are frozen, because worlds share them', async () => {
    const { sandbox } = await openSandbox()
    const { transfer_id } = sandbox.run('deposit.receive', {
      address: addresses.adaEur,
      amount: '9',
    })
    const shown = [
      sandbox.tables.users.get(users.ada),
      sandbox.tables.users.get(users.ada)?.address,
      sandbox.tables.users.all()[0],
      sandbox.tables.transfers.get(transfer_id ?? ''),
      sandbox.run('user.move', { id: users.underReview, to: 'active' }),
      sandbox.advance('8s').fired[0],
      sandbox.entries().at(-1)?.changes[0]?.record,
    ]
    for (const it of shown) {
      expect(it).toBeTypeOf('object')
      expect(() => Object.assign(it ?? {}, { status: 'X' })).toThrow(TypeError)
    }
  })

  test('lists belong to the caller; tables are frozen and have no write', async () => {
    const { sandbox } = await openSandbox()
    const { tables } = sandbox
    expect(tables.users.all().reverse().at(-1)).toBe(tables.users.all()[0])
    expect(sandbox.tables.users).toBe(tables.users)
    expect(tables.users).not.toHaveProperty('write')
    expect(() => Object.assign(tables, { users: undefined })).toThrow(TypeError)
  })
})

test('a key of the fixtures with full access is there already, after a reset too', async () => {
  const sandbox = await createSandbox({ apiKey: keys.full })
  const held = sandbox.tables.api_keys.size
  sandbox.reset()
  expect(sandbox.tables.api_keys.size).toBe(held)
  await sandbox.close()
})

test.each([
  'world.begin',
  'world.fork',
  'snapshot.take',
  'fixtures.load',
  'clock.set',
  'api_key.create',
  'toString',
  'payout.made',
])('run refuses %s, which is not a command of a program', async (command) => {
  const sandbox = await createSandbox()
  const before = sandbox.entries().length
  const run = sandbox.run as (command: string, input: object) => unknown
  const problem = new RegExp(invalid('command', command, '[a-z_., ]*payout.create, [a-z_., ]*$'))
  expect(() => run(command, { name: 'x' })).toThrow(problem)
  expect(() => run(command, {})).not.toThrow(/Expected .*(fixtures.load|snapshot)/)
  expect(sandbox.entries()).toHaveLength(before)
  await sandbox.close()
})

describe('options that cannot be used', () => {
  test.each([
    [{ clock: 'fast' }, invalid('clock', 'fast', 'real, manual, or a speed such as 60x')],
    [
      { apiKey: 'short' },
      invalid('apiKey', inWords('5 characters'), 'exactly 32 of A-Z, a-z and 0-9'),
    ],
    [{ apiKey: `${'x'.repeat(31)}-` }, 'Invalid apiKey: '],
    [
      { apiKey: keys.readOnly },
      'Invalid apiKey: the fixtures hold this key as Read only, without lasting full access',
    ],
    [
      { controlToken: 'a b' },
      invalid('controlToken', inWords('3 characters'), 'visible ASCII without'),
    ],
    [
      { scenarios: ['no-such-scenario'] },
      'scenarios: No scenario and no file is named no-such-scenario. Expected a file, or a name',
    ],
    [
      { scenarios: [fixturesFolder] },
      `scenarios: ${fixturesFolder} cannot be read: it is a folder`,
    ],
    [
      { readings: ['payout.fee'] },
      `readings: ${invalid('reading', 'payout.fee', '<id>=<reading>')}`,
    ],
    [
      { readingsFile: '/no/answers.yaml' },
      'readingsFile: /no/answers.yaml cannot be read: there is no such file. Expected a file of',
    ],
    [
      { data: fixturesFolder },
      `data: ${fixturesFolder} is not a file. Expected the path of a file`,
    ],
    [
      { rateLimit: '0/1m' },
      invalid('rateLimit', '0/1m', 'a number from 1 to 1000000, a slash and a duration'),
    ],
    [{ requestLog: -1 }, invalid('requestLog', -1, 'a whole number from 0 to 100000')],
    [{ requestLog: 1.5 }, invalid('requestLog', 1.5, 'a whole number from 0 to 100000')],
    [{ requestLog: 100_001 }, invalid('requestLog', 100001, 'a whole number from 0')],
    [
      { fixtures: '/no/such/folder' },
      'fixtures: /no/such/folder is not a folder. Expected a folder of fixtures, in JSON files',
    ],
    [
      { machineClock: () => Number.NaN },
      invalid('machineClock', inWords('a function that returns NaN'), 'mill'),
    ],
    [
      { machineClock: () => new Date() as never },
      invalid('machineClock', inWords('a function that returns ')),
    ],
    [{ seed: '' }, invalid('seed', '', 'a text that is not empty')],
    ['manual' as never, /^Invalid options: got "manual"\. Expected an object\.$/],
    [null as never, /^Invalid options: got null\. Expected an object\.$/],
  ])('%j', async (options, words) => {
    await expect(createSandbox(options)).rejects.toThrow(words)
  })

  test('an option that there is not, with those that there are, and the nearest', async () => {
    await expect(createSandbox({ clok: 'manual' } as object)).rejects.toThrow(
      /^Unknown option "clok"\. Did you mean "clock"\? Allowed: data, fixtures, /,
    )
    await expect(createSandbox({ verbose: true } as object)).rejects.toThrow(/, log\.$/)
    await expect(createSandbox({ port: 3 } as object)).rejects.toThrow(
      /^Unknown option "port"\. It is an option of listen: sandbox\.listen\(\{ port \}\)\.$/,
    )
  })
})

describe('listening', () => {
  test('takes a free port, as often as asked, and closes them all', async () => {
    const sandbox = await createSandbox({ clock: 'manual' })
    const first = await sandbox.listen()
    const second = await sandbox.listen({ port: 0, host: '127.0.0.1' })
    expect(first.url).not.toBe(second.url)
    for (const { url } of [first, second]) {
      expect((await fetch(`${url}/_sandbox/health`)).status).toBe(200)
    }
    await sandbox.close()
    for (const { url } of [first, second]) {
      await expect(fetch(`${url}/_sandbox/health`)).rejects.toThrow()
    }
  })

  test.each([
    [{ port: -1 }, invalid('port', -1, 'a number from 0 to 65535')],
    [{ port: '80' }, invalid('port', '80', 'a number from 0 to 65535')],
    [{ bogus: 1 }, 'Unknown option "bogus". Allowed: port, host, tls'],
    [4020, invalid('listen', 4020, 'an object such as { port: 4020 }')],
    [null, invalid('listen', null, 'an object such as { port: 4020 }')],
    [{ host: 5 }, invalid('host', 5, 'the name or address of an interface')],
  ])('refuses %j, and leaves nothing open', async (options, problem) => {
    const sandbox = await createSandbox()
    await expect(sandbox.listen(options as object)).rejects.toThrow(problem)
    await sandbox.close()
  })

  test('the control API asks for a generated token when others can reach the port', async () => {
    const sandbox = await createSandbox({ clock: 'manual' })
    const { url, controlToken = '' } = await sandbox.listen({ host: '0.0.0.0' })
    const status = async (path: string, headers: Record<string, string> = {}) =>
      (await fetch(url + path, { headers })).status
    expect(await status('/_sandbox/clock')).toBe(401)
    expect(await status('/')).toBe(401)
    expect(await status('/_sandbox/clock', { authorization: `Bearer ${controlToken}` })).toBe(200)
    const near = await sandbox.listen()
    expect(near).not.toHaveProperty('controlToken')
    expect((await fetch(`${near.url}/_sandbox/clock`)).status).toBe(200)
    expect((await sandbox.fetch('/_sandbox/clock')).status).toBe(200)
    await sandbox.close()
  })

  test('a token that was given is the one asked for', async () => {
    const sandbox = await createSandbox({ clock: 'manual', controlToken: 'own' })
    const listener = await sandbox.listen({ host: '0.0.0.0' })
    expect(listener).not.toHaveProperty('controlToken')
    const headers = { authorization: 'Bearer own' }
    expect((await fetch(`${listener.url}/_sandbox/clock`, { headers })).status).toBe(200)
    await sandbox.close()
  })

  test('listen names the port in use, with the error of the system as cause', async () => {
    const sandbox = await createSandbox({ clock: 'manual' })
    const port = Number(new URL((await sandbox.listen()).url).port)
    await expect(sandbox.listen({ port })).rejects.toMatchObject({
      name: 'OptionError',
      message: `Invalid port: port ${port} is in use. Expected another port, or 0 for a free one.`,
      cause: { code: 'EADDRINUSE' },
    })
    await sandbox.close()
  })
})

test('a log callback that throws does not affect the response', async () => {
  const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
  onTestFinished(() => reported.mockRestore())
  const bug = new Error('the log is full')
  const log = () => {
    throw bug
  }
  const sandbox = await createSandbox({ clock: 'manual', log })
  const { url } = await sandbox.listen()
  const headers = { 'x-api-key': keys.full }
  for (const path of ['/_sandbox/clock', '/onboarding/api/v1/users/all']) {
    expect((await sandbox.fetch(path, { headers })).status).toBe(200)
    expect((await fetch(url + path, { headers })).status).toBe(200)
  }
  expect(reported.mock.calls).toEqual(Array(4).fill([bug]))
  await sandbox.close()
})

describe('a sandbox that is closed', () => {
  test('does nothing more, and can still be read', async () => {
    const sandbox = await createSandbox({ clock: 'manual' })
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '9' })
    await sandbox.close()
    const before = sandbox.entries()
    const CLOSED = 'the sandbox is closed'
    expect(() => sandbox.run('transfer.move', { id: NOBODY, to: 'FAILED' })).toThrow(CLOSED)
    expect(() => sandbox.advance('1s')).toThrow(CLOSED)
    expect(() => sandbox.reset()).toThrow(CLOSED)
    await expect(sandbox.verify([{ audit: 'clean' }], { until: 'idle' })).rejects.toThrow(CLOSED)
    await expect(sandbox.listen()).rejects.toThrow(CLOSED)
    expect(await sandbox.verify([{ audit: 'clean' }])).toMatchObject({ ok: true })
    expect(sandbox.entries()).toEqual(before)
  })

  test('was closed once, however often it is asked to', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => reported.mockRestore())
    const data = dataFile()
    const sandbox = await createSandbox({ data })
    sandbox.run('balance.credit', { user_id: users.ada, currency: 'NGN', amount: '1' })
    const first = sandbox.close()
    await Promise.race([sandbox.close(), first.then(() => {})])
    // Every caller that waited for one of them finds the file free.
    await (await createSandbox({ data })).close()
    expect(reported).not.toHaveBeenCalled()
    await first
  })
})
