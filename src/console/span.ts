const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const

/** A span of time in its two largest units. */
export const span = (ms: number): string => {
  const parts: string[] = []
  let rest = ms
  for (const [unit, size] of UNITS) {
    const count = Math.floor(rest / size)
    if (count > 0) parts.push(`${count} ${unit}`)
    rest -= count * size
    if (parts.length === 2) break
  }
  return parts.join(' ') || (ms > 0 ? `${ms} ms` : '0 s')
}
