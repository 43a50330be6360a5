import { describe, expect, it } from 'vitest'
import { invalid } from '../../test/support/invalid.js'
import { parseArguments, UsageError } from './arguments.js'
import { helpText } from './help.js'
import { readStartOptions, startFlags } from './start-flags.js'
import { usages } from './usage.js'

const read = (argv: string, env: Record<string, string> = {}) =>
  readStartOptions(parseArguments(argv.split(' ').filter(Boolean), startFlags, env))

describe('the flags of start', () => {
  it('have defaults', () => {
    expect(read('')).toEqual({
      port: 4020,
      host: '127.0.0.1',
      log: 'pretty',
      tokenMade: false,
      sandbox: {},
    })
  })

  it('are all passed on', () => {
    const argv =
      '--fixtures f --api-key k --scenario a --scenario b --reading a.b=c --reading d.e=f --clock 60x --now machine --seed s --control-token t --allow-host a --allow-host b --cors http://a --cors https://b:1 --rate-limit 5/1s --request-log 5'
    expect(read(argv).sandbox).toEqual({
      fixtures: 'f',
      apiKey: 'k',
      scenarios: ['a', 'b'],
      readings: ['a.b=c', 'd.e=f'],
      clock: '60x',
      now: 'machine',
      seed: 's',
      controlToken: 't',
      allowHosts: ['a', 'b'],
      cors: ['http://a', 'https://b:1'],
      rateLimit: '5/1s',
      requestLog: 5,
    })
  })

  it('may come from the environment', () => {
    const env = {
      PORT: '0',
      HOST: 'localhost',
      SANDRAMP_FIXTURES: 'f',
      SANDRAMP_SCENARIOS: 'a,b',
      SANDRAMP_READINGS: 'a.b=c,d.e=f',
      SANDRAMP_CLOCK: 'manual',
      SANDRAMP_SEED: 's',
      SANDRAMP_CONTROL_TOKEN: 't',
      SANDRAMP_ALLOW_HOST: 'sandramp, [::2]',
      SANDRAMP_CORS: 'http://localhost:5173',
      SANDRAMP_RATE_LIMIT: '100/1m',
      SANDRAMP_REQUEST_LOG: '0',
      SANDRAMP_LOG: 'json',
    }
    expect(read('', env)).toMatchObject({
      port: 0,
      host: 'localhost',
      log: 'json',
      sandbox: {
        fixtures: 'f',
        scenarios: ['a', 'b'],
        readings: ['a.b=c', 'd.e=f'],
        clock: 'manual',
        seed: 's',
        controlToken: 't',
        allowHosts: ['sandramp', '[::2]'],
        cors: ['http://localhost:5173'],
        rateLimit: '100/1m',
        requestLog: 0,
      },
    })
    expect(read('--port 1 --log silent', env)).toMatchObject({ port: 1, log: 'silent' })
  })

  it.each([
    ['0', 0],
    ['1', 1],
    ['4020', 4020],
    ['65535', 65_535],
  ])('take the port %s', (text, port) => expect(read(`--port ${text}`).port).toBe(port))

  it.each(['65536', '99999', '100000', '-1', '1.5', '0x50', '1e3', 'http', '８０'])(
    'refuse the port %s',
    (text) => {
      expect(() => read(`--port ${text}`)).toThrow(UsageError)
      expect(() => read(`--port=${text}`)).toThrow(
        invalid('--port', text, 'a number from 0 to 65535'),
      )
      expect(() => read('', { PORT: text })).toThrow(
        invalid('PORT', text, 'a number from 0 to 65535'),
      )
    },
  )

  it.each([
    [{ SANDRAMP_REQUEST_LOG: 'x' }, invalid('SANDRAMP_REQUEST_LOG', 'x', 'a whole number')],
    [{ SANDRAMP_RATE_LIMIT: 'x' }, invalid('SANDRAMP_RATE_LIMIT', 'x', 'a number')],
    [{ SANDRAMP_LOG: 'x' }, invalid('SANDRAMP_LOG', 'x', 'pretty')],
    [{ SANDRAMP_TLS_CERT: 'x' }, 'SANDRAMP_TLS_CERT was given without --tls. Expected all three'],
    [{ SANDRAMP_TLS: '1', SANDRAMP_TLS_KEY: 'x' }, 'SANDRAMP_TLS_KEY was given without --cert'],
  ])('name the variable of %j', (env, message) => {
    expect(() => read('', env)).toThrow(message)
  })

  it.each(['-1', '1.5', '1e3', 'all', '100001', '9999999999'])(
    'refuse %s as the size of the request log',
    (text) => {
      expect(() => read(`--request-log=${text}`)).toThrow(
        invalid('--request-log', text, 'a whole number from 0 to 100000'),
      )
    },
  )

  it.each(['100', '0/1m', '5/2d', 'many/1m'])('refuse %s as a rate limit', (text) => {
    expect(() => read(`--rate-limit=${text}`)).toThrow(UsageError)
    expect(() => read(`--rate-limit=${text}`)).toThrow(
      invalid('--rate-limit', text, 'a number from 1 to 1000000, a slash and a duration'),
    )
  })

  it('take the largest request log', () => {
    expect(read('--request-log 100000').sandbox).toEqual({ requestLog: 100_000 })
  })

  it('refuse a way of logging that there is not', () => {
    expect(() => read('--log loud')).toThrow(invalid('--log', 'loud', 'pretty, json, silent'))
  })

  it('refuse words', () => {
    expect(() => read('now')).toThrow(invalid('argument', 'now', 'flags only'))
  })
})

