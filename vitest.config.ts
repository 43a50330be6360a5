import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'src/**/*.test.tsx', 'test/**/*.test.ts'],
    // Test files share nothing that one could spoil for another, so that modules load once for each worker.
    isolate: false,
    maxWorkers: '100%',
    // No test is timed: this only ends one that hangs, on a slow machine too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
