import diagnostics from 'node:diagnostics_channel'
import { expect, onTestFinished, test } from 'vitest'
import { transferId } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { rawRequest, sendRaw } from '../support/raw-socket.js'
import { payoutRequest } from '../support/requests.js'

const STATUS = `/payment/api/v1/fx-audit/status/${transferId(1)}`
const get = (...headers: readonly string[]) => rawRequest(`GET ${STATUS}`, headers)
const payout = (...headers: readonly string[]) =>
  rawRequest('POST /payment/api/v1/payout', headers, JSON.stringify(payoutRequest()))
const health = () => rawRequest('GET /_sandbox/health')
const last = () => rawRequest('GET /payment/nothing', ['connection: close'])

const statuses = (raw: string) => [...raw.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((it) => it[1])

const listen = async () => {
  const { sandbox } = await openOwnSandbox()
  return sandbox.listen()
}

test.each([
  ['a plain GET', get()],
  ['a payout', payout()],
])('garbage behind %s does not take its response', async (_, bytes) => {
  const { url } = await listen()
  expect(statuses(await sendRaw(url, `${bytes}garbage\r\n\r\n`))[0]).toBe('200')
})

test.each([
  ['a plain GET', get('connection: close')],
  ['a payout', payout('connection: close')],
])('bytes behind %s that closes the connection do not take its response', async (_, bytes) => {
  const { url } = await listen()
  expect(statuses(await sendRaw(url, bytes + get()))).toEqual(['200'])
})

test('requests of all kinds on one connection are answered in order', async () => {
  const { url } = await listen()
  // Another connection came before, so that what comes first is gathered.
  await sendRaw(url, get('connection: close'))
  const refused = rawRequest('GET /payment/api/v1/fx-audit/status/x')
  const all = [get(), payout(), refused, health(), get(), refused, payout(), last()]
  const came = statuses(await sendRaw(url, all.join('')))
  expect(came).toEqual(['200', '200', '400', '200', '200', '400', '200', '404'])
})

test('a request finds what those before it on its connection have done, and nothing else', async () => {
  const { sandbox } = await openOwnSandbox()
  const { url } = await sandbox.listen()
  // A batch depends on the last connection: this is another one.
  await sendRaw(url, get('connection: close'))
  await sendRaw(url, [payout(), get(), payout(), health(), get(), payout(), last()].join(''))
  const methods = sandbox.requests().map(({ n, method }) => `${n} ${method}`)
  expect(methods.slice(1)).toEqual(['2 POST', '3 GET', '4 POST', '5 GET', '6 POST', '7 GET'])
})

test('a request behind one that is cut does not run', async () => {
  const { sandbox } = await openOwnSandbox()
  const { url } = await sandbox.listen()
  const cut = JSON.stringify({
    name: 'cut',
    title: 'Cut',
    rules: [{ when: 'request', then: [{ drop: 'before' }] }],
  })
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: cut }
  expect((await fetch(`${url}/_sandbox/scenarios`, init)).status).toBe(201)
  await sendRaw(url, payout('x-sandbox-scenario: cut') + payout()).catch(() => '')
  expect(sandbox.requests().map(({ status }) => status)).toEqual([null])
})

test('a connection is read no further while many of its requests wait, and all are answered', async () => {
  let wake = () => {}
  const sleep = () =>
    new Promise<void>((resolve) => {
      wake = resolve
    })
  const { sandbox } = await openOwnSandbox({ sleep })
  const { url } = await sandbox.listen()
  let read = 0
  const count = () => {
    read += 1
  }
  diagnostics.subscribe('http.server.request.start', count)
  onTestFinished(() => void diagnostics.unsubscribe('http.server.request.start', count))
  const many = 2_000
  const answers = sendRaw(
    url,
    get('x-sandbox-scenario: slow-responses') + get().repeat(many) + last(),
  )
  await expect.poll(() => read).toBeGreaterThan(32)
  const others = 100
  for (let n = 0; n < others; n++) await fetch(`${url}/_sandbox/health`)
  expect(read).toBeLessThan(1_500)
  wake()
  expect(statuses(await answers)).toHaveLength(1 + many + 1)
})
