import { X509Certificate } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { Agent } from 'node:https'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { generateKeyPair, type KeyPair } from '../../src/http/transport/certificate.js'
import type { SandboxOptions } from '../../src/runtime/options.js'
import { keys, transferId } from '../support/fixture-ids.js'
import { createInner, type InnerSandbox } from '../support/inner-sandbox.js'
import { expected, invalid, inWords } from '../support/invalid.js'
import { rawRequest, sendRaw } from '../support/raw-socket.js'
import { tlsFetch } from '../support/tls-fetch.js'

const USERS = '/onboarding/api/v1/users/all'
const CONSENT = '/onboarding/api/v1/tnc'
const DAY_MS = 86_400_000

const listenTls = async (host = '127.0.0.1', options: SandboxOptions = {}) => {
  const sandbox = await createInner({ clock: 'manual', ...options })
  onTestFinished(() => sandbox.close())
  const { url, certificate = '', close } = await sandbox.listen({ tls: true, host })
  const port = Number(new URL(url).port)
  return { sandbox, url, port, certificate, ca: readFileSync(certificate, 'utf8'), close }
}

/** Opens a connection, plain unless it is given whom to trust, and sends what is given. */
const talk = (port: number, text: string, ca?: string) =>
  new Promise<{ answer: Promise<string>; send: (more: string) => void }>((resolve, reject) => {
    const at = { port, host: '127.0.0.1' }
    const open = () =>
      socket.write(text, () => resolve({ answer, send: (more) => void socket.write(more) }))
    const socket = ca === undefined ? connect(at, open) : connectTls({ ...at, ca }, open)
    const answer = new Promise<string>((done) => {
      let came = ''
      socket.on('data', (chunk) => {
        came += chunk
      })
      socket.on('close', () => done(came))
    })
    socket.on('error', reject)
  })

