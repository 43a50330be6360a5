// Time of the console's pages in large worlds.

import { listPages } from './console-pages.js'
import { load, median, startSandramp, stopServer } from './processes.js'
import { fund, post } from './requests.js'

const LARGE = 10_000
const HUGE = 100_000
const DRAWINGS = 9

/** The slowest page at 10,000 payouts and at 100,000. */
export const benchConsole = async () => {
  const server = await startSandramp('--clock', 'manual')
  try {
    await fund(server.url)
    await fill(server, LARGE)
    const large = await findSlowestPage(server.url)
    await fill(server, HUGE)
    return { large, huge: await findSlowestPage(server.url) }
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
