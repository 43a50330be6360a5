import { createHash, randomBytes } from 'node:crypto'
import { EventEmitter, once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, describe, expect, test } from 'vitest'
import { parseHar } from '../../src/calibrate/har.js'
import { openHar } from '../../src/calibrate/recording/har-writer.js'
import { openRecorder } from '../../src/calibrate/recording/recorder.js'
import { createRedactor } from '../../src/calibrate/recording/redact.js'
import { makeFolder } from '../cli/sandramp.js'
import { type Entry, FULL_KEY } from './recorded-service.js'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** A service behind a recorder. */
const openBoth = async (handle: Handle, hasNames = false) => {
  const service = createServer(handle).listen(0, '127.0.0.1')
  await once(service, 'listening')
  closers.push(
    () => service.closeAllConnections(),
    () => service.close(),
  )
  const { port } = service.address() as AddressInfo
  const file = join(makeFolder(), 'traffic.har')
  const recorder = await openRecorder({
    upstream: { url: new URL(`http://127.0.0.1:${port}/base/`), ca: undefined },
    port: 0,
    bodyLimit: 1024 * 1024,
    redactor: createRedactor(hasNames),
    openWriter: () => openHar(file, { upstream: 'x' }, '0'),
  })
  const close = () => {
    recorder.close()
    const text = readFileSync(file, 'utf8')
    const { entries, isComplete } = parseHar(text, file)
    return { text, entries: entries as Entry[], isComplete }
  }
  return { url: `http://127.0.0.1:${recorder.port}`, port: recorder.port, file, close }
}

const send = async (url: string, body: Buffer | string, headers = {}) => {
  const sent = request(url, { method: 'POST', headers })
  sent.end(body)
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  return { status: answer.statusCode, headers: answer.headers, body: await buffer(answer) }
}

const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describe('the recorder', () => {
  test('passes bodies on byte for byte, and records them as text', async () => {
    const text = '{"amount":"100.00","name":"Ọlá"}'
    const got: string[] = []
    const { url, close } = await openBoth(async (req, res) => {
      const body = await buffer(req)
      got.push(`${req.url} ${req.headers['transfer-encoding']} ${hashOf(body)}`)
      const isZipped = req.url?.endsWith('zip')
      res.writeHead(201, {
        'content-type': 'application/json',
        'set-cookie': ['a=1', 'b=2'],
        'x-sandbox-operation': 'createPayout',
        ...(isZipped && { 'content-encoding': 'gzip' }),
      })
      if (isZipped) return void res.end(gzipSync(body))
      res.write(body.subarray(0, 10))
      res.end(body.subarray(10))
    })
    const large = randomBytes(21 * 1024 * 1024)
    const plain = await send(`${url}/plain?a=b`, text, { 'transfer-encoding': 'chunked' })
    const zipped = await send(`${url}/zip`, text, { 'content-length': Buffer.byteLength(text) })
    const raw = await send(`${url}/large`, large)
    expect(plain.body.toString()).toBe(text)
    expect(plain.headers['set-cookie']).toEqual(['a=1', 'b=2'])
    expect(zipped.body).toEqual(gzipSync(text))
    expect(hashOf(raw.body)).toBe(hashOf(large))
    expect(got).toEqual([
      `/base/plain?a=b chunked ${hashOf(Buffer.from(text))}`,
      `/base/zip undefined ${hashOf(Buffer.from(text))}`,
      `/base/large undefined ${hashOf(large)}`,
    ])
    const { entries, isComplete } = close()
    expect(isComplete).toBe(true)
    expect(entries.slice(0, 2).map((it) => it.response.content.text)).toEqual([text, text])
    expect(entries.map((it) => it.request.postData?.text)).toEqual([text, text, ''])
    expect(entries[2]?.request.bodySize).toBeGreaterThan(21 * 1024 * 1024)
    expect(entries[0]?.response.headers.map(({ name }) => name)).not.toContain(
      'x-sandbox-operation',
    )
  })

  test('writes neither keys nor cookies nor, if asked, names', async () => {
    const { url, close } = await openBoth(async (req, res) => {
      res.setHeader('set-cookie', 'session=secret-1')
      res.end(await buffer(req))
    }, true)
    const image = `data:image/png;base64,${FULL_KEY}`
    const person = { first_name: 'Ada', email_address: 'Ada@example.com', image, key: FULL_KEY }
    const headers = { 'x-api-key': FULL_KEY, authorization: 'Bearer secret-2', 'x-other': FULL_KEY }
    await send(`${url}/a?key=${FULL_KEY}`, JSON.stringify(person), headers)
    await send(`${url}/b`, '{"email_address": "ada@example.com"}', { 'x-api-key': 'secret-3' })
    const { text, entries } = close()
    expect(text).not.toMatch(new RegExp(`${FULL_KEY}|secret|Ada|ada@`))
    const [a, b] = entries
    const keyOf = (entry?: Entry) =>
      entry?.request.headers.find(({ name }) => name === 'x-api-key')?.value
    expect([keyOf(a), keyOf(b)]).toEqual([
      expect.stringMatching(/^redacted:[0-9a-f]{12}$/),
      expect.stringMatching(/^malformed:/),
    ])
    const email = (entry?: Entry) => JSON.parse(entry?.request.postData?.text ?? '').email_address
    expect(email(a)).toBe(email(b))
  })

  test('survives a client and a service that hang up', async () => {
    let hangUp = () => {}
    const seen = new EventEmitter()
    const { url, port, close } = await openBoth((req, res) => {
      if (req.url?.endsWith('slow')) {
        hangUp()
        return void res.once('close', () => seen.emit('close'))
      }
      if (req.url?.endsWith('half')) {
        res.writeHead(200, { 'content-length': 100 })
        res.write('half')
        return void setImmediate(() => res.destroy())
      }
      res.destroy()
    })
    expect(await send(`${url}/dead`, 'x')).toMatchObject({ status: 502 })
    await expect(send(`${url}/half`, 'x')).rejects.toThrow('aborted')
    const client = connect(port, '127.0.0.1')
    client.write('POST /slow HTTP/1.1\r\nhost: a\r\ncontent-length: 1\r\n\r\nx')
    hangUp = () => client.destroy()
    await once(seen, 'close')
    const { entries, isComplete } = close()
    expect(isComplete).toBe(true)
    expect(
      entries.map(({ request: { url }, response: { status, content } }) => [
        url.slice(url.lastIndexOf('/')),
        status,
        content.size > content.text.length,
      ]),
    ).toEqual([
      ['/dead', 0, false],
      ['/half', 200, true],
      ['/slow', 0, false],
    ])
  })

  test('leaves a file that calibrate reads when it is killed', async () => {
    const { url, file } = await openBoth((_, res) => void res.end('{}'))
    await send(`${url}/a`, 'x')
    await send(`${url}/b`, 'x')
    const { entries, isComplete } = parseHar(readFileSync(file, 'utf8'), file)
    expect([entries.length, isComplete]).toEqual([2, false])
  })
})
