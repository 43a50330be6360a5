import { availableParallelism } from 'node:os'
import { configDefaults, defineConfig } from 'vitest/config'
import { SLOW_TESTS } from './scripts/slow-tests.js'

export default defineConfig({
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'fast',
          include: ['{src,test}/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...SLOW_TESTS],
        },
      },
      { extends: true, test: { name: 'slow', include: SLOW_TESTS } },
    ],
    // Test files share nothing that one could spoil for another, so that modules load once for each worker.
    isolate: false,
    // Some wait for browsers, disks and child processes: half as many again as there are processors.
    maxWorkers: Math.ceil(1.5 * availableParallelism()),
    // Most of what tests make is garbage at once: with more room for it, a seventh of the time is saved.
    execArgv: ['--max-semi-space-size=64'],
    // No test is timed: this only ends one that hangs, on a slow machine too.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 60_000 } },
  },
})