describe('a certificate that is made', () => {
  test.each(['localhost', '127.0.0.1', '[::1]'])('is trusted for %s by its file', async (name) => {
    const { port, ca } = await listenTls(name === '[::1]' ? '::1' : '127.0.0.1')
    const headers = { 'x-api-key': keys.full }
    const at = name === 'localhost' ? '127.0.0.1' : name
    const answer = await tlsFetch(`https://${at}:${port}${USERS}`, { ca, headers })
    expect(answer).toMatchObject({ status: 200, authorized: true })
    expect(new X509Certificate(ca).checkHost('localhost')).toBe('localhost')
    const har = await tlsFetch(`https://${at}:${port}/_sandbox/requests.har`, { ca })
    expect(har.text).toContain(`"url":"https://${at}:${port}${USERS}"`)
  })

  test('is a leaf of this machine, for a year at most', async () => {
    const { ca, url } = await listenTls()
    expect(url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/)
    const made = new X509Certificate(ca)
    expect(made.ca).toBe(false)
    expect(made.subjectAltName).toBe(
      'DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1',
    )
    const [from, to] = [Date.parse(made.validFrom), Date.parse(made.validTo)]
    expect(from).toBeLessThan(Date.now())
    expect(to - from).toBeLessThanOrEqual(365 * DAY_MS)
    expect(made.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' })
  })

  test.each([
    ['Sandbox.Example', 'DNS:sandbox.example'],
    ['192.168.0.7', 'IP Address:192.168.0.7'],
    ['fe80::1%eth0', 'IP Address:FE80:0:0:0:0:0:0:1'],
  ])('names the host %s too', async (host, name) => {
    const { cert } = await generateKeyPair(host)
    expect(new X509Certificate(cert).subjectAltName?.split(', ')).toContain(name)
  })

  test('is alone in its folder until the port closes; its key is nowhere', async () => {
    const { certificate, ca, close } = await listenTls()
    const folder = dirname(certificate)
    expect(readdirSync(folder)).toEqual(['sandramp-localhost.pem'])
    expect(ca).toMatch(/^-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----\s*$/)
    if (process.platform !== 'win32') {
      expect(statSync(folder).mode & 0o777).toBe(0o700)
      expect(statSync(certificate).mode & 0o777).toBe(0o600)
    }
    await close()
    expect(existsSync(folder)).toBe(false)
  })

  test('that cannot be written is reported, and nothing stays open', async () => {
    const { TMPDIR } = process.env
    onTestFinished(() => {
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    })
    const sandbox = await createInner({ clock: 'manual' })
    const before = await sandbox.listen()
    const port = Number(new URL(before.url).port)
    await before.close()
    process.env.TMPDIR = '/nowhere/at/all'
    const listening = sandbox.listen({ tls: true, port })
    await expect(listening).rejects.toThrow(
      'tls: /nowhere/at/all cannot be written: there is no such',
    )
    await expect(sandbox.listen({ port })).resolves.toMatchObject({ url: before.url })
    await sandbox.close()
  })
})

describe('over HTTPS', () => {
  test('the control API answers its own pages and no other site', async () => {
    const { url, port, ca } = await listenTls()
    const status = async (origin: string, host = `localhost:${port}`) => {
      const headers = { origin, host }
      return (await tlsFetch(`${url}/_sandbox/clock`, { ca, headers })).status
    }
    expect(await status(`https://localhost:${port}`)).toBe(200)
    expect(await status(`https://localhost:${port + 1}`)).toBe(403)
    expect(await status('https://evil.example')).toBe(403)
    expect(await status('null')).toBe(403)
    expect(await status('https://evil.example', 'evil.example')).toBe(403)
  })

  test('a handshake that is none, or is given up, harms nobody', async () => {
    const { url, port, ca } = await listenTls()
    for (const bytes of [Buffer.from([0x16, 0xff, 0xff, 0, 1, 2]), Buffer.from([0x16])]) {
      const socket = connect(port, '127.0.0.1', () =>
        socket.write(bytes, () => socket.resetAndDestroy()),
      )
      await new Promise((resolve) => socket.once('close', resolve))
    }
    await sendRaw(url, '\x16\x03\x01\x00\x05hello').catch(() => '')
    expect((await tlsFetch(`${url}/_sandbox/health`, { ca })).status).toBe(200)
  })
})

const bodyOf = (raw: string) => JSON.parse(raw.slice(raw.indexOf('{'), raw.lastIndexOf('}') + 1))

describe('plain HTTP', () => {
  test.each([
    ['GET', USERS, ''],
    ['POST', CONSENT, '{"tnc_data":{}}'],
  ])('is refused: %s', async (method, path, body) => {
    const { url, ca } = await listenTls()
    const head = [
      `${method} ${path}?a=1 HTTP/1.1`,
      'Host: localhost',
      `x-api-key: ${keys.full}`,
      `content-length: ${body.length}`,
    ]
    const raw = await sendRaw(url, `${head.join('\r\n')}\r\n\r\n${body}`)
    expect(raw).toMatch(/^HTTP\/1\.1 403 Forbidden\r\n/)
    expect(raw).toMatch(/^content-type: application\/json\r$/m)
    expect(raw).toMatch(/^connection: close\r$/im)
    expect(bodyOf(raw)).toEqual({
      code: '4032',
      httpMethod: method,
      message: `${invalid('protocol', inWords('plain HTTP'), 'HTTPS, at the same host and port')}.`,
      path,
      requestId: /^x-request-id: (\S+)\r$/m.exec(raw)?.[1],
      resourcePath: '/onboarding/{proxy+}',
    })
    expect((await tlsFetch(`${url}/_sandbox/health`, { ca })).status).toBe(200)
  })

  test('leaves no trace in the world', async () => {
    const { sandbox, port } = await listenTls()
    await fetch(`http://127.0.0.1:${port}${USERS}`)
    expect(sandbox.requests()).toEqual([])
  })
})
const BODY = '{"tnc_data":{"tnc_accepted":true,"accepted_at":"2026-01-31T09:30:00.000Z"}}'
const HEAD = [
  `POST ${CONSENT} HTTP/1.1`,
  'host: localhost',
  `x-api-key: ${keys.full}`,
  'content-type: application/json',
  `content-length: ${BODY.length}`,
  '\r\n',
].join('\r\n')

describe('closing', () => {
  test('lets go of what is idle, silent or in the middle of a handshake', async () => {
    const { url, port, ca, close } = await listenTls()
    const agent = new Agent({ keepAlive: true, ca })
    const silent = await talk(port, '')
    const shaking = await talk(port, '\x16\x03')
    await tlsFetch(`${url}/_sandbox/health`, { agent })
    await close()
    expect([await silent.answer, await shaking.answer]).toEqual(['', ''])
    agent.destroy()
  })

  test('lets requests in flight finish', async () => {
    const { sandbox, url, port, ca } = await listenTls()
    const secure = await talk(port, HEAD + BODY.slice(0, 10), ca)
    const plain = await talk(port, HEAD + BODY.slice(0, 10))
    // The server has received the requests once it has answered another one.
    await tlsFetch(`${url}/_sandbox/health`, { ca })
    const closed = sandbox.close()
    for (const { send } of [secure, plain]) send(BODY.slice(10))
    await closed
    expect(await secure.answer).toMatch(/^HTTP\/1\.1 200 /)
    expect(await plain.answer).toMatch(/^HTTP\/1\.1 403 [\s\S]*"code":"4032"/)
  })
})

describe('a certificate of one’s own', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-given-'))
  const file = (name: string, text: string) => {
    writeFileSync(join(folder, name), text)
    return join(folder, name)
  }
  let sandbox: InnerSandbox
  let pair: KeyPair
  let cert: string
  let key: string
  beforeAll(async () => {
    sandbox = await createInner({ clock: 'manual' })
    pair = await generateKeyPair('localhost')
    cert = file('cert.pem', pair.cert)
    key = file('key.pem', pair.key)
  })
  afterAll(async () => {
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  })

  test('is served', async () => {
    const { url, certificate } = await sandbox.listen({ tls: { cert, key } })
    expect(certificate).toBeUndefined()
    const answer = await tlsFetch(`${url}/_sandbox/health`, { ca: pair.cert })
    expect(answer).toMatchObject({ status: 200, authorized: true })
  })

  test('is refused when a file cannot be used, which is named with the reason', async () => {
    const other = file('other.pem', (await generateKeyPair('localhost')).key)
    const none = join(folder, 'none.pem')
    const [PEM, OPEN] = ['a file in PEM form', 'a private key without passphrase'].map(expected)
    const text = file('text.pem', 'hello')
    const locked = file('locked.pem', '-----BEGIN ENCRYPTED PRIVATE KEY-----\n')
    const refused: [{ cert?: string; key?: string }, string][] = [
      [{ cert: none }, `cert: ${none} cannot be read: there is no such file. ${PEM}.`],
      [{ key: none }, `key: ${none} cannot be read: there is no such file. ${PEM}.`],
      [{ cert: folder }, `cert: ${folder} cannot be read: it is a folder. ${PEM}.`],
      [{ cert: text }, `cert: ${text} holds no certificate in PEM form`],
      [{ key: text }, `key: ${text} holds no private key in PEM form`],
      [{ key: locked }, `Invalid key: ${locked} is encrypted. ${OPEN}.`],
      [{ key: other }, `key: ${other} is not the key of the certificate in ${cert}`],
    ]
    for (const [change, message] of refused) {
      await expect(sandbox.listen({ tls: { cert, key, ...change } })).rejects.toThrow(
        expect.objectContaining({ name: 'OptionError', message }),
      )
    }
  })

  const FILE = expected('the path of a file in PEM form')
  const FORMS = expected('true, or { cert, key }, the paths of two files in PEM form')
  test.each([
    [{ cert: 'a.pem' }, `Missing tls.key. ${FILE}.`],
    [{ key: 'a.pem' }, `Missing tls.cert. ${FILE}.`],
    [{ cert: 'a.pem', key: 5 }, `Invalid tls.key: got 5. ${FILE}.`],
    ['yes', `Invalid tls: got "yes". ${FORMS}.`],
    [null, `Invalid tls: got null. ${FORMS}.`],
  ])('%j is refused', async (tls, message) => {
    await expect(sandbox.listen({ tls: tls as never })).rejects.toThrow(
      expect.objectContaining({ name: 'OptionError', message }),
    )
  })
})

test('a client that closes its side of a connection is answered, or let go when it has not asked', async () => {
  const delays: (() => void)[] = []
  const sleep = () => new Promise<void>((resolve) => delays.push(resolve))
  const { url, port, ca } = await listenTls('127.0.0.1', { sleep })
  const half = { allowHalfOpen: true }
  const open = () => connectTls({ port, host: '127.0.0.1', ca, ...half })
  const asking = open()
  const answer = new Promise<string>((resolve, reject) => {
    let came = ''
    asking.setEncoding('latin1').on('data', (text) => {
      came += text
    })
    asking.once('close', () => resolve(came)).once('error', reject)
  })
  asking.end(
    rawRequest(`GET /payment/api/v1/fx-audit/status/${transferId(1)}`, [
      'x-sandbox-scenario: slow-responses',
    ]),
  )
  await expect.poll(() => delays).toHaveLength(1)
  // The server has seen all earlier packets by then, also the end of the client's side.
  await tlsFetch(`${url}/_sandbox/health`, { ca })
  for (const end of delays) end()
  expect(await answer).toMatch(/^HTTP\/1\.1 200 /)
  const idle = open()
  idle.once('secureConnect', () => idle.end()).resume()
  await new Promise((resolve) => idle.once('close', resolve))
})
