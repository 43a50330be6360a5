import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { ConfirmedReadings } from '../../src/assumptions/answers-file.js'
import { createSandbox, type Exchange } from '../../src/index.js'
import type { SandboxOptions } from '../../src/runtime/options.js'
import { keys } from '../support/fixture-ids.js'
import { serve } from '../support/listening.js'
import { sendRaw } from '../support/raw-socket.js'
import type { ErrorBody } from '../support/wire.js'

/** Early errors use the readings of the default world. */

const TNC = '/onboarding/api/v1/tnc'

const LIMITS = { headers_ms: 300, request_ms: 400, check_ms: 20 }

/** A sandbox for one test. */
const serveHere = async (
  options: SandboxOptions = {},
  tls = false,
  confirmed: ConfirmedReadings = new Map(),
) => {
  const served = await serve({ options, tls, settled: confirmed, limits: LIMITS })
  onTestFinished(async () => {
    await served.close()
    expect(served.bugs).toEqual([])
  })
  return served
}

const lines = (...all: readonly string[]) => `${all.join('\r\n')}\r\n\r\n`

/** A request whose body never comes. */
const endless = (path: string, ...more: readonly string[]) =>
  lines(
    `POST ${path} HTTP/1.1`,
    'host: localhost',
    `x-api-key: ${keys.full}`,
    'content-type: application/json',
    'content-length: 50',
    ...more,
  )

const ask = async (url: string, bytes: string) => {
  const raw = await sendRaw(url.replace('https', 'http'), bytes)
  const header = (name: string) => new RegExp(`^${name}: (.*)\r$`, 'im').exec(raw)?.[1]
  const body = JSON.parse(raw.slice(raw.indexOf('{'), raw.lastIndexOf('}') + 1)) as ErrorBody
  const reported = header('x-sandbox-assumed')
  expect(body.requestId).toBe(header('x-request-id'))
  return { status: Number(raw.split(' ')[1]), code: body.code, reported, message: body.message }
}

const MALFORMED = lines('GET http://[ HTTP/1.1', 'host: localhost', 'connection: close')
const LATE = endless(TNC)

const REFUSED: readonly [string, string, number, string][] = [
  ['a body that never ends', LATE, 408, '4080'],
  ['a target that is malformed', MALFORMED, 400, '4000'],
]

describe('by default', () => {
  let served: Awaited<ReturnType<typeof serve>>
  beforeAll(async () => {
    served = await serve({ limits: LIMITS })
  })
  afterAll(() => served.close())

  test.each(REFUSED)('%s rests on its code, and is counted', async (_, bytes, status, code) => {
    const { sandbox, url } = served
    const before = sandbox.main.requests.usage.of('error.codes').hits
    const came = await ask(url, bytes)
    expect(came).toMatchObject({ status, code, reported: 'error.codes=sandbox' })
    expect(sandbox.main.requests.usage.of('error.codes').hits).toBe(before + 1)
  })

  test('a request that can be read chooses for itself', async () => {
    const bytes = endless(TNC, 'x-sandbox-reading: error.codes=status')
    const came = await ask(served.url, bytes)
    expect(came).toMatchObject({ status: 408, code: '408', reported: 'error.codes=status' })
  })

  test('the codes of the control API are the sandbox’s own', async () => {
    // Loads the control API, which reads the body.
    await fetch(`${served.url}/_sandbox/clock`)
    const bytes = endless('/_sandbox/deposits', 'x-sandbox-reading: error.codes=status')
    expect(await ask(served.url, bytes)).toMatchObject({ code: '4080', reported: undefined })
  })
})

describe('read as the status', () => {
  test.each(REFUSED)('by the process: %s', async (_, bytes, status) => {
    const { url } = await serveHere({ readings: ['error.codes=status'] })
    const came = await ask(url, bytes)
    expect(came).toMatchObject({ status, code: String(status), reported: 'error.codes=status' })
  })

  test('by the default world', async () => {
    const { sandbox, url } = await serveHere()
    const choice = { id: 'error.codes', reading: 'status' }
    sandbox.main.world.run('reading.choose', choice, { kind: 'library' })
    expect(await ask(url, MALFORMED)).toMatchObject({ code: '400', reported: 'error.codes=status' })
  })
})

test('a confirmed reading is no assumption', async () => {
  const answer = { reading: 'status', said_by: 'Support', when: '2026-05-04' }
  const { url } = await serveHere({}, false, new Map([['error.codes', answer]]))
  expect(await ask(url, MALFORMED)).toMatchObject({ status: 400, code: '400', reported: undefined })
})

describe('strict', () => {
  test.each(REFUSED)('refuses what rests on a guess here too: %s', async (_, bytes) => {
    const { url } = await serveHere({ strict: true })
    const came = await ask(url, bytes)
    expect(came).toMatchObject({ status: 501, code: '5010', reported: 'error.codes=sandbox' })
    expect(came.message).toContain('asks for: error.codes.')
  })
})

test('refusals past all routes are logged with status, code and message, without keys', async () => {
  const logged: Exchange[] = []
  const sandbox = await createSandbox({ clock: 'manual', log: (line) => logged.push(line) })
  onTestFinished(() => sandbox.close())
  const { url } = await sandbox.listen()
  const bad = lines(`GET http://[/${keys.full} HTTP/1.1`, 'host: localhost', 'connection: close')
  const { status, code } = await ask(url, bad)
  expect(logged).toMatchObject([{ status, code, duration_ms: 0, operation: undefined }])
  expect(logged[0]?.message).toMatch(/^The request target .*…0001.* is malformed\. /)
  expect(JSON.stringify(logged)).not.toContain(keys.full)
})
