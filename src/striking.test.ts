import { expect, it } from 'vitest'
import { strikeOf, withoutKeys } from './striking.js'

it.each([
  ['/a/SandrampFullAccessKey00000000001?k=SandrampFullAccessKey00000000001', '/a/…0001?k=…0001'],
  [
    '/_sandbox/worlds/b1946ac92492d2347c6235b4d2611184',
    '/_sandbox/worlds/b1946ac92492d2347c6235b4d2611184',
  ],
  [`/a/${'x'.repeat(33)}`, `/a/${'x'.repeat(33)}`],
  ['/a?b=Bearer%20SandrampFullAccessKey00000000001', '/a?b=Bearer%20…0001'],
  ['"\\nSandrampFullAccessKey00000000001\\n"', '"\\n…0001\\n"'],
  ['/users/11111111-1111-4111-8111-000000000001', '/users/11111111-1111-4111-8111-000000000001'],
])('of a key in %s its end is shown', (text, shown) => {
  expect(withoutKeys(text)).toBe(shown)
})

it('finds what may be a key wherever it stands', () => {
  const key = 'SandrampFullAccessKey00000000001'
  for (let before = 0; before < 70; before++) {
    const path = '/'.repeat(before)
    expect(withoutKeys(`${path}${key}?${path}`)).toBe(`${path}…0001?${path}`)
  }
})

it('finds each of many, between texts that are as long or longer', () => {
  const key = 'SandrampFullAccessKey00000000001'
  for (const length of [1, 31, 33, 42, 64, 1_000]) {
    const other = 'x'.repeat(length)
    const text = [other, key, other, key, key, other].join('"')
    expect(withoutKeys(text)).toBe([other, '…0001', other, '…0001', '…0001', other].join('"'))
  }
})

it.each([
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
])('of the control token %s and keys in %s the ends are shown', (token, text, shown) => {
  expect(strikeOf(token)(text)).toBe(shown)
})
