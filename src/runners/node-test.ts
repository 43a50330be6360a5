import { test as base, type TestContext, type TestOptions } from 'node:test'
import type { SandboxWorld } from '../index.js'
import { runInWorld } from './test-world.js'

export { configure } from './test-world.js'

type TestBody = (
  fixtures: { readonly world: SandboxWorld },
  context: TestContext,
) => void | Promise<void>

/** `test` of Node with a fixture: `world`, named after the test. */
export const test = (
  name: string,
  ...rest: [body: TestBody] | [options: TestOptions, body: TestBody]
): Promise<void> => {
  const [options, body] = rest.length === 1 ? [{}, rest[0]] : rest
  return base(name, options, (context) => runInWorld(name, (world) => body({ world }, context)))
}
