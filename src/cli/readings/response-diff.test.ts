import { describe, expect, test } from 'vitest'
import { maskAddress } from '../../domain/addresses.js'
import type { LoggedExchange } from '../../history/views.js'
import { firstDifference, toComparable } from './response-diff.js'

const exchange = (given: Partial<LoggedExchange> & { asked?: unknown; answered?: unknown }) =>
  ({
    method: 'POST',
    path: '/payment/api/v1/payout',
    query: {},
    operation: 'createPayout',
    status: 200,
    assumed: [],
    ...given,
    request: { headers: {}, body: given.asked ?? null },
    response: { headers: {}, body: given.answered ?? null },
  }) as unknown as LoggedExchange

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

const read = (status: string, given: Partial<LoggedExchange> = {}) =>
  exchange({
    method: 'GET',
    path: `/payment/api/v1/fx-audit/status/${uuid(1)}`,
    operation: 'getTransferStatus',
    answered: { status },
    ...given,
  })

const compare = (there: LoggedExchange[], here: LoggedExchange[], reading = 'a.b=c') =>
  firstDifference(toComparable(there), toComparable(here), reading)

describe('firstDifference', () => {
  test('ignores ids, times, addresses and references', () => {
    const run = (n: number) => [
      exchange({ asked: { ref: uuid(n) }, answered: { id: uuid(n + 1), ref: uuid(n) } }),
      exchange({
        asked: { id: uuid(n + 1) },
        answered: {
          at: `2026-01-0${n}T00:00:00.000Z`,
          address: `0x${String(n).repeat(38)}aB`,
          masked: maskAddress(`0x${String(n).repeat(38)}aB`),
          from: `****000${n}`,
          on_solana: maskAddress(`Gsam${String(n).repeat(36)}U3gU`),
          reference: `NIP-00000000000${n}`,
          other_rail: `rtp_2-10000000000${n}`,
          message: `payout ${uuid(n + 1)} is there`,
        },
      }),
    ]
    expect(compare(run(1), run(5))).toBeUndefined()
  })

  test.each([
    ['another account', 'DE89****3000', 'DE89****3001'],
    ['an account that is masked otherwise', '****6789', '******6789'],
    ['a time in another form', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00Z'],
    ['a time with another zone', '2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000+00:00'],
  ])('finds %s', (_, there, here) => {
    const run = (it: string) => [exchange({ answered: { it } })]
    expect(compare(run(there), run(here))).toMatchObject({ n: 1 })
    expect(compare(run(here), run(here))).toBeUndefined()
  })

  test('finds a reference to another record', () => {
    const asked = { ref: uuid(7) }
    const first = exchange({ asked, answered: { id: uuid(1) } })
    const second = exchange({ asked, answered: { id: uuid(2) } })
    expect(compare([first, first], [first, second])).toEqual({
      n: 2,
      what: 'createPayout',
      there: { status: 200, body: { id: '<id 2>' } },
      here: { status: 200, body: { id: '<id 3>' } },
    })
  })

  test('finds another status, and requests that the first run did not send', () => {
    const conflict = exchange({ status: 409, answered: { code: '4090' } })
    expect(compare([exchange({})], [conflict])).toMatchObject({
      n: 1,
      there: { status: 200 },
      here: { status: 409 },
    })
    const unknown = exchange({ operation: null, path: '/x' })
    expect(compare([exchange({})], [exchange({}), unknown])).toMatchObject({
      n: 2,
      what: 'POST /x',
      there: undefined,
    })
  })

  test('matches requests with new content by their position among those of the operation', () => {
    const run = (email: string, status: number) => [exchange({ asked: { email }, status })]
    expect(compare(run('a1@x', 201), run('b2@x', 201))).toBeUndefined()
    expect(compare(run('a1@x', 201), run('b2@x', 200))).toMatchObject({ n: 1 })
  })

  test('ignores the number of polls', () => {
    const there = [read('PENDING'), read('PENDING'), read('DONE')]
    expect(compare(there, [read('PENDING'), read('DONE')])).toBeUndefined()
    expect(compare(there, [...there, read('DONE'), read('DONE')])).toBeUndefined()
    expect(compare(there, [read('PENDING'), read('FAILED')])).toMatchObject({ n: 2 })
  })

  test('prefers a response that relied on the reading', () => {
    const assumed = ['a.b=c']
    const here = [read('OTHER'), exchange({ status: 409, assumed })]
    expect(compare([read('PENDING'), exchange({})], here)).toMatchObject({ n: 2 })
  })
})
