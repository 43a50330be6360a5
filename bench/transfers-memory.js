// Prints how many MiB 100,000 transfers take. Run it with --expose-gc.
import { createSandbox } from '../dist/index.js'
import { startTransfers } from './requests.js'

const TRANSFERS = 100_000

const sandbox = await createSandbox({ clock: 'manual', seed: 'bench' })
const before = memory()
await startTransfers(sandbox, TRANSFERS)
await sandbox.defaultWorld.advance({ until: 'idle' })
const after = memory()
await sandbox.defaultWorld.expect({ transfers: {}, count: TRANSFERS })
console.log((after - before) / 2 ** 20)

function memory() {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
