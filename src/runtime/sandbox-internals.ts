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
