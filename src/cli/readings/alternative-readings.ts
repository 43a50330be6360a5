import { assumptionIds } from '../../assumptions/ids.js'
import { compareByRisk, type Risk } from '../../assumptions/register/assumption.js'
import { AssumptionUsage } from '../../assumptions/usage.js'
import { type AssumptionView, viewAssumption } from '../../runtime/assumption-view.js'
import type { Sandbox } from '../../runtime/sandbox.js'

/** A reading that the first run did not use. */
export interface Alternative {
  readonly id: string
  readonly reading: string
  readonly description: string
  readonly question: string
  readonly risk: Risk
}

/** The readings of the default world, with the usage of all worlds. */
export const viewAssumptions = (core: Sandbox): AssumptionView[] => {
  const counts = AssumptionUsage.sum(core.worlds.list().map(({ requests }) => requests.usage))
  return assumptionIds.map((id) => viewAssumption(core, core.main, id, counts))
}

export const isReliedOn = ({ hits }: AssumptionView): boolean => hits > 0

/** The unused readings of unsettled assumptions, highest risk first. */
export const listAlternatives = (
  assumed: readonly AssumptionView[],
  isAll: boolean,
): Alternative[] =>
  assumed
    .filter((it) => !it.confirmed && (isAll || isReliedOn(it)))
    .sort(compareByRisk)
    .flatMap(({ id, question, risk, readings, active }) =>
      readings
        .filter(({ name }) => name !== active)
        .map(({ name, means }) => ({ id, question, risk, reading: name, description: means })),
    )
