// A sandbox whose default world has 100,000 timers due within two seconds.
import { createSandbox } from '../dist/index.js'
import { transfer } from './requests.js'

const TIMERS = 100_000

const sandbox = await createSandbox({ clock: 'manual', seed: 'bench' })
for (let i = 0; i < TIMERS; i++) sandbox.run('transfer.start', transfer)
const { url } = await sandbox.listen({ port: 0 })
console.log(`sandbox listening on ${new URL(url).origin}`)
