import { readFileSync } from 'node:fs'
import { get } from 'node:http'
import { median, startBare, startSandramp, stopServer } from './processes.js'

const ROUNDS = 11
const SETTLE_MS = 3_000

/** Time from process start to the first answer, as a multiple of the bare server's, in turns. */
export const benchStart = async () => {
  const pairs = []
  for (let round = 0; round < ROUNDS; round++) {
    pairs.push({ a: await firstAnswer(startBare), b: await firstAnswer(startSandramp) })
  }
  return {
    bare_ms: median(pairs.map(({ a }) => a)),
    ours_ms: median(pairs.map(({ b }) => b)),
    ratio: median(pairs.map(({ a, b }) => b / a)),
  }
}

const firstAnswer = async (start) => {
  const began = performance.now()
  const server = await start()
  await new Promise((resolve, reject) => {
    const request = get(`${server.url}/_sandbox/health`, { agent: false }, (response) => {
      response.resume()
      response.on('end', resolve)
    })
    request.on('error', reject)
  })
  const elapsed = performance.now() - began
  // Node writes its compile cache when the process ends by itself.
  await stopServer(server, 'SIGTERM')
  return elapsed
}

/** Resident memory in MiB of a sandbox that served one request and then idled. */
export const benchIdleMemory = async () => {
  const server = await startSandramp()
  await fetch(`${server.url}/_sandbox/health`)
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS))
  const status = readFileSync(`/proc/${server.child.pid}/status`, 'utf8')
  await stopServer(server)
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024
}
