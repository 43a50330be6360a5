import { test as base } from '@playwright/test'
import type { SandboxWorld } from '../index.js'
import { configure, finishWorld, type KitOptions, openWorld } from './test-world.js'

export { expect } from '@playwright/test'

/** `test` of Playwright with a fixture: `world`, named after the test. `test.use({ sandbox: { cors } })` sets options. */
export const test = base.extend<{ world: SandboxWorld }, { sandbox: KitOptions }>({
  sandbox: [{}, { option: true, scope: 'worker' }],
  world: async ({ sandbox }, use, info) => {
    configure(sandbox)
    const world = await openWorld(info.title)
    await use(world)
    await finishWorld(world, info.status !== info.expectedStatus)
  },
})
