// Prints the processor time of calls through sandbox.fetch, in µs, and the milliseconds of a second createSandbox.
import { createSandbox } from '../dist/index.js'
import { median } from './processes.js'
import { get, payoutOf, post } from './requests.js'

const ROUNDS = 7
const CALLS = 5_000

const sandbox = await createSandbox({ clock: 'manual', seed: 'bench' })
const { user_id, currency } = payoutOf('')
await sandbox.defaultWorld.credit(user_id, '9000000000000.00', currency)

const read = () => sandbox.fetch(get.path, { headers: get.headers })
const pay = () =>
  sandbox.fetch(post.path, {
    method: 'POST',
    headers: post.headers,
    body: JSON.stringify(payoutOf(crypto.randomUUID())),
  })

const result = { get_us: await cost(read), post_us: await cost(pay), again_ms: await startAgain() }
console.log(JSON.stringify(result))

async function cost(call) {
  const rounds = []
  for (let round = 0; round <= ROUNDS; round++) {
    const before = process.cpuUsage()
    for (let i = 0; i < CALLS; i++) {
      const response = await call()
      if (!response.ok) throw new Error(await response.text())
      await response.text()
    }
    const { user, system } = process.cpuUsage(before)
    rounds.push((user + system) / CALLS)
  }
  // The first round compiles.
  return median(rounds.slice(1))
}

async function startAgain() {
  const rounds = []
  for (let round = 0; round < ROUNDS; round++) {
    const before = performance.now()
    const other = await createSandbox({ clock: 'manual', seed: 'bench' })
    rounds.push(performance.now() - before)
    await other.close()
  }
  return median(rounds)
}
