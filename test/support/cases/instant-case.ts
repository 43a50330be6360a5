import type { FieldCase, Wrong } from './field-cases.js'

const shown = (text: string): Wrong => [text, JSON.stringify(text)]

const NO_INSTANTS: readonly Wrong[] = [
  [null, 'null'],
  [1_781_514_000_000, '1781514000000'],
  [{}, 'an object'],
  ...['', 'tomorrow', '2026-07-01', '2026-07-01T00:00:00', '2026-02-30T00:00:00Z'].map(shown),
  ...['2026-07-01T00:00:00+25:00', '2026-07-01 00:00:00Z', '+012026-07-01T00:00:00Z'].map(shown),
]

/** Refused values of an instant in the control API. */
export const instantCase = (field: string): FieldCase => ({
  field,
  accepted: 'an ISO 8601 date-time with its zone such as 2026-06-15T09:30:00Z',
  wrong: NO_INSTANTS,
})
