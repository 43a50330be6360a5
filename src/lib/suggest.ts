import { distance } from 'fastest-levenshtein'

/** Returns the most similar word, or the only word with this beginning or ending. */
export const closestMatch = (given: string, words: readonly string[]): string | undefined => {
  const most = Math.max(2, Math.floor(given.length / 3))
  let best: { word: string; edits: number } | undefined
  for (const word of words) {
    // The length difference is a lower bound of the distance, and the input may be as long as a body.
    if (Math.abs(given.length - word.length) > most) continue
    const edits = distance(given.toLowerCase(), word.toLowerCase())
    if (edits <= most && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { word, edits }
  }
  return best?.word ?? findByPart(given, words)
}

/** Whether a name differs from a word in at most two letters, and half of its own. */
export const isMisspelling = (name: string, word: string): boolean => {
  const edits = distance(name.toLowerCase(), word.toLowerCase())
  return edits <= Math.min(2, name.length / 2)
}

const MIN_PREFIX = 4
const MAX_PREFIX = 64

const findByPart = (given: string, words: readonly string[]): string | undefined => {
  if (given.length < MIN_PREFIX || given.length > MAX_PREFIX) return undefined
  const part = given.toLowerCase()
  const [word, ...others] = words.filter(
    (it) => it.toLowerCase().startsWith(part) || it.toLowerCase().endsWith(`_${part}`),
  )
  return others.length === 0 ? word : undefined
}

const MAX_NEAREST = 3

/** The most similar names of several words: a misspelt name first, then those with a similar word. */
export const nearestMatches = (given: string, names: readonly string[]): string[] => {
  const near = closestMatch(given, names)
  const isSimilar = (name: string) => name.split('-').some((word) => isMisspelling(given, word))
  const similar = given.length < MIN_PREFIX ? [] : names.filter(isSimilar)
  return [...new Set([...(near === undefined ? [] : [near]), ...similar])].slice(0, MAX_NEAREST)
}

export const didYouMean = (given: string, words: readonly string[]): string | undefined => {
  const near = closestMatch(given, words)
  return near === undefined || near === given ? undefined : formatSuggestion([near])
}

export const formatSuggestion = (near: readonly string[]): string | undefined =>
  near.length > 0 ? `Did you mean ${near.map((it) => `"${it}"`).join(' or ')}?` : undefined
