import { defineConfig } from 'vitest/config'

/** `npm run torture`. */
export default defineConfig({
  test: {
    include: ['test/torture/{rolling-restart,torture}.ts'],
    // They share two cores.
    fileParallelism: false,
    // The torture itself gives up on an answer that does not come.
    testTimeout: 0,
    hookTimeout: 120_000,
  },
})
