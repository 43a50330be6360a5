import type { Sandbox as Core } from './sandbox.js'

const cores = new WeakMap<object, Core>()

/** Lets the command line find what a sandbox of the library is made of. */
export const registerCore = <T extends object>(sandbox: T, core: Core): T => {
  cores.set(sandbox, core)
  return sandbox
}

/** All worlds of a sandbox, which its own interface does not show. */
export const internalsOf = (sandbox: object): Core => {
  const core = cores.get(sandbox)
  if (!core) throw new Error('a sandbox that createSandbox has not made')
  return core
}
