import { expect, it } from 'vitest'
import { drawSecret, isSameSecret, withoutKeys } from './secrets.js'

it('draws secrets in the form of the contract, another one each time', () => {
  const drawn = Array.from({ length: 100 }, () => drawSecret())
  for (const secret of drawn) expect(secret).toMatch(/^[A-Za-z0-9]{32}$/)
  expect(new Set(drawn).size).toBe(100)
})

it('never draws one that opens a world of its own', () => {
  const own = 'SandboxWorld00000000000000000001'
  const other = 'sandboxworld00000000000000000001'
  const drawn = [own, own, other]
  expect(drawSecret(() => drawn.shift() ?? '')).toBe(other)
})

it('tells secrets apart, whatever their length', () => {
  expect(isSameSecret('one', 'one')).toBe(true)
  for (const other of ['', 'on', 'One', 'one ', 'one\u0000']) {
    expect(isSameSecret('one', other)).toBe(false)
  }
})

it.each([
  ['/a/SandrampFullAccessKey00000000001?k=SandrampFullAccessKey00000000001', '/a/…0001?k=…0001'],
  [
    '/_sandbox/worlds/b1946ac92492d2347c6235b4d2611184',
    '/_sandbox/worlds/b1946ac92492d2347c6235b4d2611184',
  ],
  [`/a/${'x'.repeat(33)}`, `/a/${'x'.repeat(33)}`],
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
