import { stripVTControlCharacters } from 'node:util'

/** The command reports to its own user: a line such as `paid <customer_payout_id>` in SANDRAMP_CLAIMS. */
export interface Claim {
  readonly says: string
  /** A customer_payout_id, or the id of a world. */
  readonly about: string
}

const LINE = /^(paid|failed|refunded|passed) (\S+)$/gm

/** The last claim about each thing counts. */
export const readClaims = (text: string): Claim[] => {
  const claims = new Map<string, Claim>()
  for (const [, says = '', about = ''] of text.matchAll(LINE)) claims.set(about, { says, about })
  return [...claims.values()]
}

/** Ids, times, durations and ports differ in each run. */
const VOLATILE =
  /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}|\d{4}-\d\d-\d\dT[\d:.]+Z?|\d\d:\d\d:\d\d|\d+(?:\.\d+)? ?m?s\b|:\d{4,5}\b/gi

const linesOf = (output: string): string[] =>
  stripVTControlCharacters(output)
    .split('\n')
    .map((line) => line.replace(VOLATILE, '*').trim())
    .filter((line) => line !== '')

/** Compares with the lines that both first runs printed. */
export const compareWords = (
  output: string,
  [first, again]: readonly [string, string],
): 'same' | 'more' | 'other' => {
  const [here, one, two] = [linesOf(output), linesOf(first), linesOf(again)]
  const firm = one.filter((line) => two.includes(line))
  if (!firm.every((line) => here.includes(line))) return 'other'
  return here.length > Math.max(one.length, two.length) ? 'more' : 'same'
}
