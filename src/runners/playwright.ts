import { test as base } from '@playwright/test'
import type { SandboxWorld } from '../index.js'
import { finishWorld, openWorld } from './test-world.js'

export { expect } from '@playwright/test'

/** `test` of Playwright with a fixture: `world`, named after the test. */
export const test = base.extend<{ world: SandboxWorld }>({
  // Playwright reads the names of other fixtures from this pattern.
  // biome-ignore lint/correctness/noEmptyPattern: it uses none
  world: async ({}, use, info) => {
    const world = await openWorld(info.title)
    await use(world)
    await finishWorld(world, info.status !== info.expectedStatus)
  },
})
