import { RISKS, type Risk } from '../../assumptions/register/risks.js'
import type { Sandbox } from '../../index.js'

/** What a sandbox tells of an assumption after a run. */
export interface Assumed {
  readonly id: string
  readonly question: string
  readonly readings: readonly { readonly name: string; readonly description: string }[]
  readonly active: string
  readonly risk: Risk
  readonly hits: number
  readonly settled: unknown
}

/** Another reading than the one that the first run went by. */
export interface Alternative {
  readonly id: string
  readonly reading: string
  readonly description: string
  readonly question: string
  readonly risk: Risk
}

export const assumedIn = async ({ fetch }: Sandbox): Promise<Assumed[]> => {
  const answer = await fetch('/_sandbox/assumptions?worlds=all&size=1000')
  const { items } = (await answer.json()) as { items: Assumed[] }
  return items
}

export const isRelied = ({ hits }: Assumed): boolean => hits > 0

/**
 * Every other reading of what was relied on, or of all; what is settled as it was read is read so. What
 * costs most comes first.
 */
export const alternativesTo = (assumed: readonly Assumed[], isAll: boolean): Alternative[] =>
  assumed
    .filter((it) => it.settled === null && (isAll || isRelied(it)))
    .sort((a, b) => RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk))
    .flatMap(({ id, question, risk, readings, active }) =>
      readings
        .filter(({ name }) => name !== active)
        .map(({ name, description }) => ({ id, question, risk, reading: name, description })),
    )
