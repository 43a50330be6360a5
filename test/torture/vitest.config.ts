import { defineConfig } from 'vitest/config'

/** `npm run torture`: TORTURE_SECONDS says for how long, 60 without it. */
export default defineConfig({
  test: {
    include: ['test/torture/torture.ts'],
    testTimeout: 3_600_000,
    hookTimeout: 120_000,
  },
})
