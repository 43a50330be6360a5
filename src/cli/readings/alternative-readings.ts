import { RISKS, type Risk } from '../../assumptions/register/risks.js'
import type { Sandbox } from '../../index.js'

/** An item of `GET /_sandbox/assumptions`. */
export interface AssumptionView {
  readonly id: string
  readonly question: string
  readonly readings: readonly { readonly name: string; readonly description: string }[]
  readonly active: string
  readonly risk: Risk
  readonly hits: number
  readonly settled: unknown
}

/** A reading that the first run did not use. */
export interface Alternative {
  readonly id: string
  readonly reading: string
  readonly description: string
  readonly question: string
  readonly risk: Risk
}

export const readAssumptions = async ({ fetch }: Sandbox): Promise<AssumptionView[]> => {
  const answer = await fetch('/_sandbox/assumptions?worlds=all&size=1000')
  const { items } = (await answer.json()) as { items: AssumptionView[] }
  return items
}

export const isReliedOn = ({ hits }: AssumptionView): boolean => hits > 0

/** The unused readings of unsettled assumptions, highest risk first. */
export const listAlternatives = (
  assumed: readonly AssumptionView[],
  isAll: boolean,
): Alternative[] =>
  assumed
    .filter((it) => it.settled === null && (isAll || isReliedOn(it)))
    .sort((a, b) => RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk))
    .flatMap(({ id, question, risk, readings, active }) =>
      readings
        .filter(({ name }) => name !== active)
        .map(({ name, description }) => ({ id, question, risk, reading: name, description })),
    )
