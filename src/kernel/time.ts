/** Milliseconds since 1970-01-01T00:00:00Z, the world's only measure of time. */
export type Instant = number

let lastMs = Number.NaN
let lastText = ''

/** ISO 8601, UTC, with milliseconds. Remembers the last answer: most calls repeat it. */
export const toIso = (ms: Instant): string => {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString()
    lastMs = ms
  }
  return lastText
}

/** The last instant that still prints with a four-digit year. */
export const MAX_INSTANT: Instant = Date.parse('9999-12-31T23:59:59.999Z')

/** What would come after the last instant comes at it, since nothing else could ever reach it. */
export const clampInstant = (ms: Instant): Instant => Math.min(ms, MAX_INSTANT)

const UNITS: Record<string, number> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const SHORT = /^(\d{1,15}(?:\.\d{1,9})?)(ms|s|m|h|d)$/
const ISO =
  /^P(?=.)(?:(\d{1,9})W)?(?:(\d{1,9})D)?(?:T(?=.)(?:(\d{1,9})H)?(?:(\d{1,9})M)?(?:(\d{1,9}(?:\.\d{1,9})?)S)?)?$/

/** Both forms as one regular expression, for whoever checks without parsing. */
export const DURATION_PATTERN = `${SHORT.source}|${ISO.source}`

export const DURATION_HELP =
  'a duration such as 500ms, 2s, 30m, 1h, 7d, or ISO 8601 such as PT30M or P1D'

/** How far time is moved before something is looked at. */
export const UNTIL_HELP = `idle, or ${DURATION_HELP}`

/**
 * Reads a duration: a number with ms, s, m, h or d, or ISO 8601 with weeks, days, hours, minutes and
 * seconds (months and years have no fixed length and are refused). Answers milliseconds, or undefined;
 * also for what is longer than time goes on, so that no due time is beyond what can be written.
 */
export const parseDuration = (text: string): number | undefined => {
  const ms = parseShort(text) ?? parseIso(text)
  return ms === undefined || ms > MAX_INSTANT ? undefined : Math.round(ms)
}

const MAX_DURATION_MS = `at most ${Math.floor(MAX_INSTANT / 86_400_000)}d`

/** What is accepted in place of a text that is no duration: other forms, or a shorter one. */
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
