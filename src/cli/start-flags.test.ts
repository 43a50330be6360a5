import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { invalid } from '../../test/support/invalid.js'
import { type Flag, parseArguments, UsageError } from '../lib/arguments.js'
import { readStartOptions, startFlags, unknownEnvVariables } from './start-flags.js'
import { helpText, usages } from './usage.js'

const read = (argv: string, env: Record<string, string> = {}) =>
  readStartOptions(parseArguments(argv.split(' ').filter(Boolean), startFlags, env))

describe('the flags of start', () => {
  test('have defaults', () => {
    expect(read('')).toEqual({
      port: 4020,
      host: '127.0.0.1',
      log: 'pretty',
      isTokenGenerated: false,
      drain_ms: 0,
      watch: false,
      sandbox: {},
    })
  })

  test('let a sandbox with a database drain for 5 s, unless they say otherwise', () => {
    expect(read('--data postgres://db/x').drain_ms).toBe(5_000)
    expect(read('--data postgres://db/x --drain 0s').drain_ms).toBe(0)
    expect(() => read('--drain soon')).toThrow('Invalid --drain: got "soon".')
  })

  const sandbox = {
    fixtures: 'f',
    scenarios: ['a', 'b'],
    readings: ['a.b=c', 'd.e=f'],
    clock: '60x',
    seed: 's',
    controlToken: 't',
    allowHosts: ['sandramp', '[::2]'],
    trustProxy: ['10.0.0.0/8', '::1'],
    cors: ['http://a', 'https://b:1'],
    rateLimit: '5/1s',
    requestLog: 5,
    worldLimit: 6,
  }

  test('are passed to the sandbox', () => {
    const argv =
      '--fixtures f --api-key k --scenario a --scenario b --reading a.b=c --reading d.e=f --clock 60x --now machine --seed s --control-token t --allow-host sandramp --allow-host [::2] --trust-proxy 10.0.0.0/8 --trust-proxy ::1 --cors http://a --cors https://b:1 --rate-limit 5/1s --request-log 5 --worlds 6'
    expect(read(argv).sandbox).toEqual({ ...sandbox, apiKey: 'k', now: 'machine' })
  })

  test('are read from the environment', () => {
    const env = {
      PORT: '0',
      HOST: 'localhost',
      SANDRAMP_FIXTURES: 'f',
      SANDRAMP_SCENARIOS: 'a,b',
      SANDRAMP_READINGS: 'a.b=c,d.e=f',
      SANDRAMP_CLOCK: '60x',
      SANDRAMP_SEED: 's',
      SANDRAMP_CONTROL_TOKEN: 't',
      SANDRAMP_ALLOW_HOST: 'sandramp, [::2]',
      SANDRAMP_TRUST_PROXY: '10.0.0.0/8,::1',
      SANDRAMP_CORS: 'http://a,https://b:1',
      SANDRAMP_RATE_LIMIT: '5/1s',
      SANDRAMP_REQUEST_LOG: '5',
      SANDRAMP_WORLDS: '6',
      SANDRAMP_LOG: 'json',
    }
    expect(read('', env)).toMatchObject({ port: 0, host: 'localhost', log: 'json', sandbox })
    expect(read('--port 1 --log silent', env)).toMatchObject({ port: 1, log: 'silent' })
  })

  test.each(['0', '1', '65535'])('accept the port %s', (text) => {
    expect(read(`--port ${text}`).port).toBe(Number(text))
  })

  test.each(['65536', '99999', '100000', '-1', '1.5', '0x50', '1e3', 'http', '８０'])(
    'refuse the port %s',
    (text) => {
      const form = 'a number from 0 to 65535'
      expect(() => read(`--port ${text}`)).toThrow(UsageError)
      expect(() => read(`--port=${text}`)).toThrow(invalid('--port', text, form))
      expect(() => read('', { PORT: text })).toThrow(invalid('PORT', text, form))
    },
  )

  test.each([
    [{ SANDRAMP_REQUEST_LOG: 'x' }, invalid('SANDRAMP_REQUEST_LOG', 'x', 'a whole number')],
    [{ SANDRAMP_RATE_LIMIT: 'x' }, invalid('SANDRAMP_RATE_LIMIT', 'x', 'a number')],
    [{ SANDRAMP_TRUST_PROXY: '::1,x' }, invalid('SANDRAMP_TRUST_PROXY', 'x', 'a list with')],
    [{ SANDRAMP_LOG: 'x' }, invalid('SANDRAMP_LOG', 'x', 'pretty')],
    [{ SANDRAMP_TLS_CERT: 'x' }, 'SANDRAMP_TLS_CERT was given without --tls. Expected all three'],
    [{ SANDRAMP_TLS: '1', SANDRAMP_TLS_KEY: 'x' }, 'SANDRAMP_TLS_KEY was given without --cert'],
  ])('report the variable of an invalid value: %j', (env, message) => {
    expect(() => read('', env)).toThrow(message)
  })

  test('reject an unknown log style', () => {
    expect(() => read('--log loud')).toThrow(invalid('--log', 'loud', 'pretty, json, silent'))
  })

  test('reject words', () => {
    expect(() => read('now')).toThrow(invalid('argument', 'now', 'flags only'))
  })
})

