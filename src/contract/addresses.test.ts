import { expect, test } from 'vitest'
import { addressShown } from './addresses.js'
import type { Reader } from './doubts.js'

const unasked: Reader = (id) => {
  throw new Error(`${id} was asked`)
}

test.each(['0x1df0…a8e2', 'TDcrAXtbFFq7GxF1WKxaX8YvS1d2ExcbKN'])(
  'an address that every reading shows alike rests on none: %s',
  (address) => expect(addressShown(address, unasked)).toBe(address),
)
