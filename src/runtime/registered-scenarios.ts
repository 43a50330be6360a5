import type { Scenario } from '../scenarios/language/parse-scenario.js'

const openedScenarios = new WeakMap<readonly string[], readonly Scenario[]>()

/** Sandboxes whose option is this list get these scenarios and do not read the files. */
export const registerScenarios = (
  namesOrFiles: readonly string[],
  scenarios: readonly Scenario[],
): readonly Scenario[] => {
  openedScenarios.set(namesOrFiles, scenarios)
  return scenarios
}

export const findRegisteredScenarios = (
  namesOrFiles: readonly string[],
): readonly Scenario[] | undefined => openedScenarios.get(namesOrFiles)
