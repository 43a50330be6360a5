import { describe, expect, test } from 'vitest'
import { parseRateLimit, type SandboxOptions, sortReadings } from './options.js'

describe('readRateLimit', () => {
  test.each([
    ['100/1m', 100, 60_000],
    ['1/1ms', 1, 1],
    ['1000000/1d', 1_000_000, 86_400_000],
    ['5/PT1S', 5, 1_000],
    ['5/1.5s', 5, 1_500],
  ])('reads %s', (text, limit, window_ms) => {
    expect(parseRateLimit(text)).toEqual({ limit, window_ms, window: text.split('/')[1] })
  })

  test.each([
    '',
    '100',
    '100/',
    '/1m',
    '0/1m',
    '-1/1m',
    '1.5/1m',
    '1e3/1m',
    ' 1/1m',
    '1000001/1m',
    '10000000/1m',
    '1/0s',
    '1/0.4ms',
    '1/25h',
    '1/86400001ms',
    '1/m',
    '1/1 m',
    '1/1m/1m',
    '1/P1M',
  ])('does not read %j', (text) => expect(parseRateLimit(text)).toBeUndefined())
})

test.each<[SandboxOptions, SandboxOptions]>([
  [
    { readings: ['answers.yaml', 'payout.repeat=conflict'] },
    { readings: ['payout.repeat=conflict'], readingsFile: 'answers.yaml' },
  ],
  [{ readingsFile: 'payout.repeat=conflict' }, { readings: ['payout.repeat=conflict'] }],
  [{ readings: ['payout.repeat'] }, { readings: ['payout.repeat'] }],
])('sortReadings accepts a file and a reading in place of each other: %j', (given, sorted) => {
  expect(sortReadings(given)).toEqual(sorted)
})
