/** The content type that an `accept` header likes best; the first one when it likes none, or is not there. */
export const preferredType = <T extends string>(
  accept: string | undefined,
  types: readonly [T, ...T[]],
): T => {
  const wishes = (accept ?? '').split(',').map(parseRange)
  let best = { type: types[0], weight: 0 }
  for (const type of types) {
    const weight = parseWeight(wishes, type)
    if (weight > best.weight) best = { type, weight }
  }
  return best.type
}

/** The weight of the range that covers a type most exactly; 0 when none does. */
const parseWeight = (wishes: readonly AcceptRange[], type: string): number => {
  const [exact] = wishes
    .filter(({ range }) => covers(range, type))
    .sort((a, b) => b.range.replaceAll('*', '').length - a.range.replaceAll('*', '').length)
  return exact?.weight ?? 0
}

interface AcceptRange {
  readonly range: string
  readonly weight: number
}

const parseRange = (text: string): AcceptRange => {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((part) => part.startsWith('q='))
  const weight = q === undefined ? 1 : Number(q.slice(2))
  return { range, weight: Number.isFinite(weight) ? weight : 0 }
}

const covers = (range: string, type: string): boolean =>
  range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
