/** Values that differ from run to run: ids, times, addresses, references of rails, masked accounts. */
const TOKEN =
  /(?<id>[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})|(?<time>\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d))|(?<address>\b0x[0-9a-f]{40}\b|\b[0-9a-z]{6}\*{4}[0-9a-z]{4}\b|\b[1-9A-HJ-NP-Za-km-z]{26,44}\b)|(?<reference>\b\w+-\d{12}\b)|(?<account>(?<![\w*])\*{4}\d{4}\b)/gi

interface IdNormalizer {
  /** Replaces each token by its kind: `<id>`. */
  readonly mask: (text: string) => string
  /** Replaces each token by its kind and its number in order of appearance: `<id 3>`. */
  readonly number: (text: string) => string
}

/** The default of the assumption time.form. */
const USUAL_TIME = '0000-00-00T00:00:00.000Z'

/** Only the form of a time is compared. */
const maskTime = (time: string): string => {
  const form = time.replace(/\d/g, '0')
  return form === USUAL_TIME ? '<time>' : `<time ${form}>`
}

/** An EVM address without checksum case (the assumption address.case). */
const LOWER_ADDRESS = /^0x(?=.*[a-f])[0-9a-f]{40}$/

/** Numbers the tokens of one run. */
export const createIdNormalizer = (): IdNormalizer => {
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
    mask: (text) => replaceTokens(text, (kind) => `<${kind}>`),
    number: (text) =>
      replaceTokens(text, (kind, it) => (kind === 'time' ? maskTime(it) : nameOf(kind, it))),
  }
}

const replaceTokens = (text: string, name: (kind: string, token: string) => string): string =>
  text.replace(TOKEN, (token, ...more) => {
    const kinds = more.at(-1) as Readonly<Record<string, string | undefined>>
    const kind = Object.keys(kinds).find((it) => kinds[it] !== undefined) ?? 'id'
    return name(kind, token)
  })
