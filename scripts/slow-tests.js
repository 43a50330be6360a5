/** Tests that need processes, real ports for all, a browser, Postgres, disks with faults, the built package, or all readings at once. */
export const SLOW_TESTS = [
  'test/calibrate/any-input.test.ts',
  'test/calibrate/readings.test.ts',
  'test/browser/**/*.test.ts',
  'test/cli/**/*.test.ts',
  'test/http/connection-limits.test.ts',
  'test/kit/**/*.test.ts',
  'test/package/**/*.test.ts',
  'test/persistence/**/*.test.ts',
  'test/readme/pages.test.ts',
  'test/scenarios/three-clients.test.ts',
]
