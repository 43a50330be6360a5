/**
 * What is drawn anew in every run: ids, times, addresses, masked ones too, references of rails, and the masked
 * accounts that transfers come from.
 */
const TOKEN =
  /(?<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))|(?<address>\b0x[0-9a-f]{40}\b|\b[0-9a-z]{6}\*{4}[0-9a-z]{4}\b|\b[1-9A-HJ-NP-Za-km-z]{26,44}\b)|(?<reference>\b\w+-\d{12}\b)|(?<account>(?<![\w*])\*{4}\d{4}\b)/gi

export interface Tokens {
  /** The text with every token told by its kind alone: `<id>`. */
  readonly blank: (text: string) => string
  /** The text with every token told by kind and number, in the order of appearance: `<id 3>`. */
  readonly numbered: (text: string) => string
}

/** The form of times unless they are read otherwise (time.form). */
const USUAL_TIME = '0000-00-00T00:00:00.000Z'

/** A time by its form alone: times pass as they like. */
const timeNamed = (time: string): string => {
  const form = time.replace(/\d/g, '0')
  return form === USUAL_TIME ? '<time>' : `<time ${form}>`
}

/** An address of an EVM chain that has lost the case of its letters (address.case). */
const LOWER_ADDRESS = /^0x(?=.*[a-f])[0-9a-f]{40}$/

/** Numbers the tokens of one run, and tells those that have another form than usual. */
export const createIdNormalizer = (): Tokens => {
  const numbers = new Map<string, string>()
  const counts = new Map<string, number>()
  const nameOf = (kind: string, token: string): string => {
    const same = token.toLowerCase()
    let name = numbers.get(same)
    if (name === undefined) {
      const count = (counts.get(kind) ?? 0) + 1
      counts.set(kind, count)
      name = `${kind} ${count}`
      numbers.set(same, name)
    }
    return LOWER_ADDRESS.test(token) ? `<${name} in lower case>` : `<${name}>`
  }
  return {
    blank: (text) => replaced(text, (kind) => `<${kind}>`),
    numbered: (text) =>
      replaced(text, (kind, it) => (kind === 'time' ? timeNamed(it) : nameOf(kind, it))),
  }
}

const replaced = (text: string, name: (kind: string, token: string) => string): string =>
  text.replace(TOKEN, (token, ...more) => {
    const kinds = more.at(-1) as Readonly<Record<string, string | undefined>>
    const kind = Object.keys(kinds).find((it) => kinds[it] !== undefined) ?? 'id'
    return name(kind, token)
  })
