import { expect, test } from 'vitest'
import { emptyRange } from './comparison.js'

test.each([
  [{ gt: 5, lt: 3 }, 'lt', 'more than the gt, 5'],
  [{ gt: 5, lte: 5 }, 'lte', 'more than the gt, 5'],
  [{ gte: 5, lt: 5 }, 'lt', 'more than the gte, 5'],
  [{ gte: 5.01, lte: 5 }, 'lte', 'at least the gte, 5.01'],
  [{ gt: '9.50', lt: '10' }, undefined, undefined],
  [{ gt: '10', lt: '9.50' }, 'lt', 'more than the gt, "10"'],
  [{ gte: 5, lte: '5.00' }, undefined, undefined],
  [{ gt: '2026-06-15T12:00:00+02:00', lt: '2026-06-15T10:00:00.001Z' }, undefined, undefined],
  [
    { gt: '2026-06-15T12:00:00+02:00', lt: '2026-06-15T10:00:00Z' },
    'lt',
    'more than the gt, "2026-06-15T12:00:00+02:00"',
  ],
  [{ gte: 'b', lt: 'a' }, 'lt', 'more than the gte, "b"'],
  [{ gt: 1, lt: 'a' }, 'lt', 'more than the gt, 1'],
  [{ lt: 3 }, undefined, undefined],
  [{ gte: 3 }, undefined, undefined],
])('emptyRange finds that %j is empty: %s', (bounds, upper, accepted) => {
  expect(emptyRange(bounds)).toEqual(upper && { upper, accepted })
})
