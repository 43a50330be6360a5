// A sandbox whose default world has 100,000 timers due within two seconds.
import { createSandbox } from '../dist/index.js'

const TIMERS = 100_000
const input = {
  user_id: '11111111-1111-4111-8111-000000000001',
  account_id: '22222222-2222-4222-8222-000000000001',
  source_currency: 'USD',
  source_amount: '100.00',
}

const sandbox = await createSandbox({ clock: 'manual', seed: 'bench' })
for (let i = 0; i < TIMERS; i++) sandbox.run('transfer.start', input)
const { url } = await sandbox.listen({ port: 0 })
console.log(`sandbox listening on ${new URL(url).origin}`)
