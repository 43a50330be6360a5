import { expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { users } from '../support/fixture-ids.js'
import { didYouMean, expected, got, inWords, missing, unknownField } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'

/** Bodies of the control API, by one operation: all share the reader. Recorded answers have those of the service. */

const path = `/_sandbox/users/${users.ada}/accounts`
const VALID = '{"currency":"EUR","account_number":"DE89370400440532013000"}'
const JSON_TYPE = { 'content-type': 'application/json' }
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const streamed = (text: string) => new Blob([text]).stream()

const open = async (bodyLimit?: number) => {
  const api = await openSandbox(bodyLimit === undefined ? {} : { bodyLimit })
  const send = (
    raw: string | Uint8Array<ArrayBuffer> | ReadableStream,
    headers: Record<string, string> = JSON_TYPE,
  ) => api.call('POST', path, { headers, raw })
  return { api, send, accounts: () => api.sandbox.tables.accounts.size }
}

test.each([
  ['no label', {}],
  ['a label', JSON_TYPE],
])('none at all, with %s, is refused', async (_, headers) => {
  const { api } = await open()
  const answer = await api.call('POST', path, { headers })
  expectRefusal(answer, 400, '4000', missing('body', 'a JSON object'))
})

test('a body that is labelled as something else, or not at all, is refused', async () => {
  const { send, accounts } = await open()
  const before = accounts()
  for (const type of [
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/merge-patch+json',
    'json',
    ';application/json',
  ]) {
    const answer = await send(VALID, { 'content-type': type })
    expectRefusal(answer, 415, '4150', JSON.stringify(type), expected('application/json'))
  }
  const bare = await send(new TextEncoder().encode(VALID), {})
  expectRefusal(bare, 415, '4150', missing('content-type', 'application/json'))
  expect(accounts()).toBe(before)
})

// JSON is UTF-8 whatever charset says (RFC 8259, section 8.1).
test('the label may have a charset and any case', async () => {
  const { send } = await open()
  for (const type of ['application/json; charset=iso-8859-1', 'Application/JSON ;x=y'])
    expect((await send(VALID, { 'content-type': type })).status).toBe(201)
})

test('a malformed body is refused, with a short error', async () => {
  const { send, accounts } = await open()
  const before = accounts()
  const long = `{"a":${'x'.repeat(1_000_000)}`
  for (const raw of ['{', "{'a':1}", '{"a":1} {"b":2}', '{"a":"\u0000"}', '{"a":NaN}', long]) {
    const answer = await send(raw)
    expectRefusal(answer, 400, '4004', 'The body is not well-formed JSON: ')
    expect(JSON.stringify(answer.body).length).toBeLessThan(2_000)
  }
  const mark = await send(`\ufeff${VALID}`)
  expectRefusal(mark, 400, '4004', 'it begins with a byte order mark, U+FEFF. Expected JSON')
  const latin = await send(new Uint8Array(Buffer.from('{"é":1}', 'latin1')))
  expectRefusal(latin, 400, '4004', 'The body is not well-formed UTF-8. Expected UTF-8, whatever')
  expect(accounts()).toBe(before)
})

test.each([
  ['null', 'null'],
  ['an empty array', '[]'],
  ['"text"', '"text"'],
  ['a number beyond 1e308', '1e999'],
  ['0', '-0'],
  ['true', 'true'],
  ['an array', nested(90_000)],
])('%s is no object', async (came, raw) => {
  const { send } = await open()
  expectRefusal(await send(raw), 400, '4000', got(inWords(came), 'an object'))
})

test('a body as large as the limit is accepted, one byte more is not', async () => {
  const limit = VALID.length + 10
  const { send, accounts } = await open(limit)
  const before = accounts()
  const tooLarge = `The body is larger than the limit of ${limit} bytes`
  const text = `${VALID}${' '.repeat(11)}`
  expectRefusal(await send(text), 413, '4130', tooLarge)
  expectRefusal(await send(streamed(text)), 413, '4130', tooLarge)
  expect(accounts()).toBe(before)
  expect((await send(streamed(text.slice(0, -1)))).status).toBe(201)
})

test('unknown fields are refused with the nearest name, __proto__ among them', async () => {
  const { send, accounts } = await open()
  const before = accounts()
  for (const name of ['currencys', '__proto__', 'constructor', 'toString', 'x'.repeat(100_000)]) {
    const answer = await send(`{${JSON.stringify(name)}:${nested(90_000)},${VALID.slice(1)}`)
    expectRefusal(answer, 400, '4000', `Unknown field "${name.slice(0, 40)}`)
    expect(JSON.stringify(answer.body).length).toBeLessThan(2_000)
  }
  const slip = await send(`{"currencys":1,${VALID.slice(1)}`)
  expectRefusal(slip, 400, '4000', didYouMean('currency'))
  const inherited = await send(`{"__proto__":${VALID}}`)
  expectRefusal(inherited, 400, '4000', unknownField('__proto__'))
  expect({}).not.toHaveProperty('currency')
  expect(accounts()).toBe(before)
})
