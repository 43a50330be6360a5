import { test as base, type TestAPI } from 'vitest'
import type { SandboxWorld } from '../index.js'
import { finishWorld, openWorld } from './test-world.js'

export { expect } from 'vitest'
export { configure } from './test-world.js'

/** `test` of Vitest with a fixture: `world`, named after the test. */
export const test: TestAPI<{ world: SandboxWorld }> = base.extend<{ world: SandboxWorld }>({
  world: async ({ task }, use) => {
    const world = await openWorld(task.name)
    await use(world)
    await finishWorld(world, task.result?.state === 'fail')
  },
})
