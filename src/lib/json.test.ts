import { expect, test } from 'vitest'
import { findDifferences } from './json.js'

test.each([
  [{ a: 1 }, { a: 1 }, []],
  [
    { a: 1, status: 'x' },
    { a: 2, status: 'y' },
    [
      { path: 'status', a: 'x', b: 'y' },
      { path: 'a', a: 1, b: 2 },
    ],
  ],
  [{ a: { b: [1, 2] } }, { a: { b: [1, 3] } }, [{ path: 'a.b.1', a: 2, b: 3 }]],
  [{ a: 1 }, {}, [{ path: 'a', a: 1, b: undefined }]],
  [[], {}, [{ path: '', a: [], b: {} }]],
  [null, { a: 1 }, [{ path: '', a: null, b: { a: 1 } }]],
])('findDifferences compares %j with %j', (a, b, expected) =>
  expect([...findDifferences(a, b)]).toEqual(expected),
)
