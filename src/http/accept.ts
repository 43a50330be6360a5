/** The content type that an `accept` header likes best; the first one when it likes none, or is not there. */
export const preferred = <T extends string>(
  accept: string | undefined,
  types: readonly [T, ...T[]],
): T => {
  const wishes = (accept ?? '').split(',').map(wishOf)
  let best = { type: types[0], weight: 0 }
  for (const type of types) {
    const [exact] = wishes
      .filter(({ range }) => covers(range, type))
      .sort((a, b) => b.range.replaceAll('*', '').length - a.range.replaceAll('*', '').length)
    if (exact && exact.weight > best.weight) best = { type, weight: exact.weight }
  }
  return best.type
}

const wishOf = (text: string): { readonly range: string; readonly weight: number } => {
  const [range = '', ...parameters] = text.split(';').map((part) => part.trim().toLowerCase())
  const q = parameters.find((part) => part.startsWith('q='))
  const weight = q === undefined ? 1 : Number(q.slice(2))
  return { range, weight: Number.isFinite(weight) ? weight : 0 }
}

const covers = (range: string, type: string): boolean =>
  range === '*/*' || range === type || (range.endsWith('/*') && type.startsWith(range.slice(0, -1)))
