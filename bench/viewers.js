// Prints the cost of viewers who follow the console, and how long news takes to reach them, as JSON.
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { load, median, startSandramp, stopServer } from './processes.js'
import { fund, payoutOf, post } from './requests.js'

const VIEWERS = 90
const ROUNDS = 5
const SECONDS = 4
const PAGES = 20
const PAYOUTS = 2_000
const NEWS = 75
const NEWS_EVERY_MS = 200

const { url, port, child, ...server } = await startSandramp('--clock', 'manual')
await fund(url)

const send = async () => {
  const body = JSON.stringify(payoutOf(crypto.randomUUID()))
  await (await fetch(url + post.path, { ...post, body })).text()
}

/** Follows a page as its script does: one update at a time, after each event. `onUpdate` gets its start. */
const follow = async (path, signal, onUpdate) => {
  try {
    const stream = await fetch(`${url}/console/live`, { signal })
    let id = 'none'
    for await (const event of stream.body) {
      if (!Buffer.from(event).includes('event: tick')) continue
      const began = performance.now()
      const headers = { 'hx-request': 'true', 'hx-trigger': 'refresh', 'x-page-id': id }
      const response = await fetch(url + path, { headers, signal })
      await response.text()
      id = response.headers.get('x-page-id')
      onUpdate?.(began)
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

const withViewers = async (paths, work, observe = () => undefined) => {
  const ending = new AbortController()
  const viewers = paths.map((path) => follow(path, ending.signal, observe()))
  const result = await work()
  ending.abort()
  await Promise.all(viewers)
  return result
}

/** The longest that news takes to reach a viewer, when each viewer has a page of its own. */
const timeNews = async () => {
  for (let made = 0; made < PAYOUTS; made++) await send()
  const { items } = await (await fetch(`${url}/_sandbox/payouts?size=${PAGES}`)).json()
  const news = []
  const waits = []
  const observe = () => {
    let seen = 0
    return (began) => {
      const oldest = news[seen]
      while (news[seen] <= began) seen++
      if (oldest <= began) waits.push(performance.now() - oldest)
    }
  }
  const work = async () => {
    for (let i = 0; i < NEWS; i++) {
      await send()
      news.push(performance.now())
      await sleep(NEWS_EVERY_MS)
    }
  }
  const paths = items.map(({ id }) => `/payouts/${id}`)
  await withViewers(paths, work, observe)
  waits.sort((a, b) => a - b)
  return { news_ms: median(waits), worst_news_ms: waits.at(-1) }
}

/** Clock ticks of all threads of the server. */
const readTicks = async () => {
  const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(' ')
  return Number(fields[13]) + Number(fields[14])
}

/** Of its processor time, so that the load and the viewers, which need as much, do not count. */
const postsPerTick = async () => {
  const before = await readTicks()
  const { per_second } = await load({ ...post, port, connections: 32, seconds: SECONDS })
  return per_second / ((await readTicks()) - before)
}

/** Requests beside viewers of one page as a share of those without, in turns. */
const timePosts = async () => {
  const shares = []
  for (let round = 0; round < ROUNDS; round++) {
    const without = await postsPerTick()
    const paths = Array.from({ length: VIEWERS }, () => '/')
    shares.push((await withViewers(paths, postsPerTick)) / without)
  }
  return { share: median(shares) }
}

try {
  console.log(JSON.stringify({ ...(await timeNews()), ...(await timePosts()) }))
} finally {
  await stopServer({ child, ...server })
}
