/** A regular expression made ready: tells whether a text holds a match. Linear in the text's length. */
export type Pattern = (text: string) => boolean
type Compiler = (pattern: string) => Pattern

export const MAX_PATTERN = 200
/** No more of a text is looked at than this. */
const MAX_TEXT = 1_000

/** So many patterns are kept ready at most: anybody may post new ones. */
const MAX_COMPILED = 1_000

let compile: Compiler | undefined
const ready = new Map<string, Pattern>()

/** Brings the engine, which is large: it comes with the first scenario that is read, not with the start. */
export const installRegexEngine = (engine: Compiler): void => {
  compile = engine
}

export const isPattern = (pattern: string): boolean => {
  try {
    return pattern.length <= MAX_PATTERN && compilePattern(pattern) !== undefined
  } catch {
    return false
  }
}

/** Makes a pattern ready, once. Throws when it is none. */
export const compilePattern = (pattern: string): Pattern => {
  const known = ready.get(pattern)
  if (known) return known
  if (!compile) throw new Error('a pattern is there before its engine')
  const matches = compile(pattern)
  const bounded: Pattern = (text) => matches(text.slice(0, MAX_TEXT))
  if (ready.size >= MAX_COMPILED) ready.clear()
  ready.set(pattern, bounded)
  return bounded
}
