/** Tests that need processes, real ports for all, a browser, Postgres, disks with faults, or the built package. */
export const SLOW_TESTS = [
  'test/browser/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/http/connection-limits.test.ts',
  'test/kit/**/*.test.ts',
  'test/package/**/*.test.ts',
  'test/persistence/**/*.test.ts',
  'test/readme/pages.test.ts',
  'test/scenarios/three-clients.test.ts',
]
