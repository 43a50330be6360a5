import { fiatDecimals } from '../domain/currencies.js'
import { toUnicodeEscapes } from '../lib/text.js'

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

export const formatDuration = (ms: number): string => {
  const parts: string[] = []
  let rest = ms
  for (const [unit, size] of UNITS) {
    if (rest >= size) parts.push(`${Math.floor(rest / size)} ${unit}`)
    rest %= size
    if (parts.length === 2) break
  }
  return parts.join(' ') || (ms > 0 ? `${ms} ms` : '0 s')
}

const MONTHS =
  'January February March April May June July August September October November December'.split(' ')

/** `15 June 2026` */
export const formatDate = (at: string): string =>
  `${Number(at.slice(8, 10))} ${MONTHS[Number(at.slice(5, 7)) - 1]} ${at.slice(0, 4)}`

/** `09:01:58` for a time of the same day, else `2 June, 11:41`, with the year if it differs. */
export const formatTime = (at: string, now: number): string => {
  const [today, date] = [new Date(now).toISOString(), formatDate(at)]
  if (at.slice(0, 10) === today.slice(0, 10)) return at.slice(11, 19)
  return at.slice(0, 4) === today.slice(0, 4) ? `${date.slice(0, -5)}, ${at.slice(11, 16)}` : date
}

export const formatCount = (count: number): string => count.toLocaleString('en')

/** `1 entry`, `2,000 entries` */
export const pluralize = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : plural}`

/** Groups the digits by thousands. A token has two decimals unless more are needed. */
export const formatAmount = (amount: string, asset: string): string => {
  const [whole = '', fraction = ''] = amount.replace('-', '−').split('.')
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  const written = fraction.replace(/0+$/, '')
  const decimals = written.padEnd(fiatDecimals(asset) ?? 2, '0')
  return decimals === '' ? groups : `${groups}.${decimals}`
}

/** `1,500.00 NGN` */
export const formatMoney = (amount: string, asset: string): string =>
  `${formatAmount(amount, asset)} ${asset}`

/** Distinguishes ids: those of fixtures differ in their last characters. */
export const shortId = (id: string): string => {
  // Some ids are whatever a client sent: no character is cut in half.
  const characters = [...id]
  if (characters.length <= 12) return id
  return `${characters.slice(0, 4).join('')}…${characters.slice(-4).join('')}`
}

/** `Payment processed` for `PAYMENT_PROCESSED`, `Processed` for `PAYOUT_PROCESSED`. */
export const statusWord = (status: string): string =>
  capitalize(
    status
      .replace(/^PAYOUT_/, '')
      .replace(/_/g, ' ')
      .toLowerCase(),
  )

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** Marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Escapes invisible characters that could reorder the surrounding text. */
export const escapeBidi = (text: string): string => text.replace(BIDI_CONTROLS, toUnicodeEscapes)

/** Indents JSON, unless that would lose something such as digits. Other text is unchanged. */
export const indentJson = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === text.trim() ? JSON.stringify(value, null, 2) : text
  } catch {
    return text
  }
}
