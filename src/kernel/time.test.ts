import { describe, expect, test } from 'vitest'
import {
  DURATION_HELP,
  durationError,
  MAX_INSTANT,
  parseDuration,
  parseInstant,
  toIso,
} from './time.js'

describe('parseInstant', () => {
  test.each([
    ['2026-06-15T09:00:00Z', 1_781_514_000_000],
    ['2026-06-15T09:00:00.123456789Z', 1_781_514_000_123],
    ['2026-06-15T11:30:00+02:30', 1_781_514_000_000],
    ['2026-06-15T08:00-01:00', 1_781_514_000_000],
    ['2024-02-29T00:00:00Z', 1_709_164_800_000],
  ])('parses %s', (text, ms) => expect(parseInstant(text)).toBe(ms))

  test.each([
    '',
    '2026-06-15',
    '2026-06-15T09:00:00',
    '2026-06-15 09:00:00Z',
    'June 15, 2026',
    'June 15, 2026 UTC',
    '2026-02-29T00:00:00Z',
    '2026-06-15T24:00:00Z',
    '2026-06-15T09:00:00+0200',
    '+010000-01-01T00:00:00Z',
    '2026-06-15T09:00:00Z\n',
  ])('rejects %j', (text) => expect(parseInstant(text)).toBeNaN())
})

describe('parseDuration', () => {
  test.each([
    ['0s', 0],
    ['1ms', 1],
    ['1.5ms', 2],
    ['500ms', 500],
    [`${MAX_INSTANT}ms`, MAX_INSTANT],
    ['2s', 2_000],
    ['1.5s', 1_500],
    ['30m', 1_800_000],
    ['0.5m', 30_000],
    ['1h', 3_600_000],
    ['7d', 604_800_000],
    ['007s', 7_000],
    ['2932896d', 253_402_214_400_000],
    ['PT0S', 0],
    ['PT0.25S', 250],
    ['PT1H30M5S', 5_405_000],
    ['P1W2DT3H', 788_400_000],
    ['P2DT1M', 172_860_000],
  ])('parses %s as %d ms', (text, ms) => expect(parseDuration(text)).toBe(ms))

  test.each([
    '',
    '5',
    '5s\n',
    '-5s',
    '5S',
    '5sec',
    '.5s',
    '1e3s',
    '1h30m',
    '٣s',
    'Infinityd',
    'P',
    'PT',
    'P1DT',
    'P1Y',
    'P1M',
    'P-1D',
    'pt30m',
    'PT30',
    'PT1.5H',
    'P1.5D',
    '1234567890123456s',
    '2932897d',
    '999999999999999d',
    'P999999999W',
  ])('rejects %j', (text) => expect(parseDuration(text)).toBeUndefined())
})

describe('durationError', () => {
  test.each(['2932897d', '999999999999999d', 'P999999999W'])('asks for less than %s', (text) =>
    expect(durationError(text)).toBe('at most 2932896d'),
  )

  test.each(['', '-1s', 'PT30'])('asks for a duration instead of %j', (text) => {
    expect(durationError(text)).toBe(DURATION_HELP)
    expect(durationError(text, 'idle')).toBe('idle')
  })
})

describe('toIso', () => {
  test.each([
    [0, '1970-01-01T00:00:00.000Z'],
    [1_781_514_000_123, '2026-06-15T09:00:00.123Z'],
    [-1, '1969-12-31T23:59:59.999Z'],
    [MAX_INSTANT, '9999-12-31T23:59:59.999Z'],
  ])('formats %d as %s', (ms, text) => {
    expect(toIso(ms)).toBe(text)
    expect(toIso(ms)).toBe(text)
  })

  test('formats instants in their order as text', () => {
    const instants = [0, 1, 999, 1_000, 86_399_999, 951_782_400_000, 1_781_514_000_000, MAX_INSTANT]
    const texts = instants.map(toIso)
    expect(texts.toSorted()).toEqual(texts)
    expect(texts.map((text) => Date.parse(text))).toEqual(instants)
  })
})
