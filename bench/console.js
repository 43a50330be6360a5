// What the console costs: a page until it is seen, and the service while a page follows a busy world.
import { existsSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { chromium } from 'playwright-core'
import { load, median, startSandramp, stopServer } from './processes.js'
import { fund, post } from './requests.js'

const USER = '11111111-1111-4111-8111-000000000001'
const ACCOUNT = '22222222-2222-4222-8222-000000000001'
const TRANSFERS = 100_000
const PAINTS = 15
const ROUNDS = 15
const SECONDS = 1
/** As the script of a page rests between two looks. */
const REST_MS = 400
const MOST_REST_MS = 5_000
/** By then a page is painted, on a slow machine too. */
const PAINTED_MS = 500
/** By then Chromium has drawn its own part of a new window, which takes both cores. */
const OPENED_MS = 2_000

const path = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium'

/**
 * In a world of 100,000 transfers that wait for their timers: the overview's size, the milliseconds until a
 * browser paints it once it has come, and the service's requests per second with a page open as a share of
 * those without. `paints` is undefined where there is no browser.
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
      paints: existsSync(path) ? await paints(server.url) : undefined,
      share: await shareWithPage(server),
    }
  } finally {
    await stopServer(server)
  }
}

/** Fills a world through the control face, which is asked for as many at once as it can answer. */
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
  return items[0].id ?? items[0].transaction_id
}

/** Milliseconds in which a page is drawn, without a browser. */
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
 * Milliseconds from the end of an answer to the first paint of what is in it: as one goes from page to page,
 * and in a new window with nothing cached.
 */
const paints = async (url) => {
  const browser = await chromium.launch({
    executablePath: path,
    args: ['--no-sandbox', '--disable-gpu'],
  })
  try {
    const inNewWindow = async () => {
      const context = await browser.newContext()
      const page = await context.newPage()
      await setTimeout(OPENED_MS)
      const ms = await paint(page, url)
      await context.close()
      return ms
    }
    const page = await (await browser.newContext()).newPage()
    await paint(page, url)
    const turns = []
    for (let i = 0; i < PAINTS; i++)
      turns.push({ next: await paint(page, url), fresh: await inNewWindow() })
    return {
      next_ms: median(turns.map(({ next }) => next)),
      new_ms: median(turns.map(({ fresh }) => fresh)),
    }
  } finally {
    await browser.close()
  }
}

const paint = async (page, url) => {
  await page.goto(url)
  // Whoever asks a page something puts a large script into it: not before it is painted.
  await setTimeout(PAINTED_MS)
  return page.evaluate(() => {
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    const [answer] = performance.getEntriesByType('navigation')
    return Math.max(paint.startTime - answer.responseEnd, 0)
  })
}

/**
 * Requests per second with and without a page, in turns. The page is one without a browser: a browser would
 * take its own share of this machine, which says nothing of the service.
 */
const shareWithPage = async ({ url, port }) => {
  const options = { ...post, port, connections: 32, seconds: SECONDS }
  await load(options)
  const ratios = []
  for (let round = 0; round < ROUNDS; round++) {
    const without = await load(options)
    const page = openPage(url)
    const looked = await load(options)
    await page.close()
    ratios.push(looked / without)
  }
  return median(ratios)
}

/** Follows the overview as the script of a page does: it looks when there is news, and rests in between. */
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
