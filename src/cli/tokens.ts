/** What is drawn anew in every run: ids, times, addresses, masked ones too, references of rails. */
const TOKEN =
  /(?<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))|(?<address>\b0x[0-9a-f]{40}\b|\b[0-9a-z]{4,6}…[0-9a-z]{4}\b|\b[1-9A-HJ-NP-Za-km-z]{26,44}\b)|(?<reference>\b[A-Z]{2,}-\d{6,}\b)/gi

export interface Tokens {
  /** The text with every token told by its kind alone: `<id>`. */
  readonly blank: (text: string) => string
  /** The text with every token told by kind and number, in the order of appearance: `<id 3>`. */
  readonly numbered: (text: string) => string
}

/** Numbers the tokens of one run. Times are not numbered: they pass as they like. */
export const tokensOf = (): Tokens => {
  const numbers = new Map<string, string>()
  const counts = new Map<string, number>()
  const nameOf = (kind: string, token: string): string => {
    const known = numbers.get(token)
    if (known !== undefined) return known
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    const name = `<${kind} ${count}>`
    numbers.set(token, name)
    return name
  }
  return {
    blank: (text) => replaced(text, (kind) => `<${kind}>`),
    numbered: (text) =>
      replaced(text, (kind, it) => (kind === 'time' ? '<time>' : nameOf(kind, it))),
  }
}

const replaced = (text: string, name: (kind: string, token: string) => string): string =>
  text.replace(TOKEN, (token, ...more) => {
    const kinds = more.at(-1) as Readonly<Record<string, string | undefined>>
    const kind = Object.keys(kinds).find((it) => kinds[it] !== undefined) ?? 'id'
    return name(kind, token.toLowerCase())
  })
