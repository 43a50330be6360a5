import { distance } from 'fastest-levenshtein'

/** The word that looks most like what was given, or the only one that it begins; undefined when none comes near. */
export const closestMatch = (given: string, words: readonly string[]): string | undefined => {
  const most = Math.max(2, Math.floor(given.length / 3))
  let best: { word: string; edits: number } | undefined
  for (const word of words) {
    // So many letters would have to go or to come at least. What is given may be as long as a body.
    if (Math.abs(given.length - word.length) > most) continue
    const edits = distance(given.toLowerCase(), word.toLowerCase())
    if (edits <= most && edits < (best?.edits ?? Number.POSITIVE_INFINITY)) best = { word, edits }
  }
  return best?.word ?? isAbbreviation(given, words)
}

/** So few letters begin too much. */
const MIN_PREFIX = 4
/** And nobody names a word by so many. */
const MAX_PREFIX = 64

const isAbbreviation = (given: string, words: readonly string[]): string | undefined => {
  if (given.length < MIN_PREFIX || given.length > MAX_PREFIX) return undefined
  const beginning = given.toLowerCase()
  const [word, ...others] = words.filter((it) => it.toLowerCase().startsWith(beginning))
  return others.length === 0 ? word : undefined
}

/** The same as the end of a refusal; empty when none comes near. */
export const didYouMean = (given: string, words: readonly string[]): string => {
  const near = closestMatch(given, words)
  return near === undefined || near === given ? '' : `; did you mean ${near}?`
}
