import { join } from 'node:path'
import { load, median, root, startServer, stopServer } from './processes.js'

const ROUNDS = 3
const SECONDS = 4
const request = {
  method: 'GET',
  path: '/onboarding/api/v1/users/all',
  headers: { 'x-api-key': 'SandboxWorldOfANeighbour00000001' },
  connections: 32,
  seconds: SECONDS,
}

/** p99 of GET in one world while another one advances over 100,000 timers, as a multiple of before. */
export const benchNeighbour = async () => {
  const ratios = []
  for (let round = 0; round < ROUNDS; round++) ratios.push(await measure())
  return median(ratios)
}

const measure = async () => {
  const server = await startServer([join(root, 'bench', 'busy-world.js')])
  const loaded = { ...request, port: server.port }
  await load({ ...loaded, seconds: 1 })
  const quiet = await load(loaded)
  const running = load(loaded)
  const advance = await fetch(`${server.url}/_sandbox/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"by":"2s"}',
  })
  if (!advance.ok) throw new Error(await advance.text())
  const busy = await running
  await stopServer(server)
  return busy.p99_ms / quiet.p99_ms
}
