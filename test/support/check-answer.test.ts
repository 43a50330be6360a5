import { describe, expect, test } from 'vitest'
import { checkAnswer, type Exchanged } from './check-answer.js'
import { ownId } from './fixture-ids.js'
import { missing } from './invalid.js'

/** Tests of both APIs rely on this check, so these tests show that it can fail. */

const REQUEST_ID = '0b9f6d2e-7a54-4f0e-9c1a-5d8e3b2f1a60'
const headers = (change: Record<string, string> = {}) =>
  new Headers({ 'content-type': 'application/json', 'x-request-id': REQUEST_ID, ...change })

const wallet = {
  id: ownId(1),
  crypto: null,
  balances: null,
  blockchain: 'polygon',
  status: 'ACTIVE',
  user_id: ownId(2),
  wallet_address: '0x0',
  customer_wallet_ref: ownId(3),
}
const good: Exchanged = {
  method: 'POST',
  path: '/payment/api/v1/custody-wallet',
  status: 201,
  headers: headers(),
  body: wallet,
}
const error = {
  code: '4000',
  httpMethod: 'POST',
  message: missing('chain'),
  path: good.path,
  requestId: REQUEST_ID,
  resourcePath: '/payment/{proxy+}',
}
const refused: Exchanged = { ...good, status: 400, body: error }

test.each([good, refused])('a documented response passes: $status', (answer) => {
  checkAnswer(answer)
})

const without = (body: object, field: string) =>
  Object.fromEntries(Object.entries(body).filter(([name]) => name !== field))

describe('an undocumented response fails', () => {
  test.each<[string, Exchanged]>([
    ['a field more', { ...good, body: { ...wallet, n: 1 } }],
    ['a field less', { ...good, body: without(wallet, 'crypto') }],
    ['a number as text', { ...good, body: { ...wallet, balances: [{ balance: '1' }] } }],
    ['an id that is none', { ...good, body: { ...wallet, id: 'w-1' } }],
    ['a status that no document has', { ...good, status: 202 }],
    ['a bug', { ...good, status: 500, body: { ...error, code: '5000' } }],
    ['no request id', { ...good, headers: headers({ 'x-request-id': '' }) }],
    ['a request id that is none', { ...good, headers: headers({ 'x-request-id': 'r-1' }) }],
    ['another content type', { ...good, headers: headers({ 'content-type': 'text/html' }) }],
    [
      'leave for other sites',
      { ...good, headers: headers({ 'access-control-allow-origin': '*' }) },
    ],
    [
      'an assumption of another operation',
      { ...good, headers: headers({ 'x-sandbox-assumed': 'payout.fee=on_top' }) },
    ],
    ['an error field more', { ...refused, body: { ...error, stack: 'at' } }],
    ['an error field less', { ...refused, body: without(error, 'resourcePath') }],
    ['a code of another status', { ...refused, body: { ...error, code: '4040' } }],
    ['a code that nobody knows', { ...refused, body: { ...error, code: '4999' } }],
    ['another request’s id', { ...refused, body: { ...error, requestId: ownId(9) } }],
    ['another method', { ...refused, body: { ...error, httpMethod: 'GET' } }],
    ['another path', { ...refused, body: { ...error, path: '/payment' } }],
    ['another resource', { ...refused, body: { ...error, resourcePath: '/{proxy+}' } }],
    ['a blank message', { ...refused, body: { ...error, message: ' ' } }],
    ['a stack trace', { ...refused, body: { ...error, message: 'oops\n    at f (a.js:1:2)' } }],
    ['success on an unknown path', { ...good, path: '/payment/api/v1/nowhere', status: 200 }],
  ])('%s', (_, answer) => {
    expect(() => checkAnswer(answer)).toThrow()
  })
})
