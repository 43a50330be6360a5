import * as z from 'zod'

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

export const INSTANT_HELP = 'an ISO 8601 date-time with its zone such as 2026-06-15T09:30:00Z'

const INSTANT =
  /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d+)?)?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/

/** NaN for other text, and for a time without its zone: the machine's zone must not decide. */
export const parseInstant = (text: string): Instant =>
  INSTANT.test(text) && z.regexes.date.test(text.slice(0, 10)) ? Date.parse(text) : Number.NaN

/** A time as HTTP headers have it, such as Sun, 14 Jun 2026 09:00:00 GMT. NaN for other text. */
export const parseHttpDate = (text: string): Instant =>
  text.endsWith(' GMT') ? Date.parse(text) : Number.NaN

export const instantText = () =>
  z
    .string(INSTANT_HELP)
    .refine((text) => !Number.isNaN(parseInstant(text)), INSTANT_HELP)
    .meta({ format: 'date-time', pattern: INSTANT.source })

let lastMs = Number.NaN
let lastText = ''

/** Remembers the last result, because most calls repeat it. */
export const toIso = (ms: Instant): string => {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}

/** The last instant with a year of four digits. */
export const MAX_INSTANT: Instant = parseInstant('9999-12-31T23:59:59.999Z')

/** No later instant could ever be reached. */
export const clampInstant = (ms: Instant): Instant => Math.min(ms, MAX_INSTANT)

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const SHORT = /^(\d{1,15}(?:\.\d{1,9})?)(ms|s|m|h|d)$/
const ISO =
  /^P(?=.)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/

/** For schemas that check without parsing. */
export const DURATION_PATTERN = `${SHORT.source}|${ISO.source}`

export const DURATION_HELP =
  'a duration such as 500ms, 2s, 30m, 1h, 7d, or ISO 8601 such as PT30M or P1D'

export const UNTIL_HELP = `idle, or ${DURATION_HELP}`

/**
 * Parses a number with ms, s, m, h or d, or ISO 8601 with weeks, days, hours, minutes and seconds.
 * Months and years have no fixed length. Returns milliseconds; undefined for other text and for
 * more than the clock can reach.
 */
export const parseDuration = (text: string): number | undefined => {
  const ms = parseShort(text) ?? parseIso(text)
  return ms === undefined || ms > MAX_INSTANT ? undefined : Math.round(ms)
}

const MAX_DURATION_MS = `at most ${Math.floor(MAX_INSTANT / 86_400_000)}d`

/** The accepted forms, or a shorter duration. */
export const durationError = (text: string, forms = DURATION_HELP): string =>
  parseShort(text) === undefined && parseIso(text) === undefined ? forms : MAX_DURATION_MS

const parseShort = (text: string): number | undefined => {
  const [, amount, unit = ''] = SHORT.exec(text) ?? []
  return amount === undefined ? undefined : Number(amount) * (UNITS[unit] ?? Number.NaN)
}

const parseIso = (text: string): number | undefined => {
  const iso = ISO.exec(text)
  if (!iso) return undefined
  const [w = 0, d = 0, h = 0, m = 0, s = 0] = iso.slice(1).map((part) => Number(part ?? 0))
  return ((((w * 7 + d) * 24 + h) * 60 + m) * 60 + s) * 1_000
}
