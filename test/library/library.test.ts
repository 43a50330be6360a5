import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { fixturesFolder } from '../../src/lib/paths.js'
import { dataFile } from '../support/data-folder.js'
import { keys } from '../support/fixture-ids.js'
import { invalid, inWords } from '../support/invalid.js'

test('a key of the fixtures with full access is there already, after a reset too', async () => {
  const sandbox = await createSandbox({ apiKey: keys.full })
  const countKeys = async () => {
    const response = await sandbox.fetch('/_sandbox/api-keys')
    return ((await response.json()) as { items: unknown[] }).items.length
  }
  const held = await countKeys()
  await sandbox.reset()
  expect(await countKeys()).toBe(held)
  await sandbox.close()
})

describe('options that cannot be used', () => {
  test.each([
    [{ clock: 'fast' }, invalid('clock', 'fast', 'real, manual, or a speed such as 60x')],
    [{ apiKey: 'short' }, invalid('apiKey', inWords('5 characters'), 'exactly 32 of A-Z, a-z')],
    [{ apiKey: `${'x'.repeat(31)}-` }, 'Invalid apiKey: '],
    [{ apiKey: keys.readOnly }, 'Invalid apiKey: the fixtures hold this key as Read only,'],
    [
      { controlToken: 'a b' },
      invalid('controlToken', inWords('3 characters'), 'visible ASCII without'),
    ],
    [{ scenarios: ['no-such-scenario'] }, 'scenarios: No scenario and no file is named'],
    [
      { scenarios: [fixturesFolder] },
      `scenarios: ${fixturesFolder} cannot be read: it is a folder`,
    ],
    [
      { readings: ['payout.fee'] },
      `readings: ${invalid('reading', 'payout.fee', '<id>=<reading>')}`,
    ],
    [{ readingsFile: '/no/answers.yaml' }, 'readingsFile: /no/answers.yaml cannot be read: there'],
    [
      { data: fixturesFolder },
      `data: ${fixturesFolder} is not a file. Expected the path of a file`,
    ],
    [{ rateLimit: '0/1m' }, invalid('rateLimit', '0/1m', 'a number from 1 to 1000000, a slash')],
    [{ requestLog: -1 }, invalid('requestLog', -1, 'a whole number from 0 to 100000')],
    [{ requestLog: 1.5 }, invalid('requestLog', 1.5, 'a whole number from 0 to 100000')],
    [{ requestLog: 100_001 }, invalid('requestLog', 100001, 'a whole number from 0')],
    [{ fixtures: '/no/such/folder' }, 'fixtures: /no/such/folder is not a folder'],
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

  test('listeners with and without a token share the rate limit, and a log that shows no token', async () => {
    const sandbox = await createSandbox({ clock: 'manual', rateLimit: '1/1h' })
    const far = await sandbox.listen({ host: '0.0.0.0' })
    const near = await sandbox.listen()
    const path = `/onboarding/api/v1/users/all?token=${far.controlToken}`
    const ask = async ({ url }: typeof near) =>
      (await fetch(url + path, { headers: { 'x-api-key': keys.full } })).status
    expect([await ask(far), await ask(near)]).toEqual([200, 429])
    const log = await (await sandbox.fetch('/_sandbox/requests')).text()
    expect(log).toContain('"token":"…')
    expect(log).not.toContain(far.controlToken)
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
  test('does nothing more', async () => {
    const sandbox = await createSandbox({ clock: 'manual' })
    await sandbox.close()
    const CLOSED = 'the sandbox is closed'
    await expect(sandbox.reset()).rejects.toThrow(CLOSED)
    await expect(sandbox.defaultWorld.advance('1s')).rejects.toThrow(CLOSED)
    await expect(sandbox.listen()).rejects.toThrow(CLOSED)
  })

  test('was closed once, however often it is asked to', async () => {
    const reported = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => reported.mockRestore())
    const data = dataFile()
    const sandbox = await createSandbox({ data })
    await sandbox.defaultWorld.credit('ada', '1', 'NGN')
    const first = sandbox.close()
    await Promise.race([sandbox.close(), first.then(() => {})])
    // Every caller that waited for one of them finds the file free.
    await (await createSandbox({ data })).close()
    expect(reported).not.toHaveBeenCalled()
    await first
  })
})
