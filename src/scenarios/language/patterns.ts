/** A compiled pattern. Its time is linear in the length of the text. */
type Pattern = (text: string) => boolean
type Compiler = (pattern: string) => Pattern

export const MAX_PATTERN = 200
/** Characters of a text that patterns see. */
const MAX_TEXT = 1_000

/** Limit of the cache, because clients can upload patterns. */
const MAX_COMPILED = 1_000

let compile: Compiler | undefined
const ready = new Map<string, Pattern>()

/** The engine is large, so it loads with the first scenario. */
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

/** Compiles a pattern once. Throws if it is invalid. */
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
