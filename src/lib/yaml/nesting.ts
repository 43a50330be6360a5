/** How many levels may be in one another of what is walked down to its leaves. */
export const MAX_NESTING = 64
export const TOO_DEEP = `too many levels of nesting. Expected at most ${MAX_NESTING}.`

const SPACE = 32
const TAB = 9

const isBlank = (code: number): boolean => code === SPACE || code === TAB

/**
 * True if a YAML text may nest deeper than this many levels. One pass counts brackets that are open at
 * once, and indents inside one another, those of `- - -` on a line too. Parsers recurse, and come too
 * close to the end of the stack with a text that means harm. Brackets inside quotes count too, so `levels`
 * has to be more than anybody needs.
 */
export const mayNestDeeper = (text: string, levels: number): boolean => {
  const columns: number[] = []
  let open = 0
  for (let start = 0; start < text.length; ) {
    const end = text.indexOf('\n', start)
    const stop = end < 0 ? text.length : end
    const from = indent(text, start, stop, columns, levels)
    for (let i = from; i < stop; i++) {
      const char = text.charAt(i)
      if (char === '[' || char === '{') open++
      else if (char === ']' || char === '}') open = Math.max(0, open - 1)
      if (open > levels) return true
    }
    if (columns.length > levels) return true
    start = stop + 1
  }
  return false
}

/** Takes in where a line begins and what its first characters open; answers where the rest of it begins. */
const indent = (
  text: string,
  start: number,
  stop: number,
  columns: number[],
  levels: number,
): number => {
  let at = start
  const skipBlanks = () => {
    while (at < stop && isBlank(text.charCodeAt(at))) at++
  }
  skipBlanks()
  if (at === stop) return stop
  while ((columns.at(-1) ?? -1) >= at - start) columns.pop()
  columns.push(at - start)
  while (columns.length <= levels && '-?:'.includes(text.charAt(at))) {
    if (!isBlank(text.charCodeAt(at + 1))) break
    at++
    skipBlanks()
    columns.push(at - start)
  }
  return at
}
