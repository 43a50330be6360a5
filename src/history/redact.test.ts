import { expect, test } from 'vitest'
import { createRedactor } from './redact.js'

const redactKeys = createRedactor()

test.each([
  ['/a/SandrampFullAccessKey00000000001?k=SandrampFullAccessKey00000000001', '/a/…0001?k=…0001'],
  [
    '/_sandbox/worlds/b1946ac92492d2347c6235b4d2611184',
    '/_sandbox/worlds/b1946ac92492d2347c6235b4d2611184',
  ],
  [`/a/${'x'.repeat(33)}`, `/a/${'x'.repeat(33)}`],
  ['/a?b=Bearer%20SandrampFullAccessKey00000000001', '/a?b=Bearer%20…0001'],
  ['"\\nSandrampFullAccessKey00000000001\\n"', '"\\n…0001\\n"'],
  ['/users/11111111-1111-4111-8111-000000000001', '/users/11111111-1111-4111-8111-000000000001'],
])('the redactor keeps the last characters of a key in %s', (text, shown) => {
  expect(redactKeys(text)).toBe(shown)
})

test('the redactor finds a key anywhere in a text', () => {
  const key = 'SandrampFullAccessKey00000000001'
  for (let before = 0; before < 70; before++) {
    const path = '/'.repeat(before)
    expect(redactKeys(`${path}${key}?${path}`)).toBe(`${path}…0001?${path}`)
  }
})

test('the redactor finds many keys between long words', () => {
  const key = 'SandrampFullAccessKey00000000001'
  for (const length of [1, 31, 33, 42, 64, 1_000]) {
    const other = 'x'.repeat(length)
    const text = [other, key, other, key, key, other].join('"')
    expect(redactKeys(text)).toBe([other, '…0001', other, '…0001', '…0001', other].join('"'))
  }
})

test.each([
  [
    'V1StGXR8_Z5jdHi6B-myT012',
    '/V1StGXR8_Z5jdHi6B-myT012?t=V1StGXR8_Z5jdHi6B-myT012',
    '/…T012?t=…T012',
  ],
  ['a/b+c="d"', '{"t":"a/b+c=\\"d\\""}', '{"t":"…"}'],
  ['a/b+c="d"', '/?t=a%2Fb%2Bc%3D%22d%22', '/?t=…'],
  ["ends-in-the-signs-$'$&", "/ends-in-the-signs-$'$&/", "/…$'$&/"],
  ['payment', '/payment/SandrampFullAccessKey00000000001', '/payment/…0001'],
  [undefined, '/payment/SandrampFullAccessKey00000000001', '/payment/…0001'],
])('the redactor masks the control token %s and keys in %s', (controlToken, text, shown) => {
  expect(createRedactor({ controlToken })(text)).toBe(shown)
})

const KEY = 'SandrampFullAccessKey00000000001'
const WORLD_KEY = 'SandboxWorld00000000000000000001'
const isKnownKey = (text: string) => text === KEY

test.each([
  ['"\\u0053andrampFullAccessKey00000000001"', '"…0001"'],
  ['"\\u0053\\u0061ndrampFullAccessKey0000000000\\u0031"', '"…0001"'],
  ['"{\\"a\\":\\"\\\\u0053andrampFullAccessKey00000000001\\"}"', '"{\\"a\\":\\"…0001\\"}"'],
  ['/a?k=%53andrampFullAccessKey00000000001', '/a?k=…0001'],
  ['/a?k=%2553andrampFullAccessKey0000000000%31&b=%20', '/a?k=…0001&b=%20'],
  [`key${KEY}`, 'key…0001'],
  [`${KEY}${KEY}x`, '…0001…0001x'],
  [`"\\u006bey${KEY}"`, '"key…0001"'],
  [`key${WORLD_KEY}s`, 'key…0001s'],
  ['"\\u0041 text without a secret, 100%41"', '"\\u0041 text without a secret, 100%41"'],
  [`key${'x'.repeat(32)}`, `key${'x'.repeat(32)}`],
])('the redactor masks an escaped or embedded key in %s', (text, shown) => {
  expect(createRedactor({ isKnownKey })(text)).toBe(shown)
})

test.each([
  ['\\u0063orrect-horse', '…'],
  ['correct\\u002dhorse', '…'],
  ['/a?t=%63orrect%2Dhorse&b=1', '/a?t=…&b=1'],
  ['xcorrect-horsex', 'x…x'],
  ['correct\\\\u002Dhorse', '…'],
])('the redactor masks an escaped or embedded control token in %s', (text, shown) => {
  expect(createRedactor({ controlToken: 'correct-horse' })(text)).toBe(shown)
})

test('the redactor takes linear time for a long text of escapes', () => {
  const redact = createRedactor({ controlToken: 'a/b+c="d"', isKnownKey })
  for (const part of ['\\', '%25', '%', 'x', '"', '\\u0053']) {
    const text = part.repeat(1_000_000)
    expect(redact(text)).toBe(text)
  }
})
