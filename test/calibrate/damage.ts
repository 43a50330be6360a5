import type { Entry, Random } from './recorded-service.js'

export interface Damage {
  /** The part of the entries that is missing. */
  readonly drop?: number
  /** The part of the answers that is cut, and twice that of the requests. */
  readonly cut?: number
  /** By how much the clock is off. */
  readonly skew?: number
  readonly shuffle?: boolean
}

const cutText = (text: string, random: Random) => text.slice(0, Math.floor(text.length * random()))

/** A recording as it may be in practice. */
export const damage = (
  entries: readonly Entry[],
  random: Random,
  { drop = 0, cut = 0, skew = 0, shuffle = false }: Damage,
): Entry[] => {
  const kept = structuredClone(entries.filter(() => random() >= drop)) as Entry[]
  for (const entry of kept) {
    const { content } = entry.response
    const { postData } = entry.request
    entry.startedDateTime = new Date(Date.parse(entry.startedDateTime) + skew).toISOString()
    if (random() < cut) content.text = cutText(content.text, random)
    if (postData && random() < cut / 2) postData.text = cutText(postData.text, random)
  }
  if (!shuffle) return kept
  return kept
    .map((entry) => ({ entry, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => entry)
}
