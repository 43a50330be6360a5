import { registerScenarios } from '../../runtime/sandbox-internals.js'
import { openScenarios } from '../../scenarios/language/bundled.js'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'

/** Reads scenarios once for all sandboxes that get this list: a pipe cannot be read again. */
export const readScenarios = (namesOrFiles: readonly string[]): readonly Scenario[] =>
  registerScenarios(namesOrFiles, openScenarios(namesOrFiles))
