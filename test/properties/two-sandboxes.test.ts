import fc from 'fast-check'
import { expect, test } from 'vitest'
import { requestOf } from '../support/arbitraries.js'
import { accounts, ownId, users } from '../support/fixture-ids.js'
import { MemoryLog } from '../support/memory-log.js'
import { payoutRequest } from '../support/requests.js'
import { type Answered, openOn } from '../support/shared-sandbox.js'
import { worldId, worldKey } from '../support/worlds.js'

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

const post = (path: string, body?: unknown): Call => ({ method: 'POST', path, body })

const KEYS = ['a', 'b'].map(worldKey)

const commonCalls: readonly Call[] = [
  ...[1, 2, 3].map((n) =>
    post('/payment/api/v1/payout', {
      ...payoutRequest(),
      customer_payout_id: ownId(n),
      amount: '1.00',
    }),
  ),
  ...['1s', '2s', '10m'].map((by) => post('/_sandbox/clock/advance', { by })),
  post('/_sandbox/clock/advance', { until: 'idle' }),
  post('/_sandbox/transfers', {
    user_id: users.ada,
    account_id: accounts.adaEur,
    source_currency: 'USD',
    source_amount: '5.00',
  }),
  post('/_sandbox/next', {
    operation: 'createPayout',
    times: 2,
    then: { move: 'PAYOUT_FAILED', after: '1s' },
  }),
  post('/_sandbox/next', { user_id: users.ada, then: { respond: { status: 503 } } }),
  { method: 'DELETE', path: '/_sandbox/next' },
  post('/_sandbox/undo'),
  post('/_sandbox/undo'),
  post('/_sandbox/redo'),
  post('/_sandbox/redo'),
  ...[4, 7, 10].map((to) => post('/_sandbox/undo', { to })),
  post('/_sandbox/reset'),
  ...['s', 't'].flatMap((name) => [
    post('/_sandbox/snapshots', { name }),
    post(`/_sandbox/snapshots/${name}/restore`),
  ]),
  post('/_sandbox/snapshots/before-restore/restore'),
  { method: 'DELETE', path: '/_sandbox/snapshots/s' },
  ...KEYS.map((key) => ({ method: 'DELETE', path: `/_sandbox/worlds/${worldId(key)}` })),
  ...[
    'journal?size=100',
    'snapshots',
    'clock',
    'audit',
    'requests?size=100',
    'requests.har',
    'assumptions?relied=true',
    'assumptions?relied=true&worlds=all',
    'assumptions/report',
  ].map((name) => ({ method: 'GET', path: `/_sandbox/${name}` })),
  { method: 'DELETE', path: '/_sandbox/requests' },
  post('/_sandbox/verify', { expect: [{ requests: { operation: 'createPayout' }, count: 1 }] }),
]

/** Each sandbox has a health of its own, and lists only the worlds in its memory. */
const isOfOneSandbox = ({ path }: Call): boolean => /health|stream|worlds$|worlds\?|fork/.test(path)

const isPost = ({ method, path }: Call, noun: string): boolean =>
  method === 'POST' && path.startsWith(`/_sandbox/${noun}`)

const call = fc
  .oneof(
    { weight: 3, arbitrary: fc.constantFrom(...commonCalls) },
    { weight: 1, arbitrary: requestOf('service.json') },
    // Arbitrary armed steps would break connections, and wait for minutes.
    { weight: 1, arbitrary: requestOf('control.json').filter((it) => !isPost(it, 'next')) },
  )
  .filter((it) => !isOfOneSandbox(it) && !isPost(it, 'worlds'))

const step = fc.record({ call, at: fc.nat(1), key: fc.constantFrom(undefined, ...KEYS) })

const machineClock = () => Date.parse('2030-01-01T00:00:00.000Z')

/** Numbers random ids and secrets in the order in which they were shown. */
const createMask = () => {
  const known = new Map<string, number>()
  const number = (text: string) => {
    known.set(text, known.get(text) ?? known.size)
    return `#${known.get(text)}`
  }
  return ({ text, headers }: Answered): string => {
    number(headers.get('x-request-id') ?? '')
    return text
      .replace(/(?<="(?:request|requestId)":")[^"]+/g, number)
      .replace(/[0-9a-f-]{36}/g, (id) => (known.has(id) ? number(id) : id))
      .replace(/(?<="secret":")\w+/g, number)
      .replace(/(?<="(?:last_four|hash)":")\w+(?=")/g, '…')
      .replace(/(?<="(?:created_at|last_used_at)":")[^"]+(?=")/g, '…')
      .replace(/(?<="(?:duration_ms|time|wait)":)[\d.]+/g, '…')
  }
}

test('two sandboxes on one log answer as one sandbox', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 5, maxLength: 40 }),
      fc.constantFrom(2, 3, Number.POSITIVE_INFINITY),
      async (steps, checkpointAfter) => {
        const log = new MemoryLog({ isShared: true, checkpointAfter })
        const one = await openOn(new MemoryLog({ isShared: true }), { machineClock })
        const two = [await openOn(log, { machineClock }), await openOn(log, { machineClock })]
        const [maskOne, maskTwo] = [createMask(), createMask()]
        for (const { call, at, key } of steps) {
          const { method, path, body } = call
          const expected = await one.call(method, path, body, key)
          const seen = await two[at]?.call(method, path, body, key)
          expect([seen?.status, seen && maskTwo(seen)]).toEqual([
            expected.status,
            maskOne(expected),
          ])
        }
      },
    ),
    { numRuns: 30 },
  )
})
