import { expect, test } from 'vitest'
import { drawSecret, isSameSecret } from './secrets.js'

test('draws secrets in the form of the contract, another one each time', () => {
  const drawn = Array.from({ length: 100 }, () => drawSecret())
  for (const secret of drawn) expect(secret).toMatch(/^[A-Za-z0-9]{32}$/)
  expect(new Set(drawn).size).toBe(100)
})

test('never draws one that opens a world of its own', () => {
  const own = 'SandboxWorld00000000000000000001'
  const other = 'sandboxworld00000000000000000001'
  const drawn = [own, own, other]
  expect(drawSecret(() => drawn.shift() ?? '')).toBe(other)
})

test('isSameSecret distinguishes secrets of any length', () => {
  expect(isSameSecret('one', 'one')).toBe(true)
  for (const other of ['', 'on', 'One', 'one ', 'one\u0000']) {
    expect(isSameSecret('one', other)).toBe(false)
  }
})
