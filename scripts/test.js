// Runs the tests in process, or the files that the arguments name, and says at the end which it left out.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { SLOW_TESTS } from './slow-tests.js'

const vitest = fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url))
const args = process.argv.slice(2)
const isChosen = args.some((it) => !it.startsWith('-'))
const fast = isChosen ? [] : ['--project', 'fast']
const { status } = spawnSync(process.execPath, [vitest, 'run', ...fast, ...args], {
  stdio: 'inherit',
})
if (!isChosen) {
  const rooms = SLOW_TESTS.map((it) => it.replace('/**/*.test.ts', ''))
  console.log(`Left out: ${rooms.join(' ')}`)
  console.log(
    'They need processes, ports, a browser or Postgres. To run all tests: npm run test:all',
  )
}
process.exitCode = status ?? 1