describe('HTTPS', () => {
  it('is served when it is asked for, with files or without', () => {
    expect(read('').tls).toBeUndefined()
    expect(read('--tls').tls).toBe(true)
    expect(read('--tls --cert a.pem --key b.pem').tls).toEqual({ cert: 'a.pem', key: 'b.pem' })
    const env = { SANDRAMP_TLS_CERT: 'a.pem', SANDRAMP_TLS_KEY: 'b.pem' }
    expect(read('--tls', env).tls).toEqual({ cert: 'a.pem', key: 'b.pem' })
    expect(read('', { SANDRAMP_TLS: '1' }).tls).toBe(true)
    expect(read('', { SANDRAMP_TLS: '0' }).tls).toBeUndefined()
  })

  it.each([
    ['--cert a.pem', '--cert was given without --tls. Expected all three together'],
    ['--key b.pem', '--key was given without --tls. Expected all three together'],
    ['--cert a.pem --key b.pem', '--cert was given without --tls. Expected all three together'],
    ['--tls --cert a.pem', '--cert was given without --key. Expected both or neither'],
    ['--tls --key b.pem', '--key was given without --cert. Expected both or neither'],
    ['--tls=yes', invalid('--tls', 'yes', 'no value')],
  ])('refuses %s', (argv, message) => {
    expect(() => read(argv)).toThrow(message)
  })
})

describe('a control token', () => {
  it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('is not made for %s', (host) => {
    const { tokenMade, sandbox } = read(`--host ${host}`)
    expect({ tokenMade, token: sandbox.controlToken }).toEqual({
      tokenMade: false,
      token: undefined,
    })
  })

  it.each(['0.0.0.0', '::', '192.168.0.7', '128.0.0.1', 'example.com', 'localhost.example.com'])(
    'is made for %s',
    (host) => {
      const { tokenMade, sandbox } = read(`--host ${host}`)
      expect(tokenMade).toBe(true)
      expect(sandbox.controlToken).toMatch(/^[\w-]{24}$/)
      expect(read(`--host ${host}`).sandbox.controlToken).not.toBe(sandbox.controlToken)
    },
  )

  it('is taken as it is given', () => {
    const { tokenMade, sandbox } = read('--host 0.0.0.0 --control-token mine')
    expect({ tokenMade, token: sandbox.controlToken }).toEqual({ tokenMade: false, token: 'mine' })
  })
})

describe('the help', () => {
  const help = helpText(usages.start)

  it.each(Object.entries(startFlags))(
    'names --%s, its letter, value and variable',
    (name, flag) => {
      const named = 'short' in flag ? `--${name}, -${flag.short}` : `--${name}`
      const line = help.split('\n').find((it) => it.startsWith(`  ${named} `))
      expect(line).toContain(flag.help)
      if ('value' in flag) expect(line).toContain(` ${flag.value}`)
      if ('variable' in flag) expect(line).toContain(`[${flag.variable}]`)
    },
  )
})
