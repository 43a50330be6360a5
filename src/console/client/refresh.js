// Fetches the page again after a change in the sandbox and updates the parts marked data-live.

import { MAX_INSTANT } from '../../kernel/time.ts'
import { formatDuration } from '../format.ts'
import { rowKey } from './element-keys.js'
import { morph } from './morph.js'
import { showGone } from './toast.js'

const MIN_PAUSE_MS = 400
const MAX_PAUSE_MS = 5_000
const OTHER_WORLDS_MS = 2_000

/** When the clock at the top was last updated. */
let clockSetAt = performance.now()
let isStale = false
let pausedUntil = 0
let request
/** The last HTML of each part, by id. */
const latest = new Map()

export function markStale() {
  isStale = true
  refresh()
}

/** A response from before an action shows the state before it. */
export function abortRefresh() {
  request?.abort()
  isStale = true
}

/** The whole page is up to date. */
export function onPageUpdated() {
  clockSetAt = performance.now()
  latest.clear()
}

async function refresh() {
  if (!isStale || request || document.hidden || performance.now() < pausedUntil) return
  isStale = false
  const began = performance.now()
  request = new AbortController()
  try {
    const response = await fetch(location.href, {
      headers: { 'x-live': '1' },
      signal: request.signal,
    })
    const text = await response.text()
    if (request.signal.aborted) return
    if (document.querySelector('main [data-live]')) showGone(response.status === 404)
    update(new DOMParser().parseFromString(text, 'text/html'))
  } catch {
    // The event stream reports when the sandbox is back.
    isStale = true
  } finally {
    request = undefined
    // Refresh pages that take long to build less often, so that viewers do not slow down the sandbox.
    const pause_ms = Math.min(20 * (performance.now() - began), MAX_PAUSE_MS)
    pausedUntil = performance.now() + Math.max(MIN_PAUSE_MS, pause_ms)
  }
}

setInterval(refresh, 150)

// The event stream covers only the page's own world.
if (document.querySelector('[data-live="others"]')) {
  setInterval(() => {
    isStale = true
  }, OTHER_WORLDS_MS)
}

function update(page) {
  const known = new Set(rows().map(rowKey))
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = page.getElementById(part.id)
    if (!next || latest.get(part.id) === next.outerHTML) continue
    latest.set(part.id, next.outerHTML)
    for (const node of morph(part, next)) window.htmx?.process(node)
    if (part.id === 'clock') clockSetAt = performance.now()
  }
  for (const row of rows()) if (!known.has(rowKey(row))) row.classList.add('fresh')
}

const rows = () => [...document.querySelectorAll('main [data-live] :is(tbody tr, .entries li)')]

// A running clock and the times until timers advance without a request.
setInterval(() => {
  const { now: then, speed } = document.querySelector('#clock [data-now]')?.dataset ?? {}
  if (!Number(speed)) return
  const now = Math.min(Number(then) + (performance.now() - clockSetAt) * speed, MAX_INSTANT)
  write('[data-now]', () => new Date(now).toISOString().slice(0, 19).replace('T', ' '))
  write('[data-due]', ({ due }) =>
    formatDuration(Math.max(Math.ceil((due - now) / 1_000), 0) * 1_000),
  )
  // Time alone makes a key expire, without an entry in the journal.
  const turning = [...document.querySelectorAll('[data-turns]')]
  if (turning.some(({ dataset }) => Number(dataset.turns) <= now)) markStale()
}, 250)

function write(selector, format) {
  for (const element of document.querySelectorAll(selector)) {
    const text = format(element.dataset)
    if (element.textContent !== text) element.textContent = text
  }
}
