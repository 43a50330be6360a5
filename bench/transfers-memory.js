// Prints how many MiB 100,000 transfers take. Run it with --expose-gc.
import { createSandbox } from '../dist/index.js'
import { transfer } from './requests.js'

const TRANSFERS = 100_000

const sandbox = await createSandbox({ clock: 'manual', seed: 'bench' })
const before = memory()
for (let i = 0; i < TRANSFERS; i++) sandbox.run('transfer.start', transfer)
sandbox.advance({ until: 'idle' })
const after = memory()
if (sandbox.tables.transfers.size < TRANSFERS) throw new Error('transfers are missing')
console.log((after - before) / 2 ** 20)

function memory() {
  globalThis.gc()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}