describe('HTTPS', () => {
  test('is on with --tls, with or without certificate files', () => {
    expect(read('').tls).toBeUndefined()
    expect(read('--tls').tls).toBe(true)
    expect(read('--tls --cert a.pem --key b.pem').tls).toEqual({ cert: 'a.pem', key: 'b.pem' })
    const env = { SANDRAMP_TLS_CERT: 'a.pem', SANDRAMP_TLS_KEY: 'b.pem' }
    expect(read('--tls', env).tls).toEqual({ cert: 'a.pem', key: 'b.pem' })
    expect(read('', { SANDRAMP_TLS: '1' }).tls).toBe(true)
    expect(read('', { SANDRAMP_TLS: '0' }).tls).toBeUndefined()
  })

  test.each([
    ['--cert a.pem', '--cert was given without --tls. Expected all three together'],
    ['--key b.pem', '--key was given without --tls. Expected all three together'],
    ['--cert a.pem --key b.pem', '--cert was given without --tls. Expected all three together'],
    ['--tls --cert a.pem', '--cert was given without --key. Expected both or neither'],
    ['--tls --key b.pem', '--key was given without --cert. Expected both or neither'],
    ['--tls=yes', invalid('--tls', 'yes', 'no value')],
  ])('rejects %s', (argv, message) => {
    expect(() => read(argv)).toThrow(message)
  })
})

test.each([
  ['--host 127.0.0.1', undefined],
  ['--host 127.1.2.3', undefined],
  ['--host localhost', undefined],
  ['--host ::1', undefined],
  ['--host 0.0.0.0 --control-token mine', 'mine'],
])('%s generates no control token', (argv, controlToken) => {
  const { isTokenGenerated, sandbox } = read(argv)
  expect([isTokenGenerated, sandbox.controlToken]).toEqual([false, controlToken])
})

test.each(['0.0.0.0', '::', '192.168.0.7', '128.0.0.1', 'example.com', 'localhost.example.com'])(
  '--host %s generates a control token',
  (host) => {
    const { isTokenGenerated, sandbox } = read(`--host ${host}`)
    expect(isTokenGenerated).toBe(true)
    expect(sandbox.controlToken).toMatch(/^[\w-]{24}$/)
    expect(read(`--host ${host}`).sandbox.controlToken).not.toBe(sandbox.controlToken)
  },
)

describe('the help', () => {
  const help = helpText(usages.start)

  test('lists the flags in groups, those of hosting last, and links its page', () => {
    const heads = [...help.matchAll(/^(\w+):$/gm)]
    expect(heads.map(([, head]) => head)).toEqual([
      ...['Server', 'World', 'Contract', 'Log', 'Hosting', 'Other'],
    ])
    for (const usage of Object.values(usages)) {
      const [, page = ''] = /^More: (.*)$/m.exec(helpText(usage)) ?? []
      expect(existsSync(new URL(page)), page).toBe(true)
    }
  })

  test.each(Object.entries(startFlags))(
    'lists --%s with its letter, value and variable',
    (name, flag) => {
      const named = 'short' in flag ? `--${name}, -${flag.short}` : `--${name}`
      const line = help.split('\n').find((it) => it.startsWith(`  ${named} `))
      expect(line).toContain(flag.help)
      if ('value' in flag) expect(line).toContain(` ${flag.value}`)
      if ('variable' in flag) expect(line).toContain(`[${flag.variable}]`)
    },
  )
})

test.each([
  ['SANDRAMP_SCENARIO', 'The variable of --scenario is SANDRAMP_SCENARIOS'],
  ['SANDRAMP_PORT', 'The variable of --port is PORT'],
  ['SANDRAMP_HOST', 'The variable of --host is HOST'],
  ['SANDRAMP_CERT', 'The variable of --cert is SANDRAMP_TLS_CERT'],
])('%s is reported as ignored', (name, words) => {
  const line = `${name} is ignored. ${words}.`
  expect(unknownEnvVariables(startFlags, { [name]: 'x' })).toEqual([line])
})

test('known, empty and unrelated variables, and those of a run, are not reported', () => {
  const flags: readonly Flag[] = Object.values(startFlags)
  const variables = flags.flatMap(({ variable }) => variable ?? [])
  const own = Object.fromEntries(variables.map((name) => [name, 'x']))
  const others = { SANDRAMP_READING: 'x', SANDRAMP_URL: 'x', SANDRAMP_BASE: 'x' }
  expect(unknownEnvVariables(startFlags, { ...own, ...others, SANDRAMP_PORT: '' })).toEqual([])
})
