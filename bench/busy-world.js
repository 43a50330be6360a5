// A sandbox whose default world has 100,000 timers due within two seconds.
import { createSandbox } from '../dist/index.js'
import { startTransfers } from './requests.js'

const TIMERS = 100_000

const sandbox = await createSandbox({ clock: 'manual', seed: 'bench' })
await startTransfers(sandbox, TIMERS)
const { url } = await sandbox.listen({ port: 0 })
console.log(`sandbox listening on ${new URL(url).origin}`)
