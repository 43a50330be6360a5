// Cost of the console: time of its pages in large worlds, and of 90 viewers who follow a busy one.

import { listPages } from './console-pages.js'
import { load, median, startSandramp, stopServer } from './processes.js'
import { fund, post } from './requests.js'

const LARGE = 10_000
const HUGE = 100_000
const DRAWINGS = 9
const VIEWERS = 90
const ROUNDS = 5
const SECONDS = 4

/**
 * Measures the slowest page at 10,000 payouts and at 100,000, and in another sandbox milliseconds of a live update and
 * requests per second of the service beside 90 viewers as a share of those without: they make many more payouts.
 */
export const benchConsole = async () => {
  const pages = await inSandbox(async (server) => {
    const large = await findSlowestPage(server.url)
    await fill(server, HUGE)
    return { large, huge: await findSlowestPage(server.url) }
  })
  return { ...pages, ...(await inSandbox(watch)) }
}

/** With 10,000 payouts. */
const inSandbox = async (measure) => {
  const server = await startSandramp('--clock', 'manual')
  try {
    await fund(server.url)
    await fill(server, LARGE)
    return await measure(server)
  } finally {
    await stopServer(server)
  }
}

const fill = async ({ url, port }, payouts) => {
  while ((await newestPayout(url)).total < payouts)
    await load({ ...post, port, connections: 32, seconds: 1 })
}

const readJson = async (url) => (await fetch(url)).json()

const newestPayout = async (url) => {
  const { items, pagination } = await readJson(`${url}/_sandbox/payouts?size=1`)
  return { payout: items[0], total: pagination.total_elements }
}

const findSlowestPage = async (url) => {
  const { payout } = await newestPayout(url)
  const [request] = (await readJson(`${url}/_sandbox/requests?size=1`)).items
  const pages = []
  for (const path of listPages(payout, request))
    pages.push({ path, ms: await timeDrawing(`${url}${path}`) })
  return pages.reduce((slowest, page) => (page.ms > slowest.ms ? page : slowest))
}

const timeDrawing = async (url) => {
  const times = []
  for (let i = 0; i < DRAWINGS; i++) {
    const began = performance.now()
    await (await fetch(url)).text()
    times.push(performance.now() - began)
  }
  return median(times)
}

/** Requests per second with viewers as a share of those without, in turns. */
const watch = async ({ url, port }) => {
  const options = { ...post, port, connections: 32, seconds: SECONDS }
  const ratios = []
  const updates = []
  for (let round = 0; round < ROUNDS; round++) {
    const { per_second: without } = await load(options)
    const ending = new AbortController()
    const viewers = Array.from({ length: VIEWERS }, () => follow(url, ending.signal))
    const { per_second: beside } = await load(options)
    updates.push(await timeUpdates(url))
    ending.abort()
    await Promise.all(viewers)
    ratios.push(beside / without)
  }
  return { share: median(ratios), update_ms: median(updates) }
}

/** Returns the id of the page that the viewer has then. */
const refresh = async (url, signal, id = 'none') => {
  const headers = { 'hx-request': 'true', 'hx-trigger': 'refresh', 'x-page-id': id }
  const response = await fetch(url, { headers, signal })
  await response.text()
  return response.headers.get('x-page-id')
}

/** Milliseconds a viewer, when all of them update at once. */
const timeUpdates = async (url) => {
  const began = performance.now()
  await Promise.all(Array.from({ length: VIEWERS }, () => refresh(url)))
  return (performance.now() - began) / VIEWERS
}

/** Follows Activity as the page's script does: one update at a time, after each event. */
const follow = async (url, signal) => {
  try {
    const stream = await fetch(`${url}/console/live`, { signal })
    let id
    for await (const event of stream.body)
      if (Buffer.from(event).includes('event: tick')) id = await refresh(url, signal, id)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}
