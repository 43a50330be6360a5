import { expect, test } from 'vitest'
import type { ReadingLookup } from '../assumptions/ids.js'
import { formatAddress } from './format.js'

const unasked: ReadingLookup = (id) => {
  throw new Error(`${id} was asked`)
}

test.each(['0x1df0…a8e2', 'TDcrAXtbFFq7GxF1WKxaX8YvS1d2ExcbKN'])(
  'an address that every reading shows alike rests on none: %s',
  (address) => expect(formatAddress(address, unasked)).toBe(address),
)
