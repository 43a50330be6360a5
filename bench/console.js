// Cost of the console: time until a page is painted, and throughput of the service while a page follows a busy world.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { setTimeout } from 'node:timers/promises'
import { importSource } from '../scripts/import-source.js'
import { load, median, startSandramp, stopServer } from './processes.js'
import { fund, post } from './requests.js'

const USER = '11111111-1111-4111-8111-000000000001'
const ACCOUNT = '22222222-2222-4222-8222-000000000001'
const TRANSFERS = 100_000
const PAINTS = 15
const ROUNDS = 15
const SECONDS = 1
/** The page's script waits this long between two refreshes. */
const REST_MS = 400
const MOST_REST_MS = 5_000
/** Upper limit for painting a page, on a slow machine too. */
const PAINTED_MS = 500
/** Time for Chromium to draw its own part of a new tab, which takes both cores. */
const OPENED_MS = 2_000

const { launchChromium, noChromium } = await importSource('test/support/chromium.ts')

/**
 * Measures a world of 100,000 transfers that wait for timers: size of the overview, milliseconds until a
 * browser paints it, and requests per second of the service with a page open as a share of those
 * without. `paints` is undefined without a browser.
 */
export const benchConsole = async () => {
  const server = await startSandramp('--clock', 'manual')
  try {
    await fund(server.url)
    await fill(server)
    const overview = await (await fetch(server.url)).text()
    const one = await firstTransfer(server.url)
    return {
      overview_kib: Buffer.byteLength(overview) / 1_024,
      transfer_ms: await drawn(`${server.url}/transfers/${one}`),
      paints: noChromium ? undefined : await paints(server.url),
      share: await shareWithPage(server),
    }
  } finally {
    await stopServer(server)
  }
}

/** Fills a world through the control API, with as many parallel requests as it can serve. */
const fill = async ({ url, port }) => {
  const request = {
    method: 'POST',
    path: '/_sandbox/transfers',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      user_id: USER,
      account_id: ACCOUNT,
      source_currency: 'USD',
      source_amount: '100.00',
    }),
  }
  while ((await countOf(url)) < TRANSFERS)
    await load({ ...request, port, connections: 32, seconds: 4 })
}

const countOf = async (url) => {
  const answer = await fetch(`${url}/_sandbox/transfers?size=1`)
  return (await answer.json()).pagination.total_elements
}

const firstTransfer = async (url) => {
  const { items } = await (await fetch(`${url}/_sandbox/transfers?size=1`)).json()
  return items[0].id
}

/** Milliseconds to render a page, without a browser. */
const drawn = async (url) => {
  const times = []
  for (let i = 0; i < PAINTS; i++) {
    const began = performance.now()
    await (await fetch(url)).text()
    times.push(performance.now() - began)
  }
  return median(times)
}

/**
 * Milliseconds from the end of a response to its first paint: from page to page, in a new tab of a browser
 * that has the sandbox cached, and as the first page of a new profile with an empty cache. `scale` holds
 * the same figures for a page of one word.
 */
const paints = async (url) => {
  const word = await serveWord()
  const browser = await launchChromium()
  try {
    const ours = await painter(browser, url)
    const least = await painter(browser, word.url)
    const turns = []
    for (let i = 0; i < PAINTS; i++) turns.push({ ours: await ours(), least: await least() })
    return {
      ...medians(turns.map((turn) => turn.ours)),
      scale: medians(turns.map((turn) => turn.least)),
    }
  } finally {
    await browser.close()
    word.close()
  }
}

const medians = (turns) => ({
  next_ms: median(turns.map(({ next }) => next)),
  tab_ms: median(turns.map(({ tab }) => tab)),
  new_ms: median(turns.map(({ fresh }) => fresh)),
})

/** Serves the smallest page that can be painted. */
const serveWord = async () => {
  const server = createServer((_, answer) => {
    answer
      .writeHead(200, { 'content-type': 'text/html' })
      .end('<!DOCTYPE html><title>-</title>word')
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => server.close(),
  }
}

/** Returns functions that paint a page in a used tab, in a new tab and in a new profile. */
const painter = async (browser, url) => {
  const known = await browser.newContext()
  const page = await known.newPage()
  await paint(page, url)
  return async () => ({
    next: await paint(page, url),
    tab: await paintInTab(known, url),
    fresh: await paintInProfile(browser, url),
  })
}

const paintInTab = async (context, url) => {
  const page = await context.newPage()
  await setTimeout(OPENED_MS)
  const ms = await paint(page, url)
  await page.close()
  return ms
}

const paintInProfile = async (browser, url) => {
  const context = await browser.newContext()
  const ms = await paintInTab(context, url)
  await context.close()
  return ms
}

const paint = async (page, url) => {
  await page.goto(url)
  // Playwright injects a large script into a page on the first query, so do not query before the paint.
  await setTimeout(PAINTED_MS)
  return page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const [answer] = performance.getEntriesByType('navigation')
    return Math.max(paint.startTime - answer.responseEnd, 0)
  })
}

/**
 * Requests per second with and without an open page, in turns. The page is simulated: a browser would take
 * its own share of this machine.
 */
const shareWithPage = async ({ url, port }) => {
  const options = { ...post, port, connections: 32, seconds: SECONDS }
  await load(options)
  const ratios = []
  for (let round = 0; round < ROUNDS; round++) {
    const { per_second: without } = await load(options)
    const page = openPage(url)
    const { per_second: looked } = await load(options)
    await page.close()
    ratios.push(looked / without)
  }
  return median(ratios)
}

/** Follows the overview as the page's script does: refreshes on news, then rests. */
const openPage = (url) => {
  const ending = new AbortController()
  const following = follow(url, ending.signal).catch((error) => {
    if (!ending.signal.aborted) throw error
  })
  return {
    close: () => {
      ending.abort()
      return following
    },
  }
}

const follow = async (url, signal) => {
  const stream = await fetch(`${url}/console/live`, { signal })
  let isStale = true
  const looking = async () => {
    while (!signal.aborted) {
      const began = performance.now()
      if (isStale) {
        isStale = false
        await (await fetch(url, { headers: { 'x-live': '1' }, signal })).text()
      }
      const rest = Math.min(20 * (performance.now() - began), MOST_REST_MS)
      await setTimeout(Math.max(REST_MS, rest))
    }
  }
  const reading = async () => {
    for await (const _ of stream.body) isStale = true
  }
  await Promise.all([looking(), reading()])
}
