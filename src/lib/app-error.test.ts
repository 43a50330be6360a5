import { describe, expect, test } from 'vitest'
import {
  AppError,
  describeValue,
  formatError,
  formatInvalid,
  formatRepeated,
  formatUnknown,
  invalidValue,
  inWords,
} from './app-error.js'

/** The wording of all error messages. Other tests look at fields, or use `test/support/invalid.ts`. */
describe('an error message', () => {
  test.each([
    [
      formatInvalid('amount', 'x', 'an amount above zero'),
      'Invalid amount: got "x". Expected an amount above zero.',
    ],
    [
      formatInvalid('clock', 'fast', 'real, manual', 'Did you mean "real"?'),
      'Invalid clock: got "fast". Expected real, manual. Did you mean "real"?',
    ],
    [formatInvalid('amount', undefined, 'an amount'), 'Missing amount. Expected an amount.'],
    [formatInvalid('', 5, 'an object'), 'Invalid value: got 5. Expected an object.'],
    [
      formatInvalid('image', inWords('9 bytes'), 'at most 8 bytes'),
      'Invalid image: got 9 bytes. Expected at most 8 bytes.',
    ],
    [formatUnknown('field', 'a.b'), 'Unknown field "a.b".'],
    [
      formatUnknown('query parameter', 'statu', 'page, status', 'Did you mean "status"?'),
      'Unknown query parameter "statu". Did you mean "status"? Allowed: page, status.',
    ],
    [formatRepeated('page', 2), 'page was sent 2 times. Expected once.'],
    [
      formatError({ problem: 'a.pem cannot be read', expected: 'a file in PEM form' }),
      'a.pem cannot be read. Expected a file in PEM form.',
    ],
    [
      formatError({ field: 'user_id', problem: 'the user is paused', hint: 'Try another' }),
      'Invalid user_id: the user is paused. Try another.',
    ],
  ])('is formatted as %j', (message, wording) => expect(message).toBe(wording))

  test.each([
    [null, 'null'],
    [true, 'true'],
    [-1.5, '-1.5'],
    [[], 'an empty array'],
    [[1], 'an array'],
    [{}, 'an object'],
    ['a\u202eb', '"a\\u202eb"'],
    ['x'.repeat(65), `"${'x'.repeat(64)}…"`],
    [Number.POSITIVE_INFINITY, 'a number beyond 1e308'],
    [() => 1, 'a function'],
  ])('shows %j as %s', (value, text) => expect(describeValue(value)).toBe(text))
})

test('an AppError has its code and the parts of its message', () => {
  const error = invalidValue('speed', -1, 'a number above 0', 'Time never goes back')
  expect(error).toBeInstanceOf(AppError)
  expect(error).toMatchObject({
    code: 'invalid',
    field: 'speed',
    received: -1,
    expected: 'a number above 0',
    hint: 'Time never goes back',
    message: 'Invalid speed: got -1. Expected a number above 0. Time never goes back.',
  })
})
