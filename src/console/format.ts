import { toUnicodeEscapes } from '../lib/text.js'

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** A duration in its two largest units. */
export const formatDuration = (ms: number): string => {
  const parts: string[] = []
  let rest = ms
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count} ${unit}`)
    rest -= count * size
    if (parts.length === 2) break
  }
  return parts.join(' ') || (ms > 0 ? `${ms} ms` : '0 s')
}

/** `2026-06-15 09:00:02`, with milliseconds only if there are some. */
export const formatTime = (iso: string): string => iso.replace('T', ' ').replace(/(\.000)?Z$/, '')

/** The time of day if both times are on one day, else the date, with the year if it differs. */
export const formatTimeShort = (at: string, now: string): string => {
  const [day = '', time = ''] = at.replace(/(\.\d+)?Z$/, '').split('T')
  if (day === now.slice(0, 10)) return time
  return day.slice(0, 4) === now.slice(0, 4) ? `${day.slice(5)} ${time.slice(0, 5)}` : day
}

export const formatCount = (count: number): string => count.toLocaleString('en')

/** `1 entry`, `2,000 entries` */
export const pluralize = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatCount(count)} ${count === 1 ? noun : plural}`

/** Groups the digits by thousands. */
export const formatAmount = (amount: string): string => {
  const [whole = '', fraction] = amount.split('.')
  const groups = whole.replace(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? groups : `${groups}.${fraction}`
}

export const capitalize = (noun: string): string => noun.charAt(0).toUpperCase() + noun.slice(1)

/** Marks, embeddings, overrides and isolates of Unicode's bidirectional algorithm. */
const BIDI_CONTROLS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Escapes invisible characters that could reorder the surrounding text. */
export const escapeBidi = (text: string): string => text.replace(BIDI_CONTROLS, toUnicodeEscapes)
