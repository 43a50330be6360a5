import type { Scenario } from '../scenarios/language/parse-scenario.js'
import type { Sandbox as Core } from './sandbox.js'

const cores = new WeakMap<object, Core>()

/** Gives the command line the core of a library sandbox. */
export const registerCore = <T extends object>(sandbox: T, core: Core): T => {
  cores.set(sandbox, core)
  return sandbox
}

/** The core, which the public interface does not expose. */
export const coreOf = (sandbox: object): Core => {
  const core = cores.get(sandbox)
  if (!core) throw new Error('not a sandbox of createSandbox')
  return core
}

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
