// The parts of a page marked data-live are drawn anew when there is news.

import { MAX_INSTANT } from '../../kernel/time.ts'
import { formatDuration } from '../format.ts'
import { fieldsIn, isChanged } from './fields.js'
import { isHeldIn } from './htmx.js'
import { nameOfControl } from './naming.js'
import { tellGone } from './telling.js'

const REST_MS = 400
const MOST_REST_MS = 5_000
const OTHERS_MS = 2_000

/** When the clock at the top came. */
let drawnAt = performance.now()
let isStale = false
let restUntil = 0
let asking
/** Parts as they last came: one that comes again unchanged is left alone. */
const came = new Map()

/** What the page shows is not how things are. */
export function outdate() {
  isStale = true
  draw()
}

/** What was asked for before an action is out of date when the action is done. */
export function dropAnswer() {
  asking?.abort()
  isStale = true
}

/** All parts have just come anew. */
export function startOver() {
  drawnAt = performance.now()
  came.clear()
}

/** Asks for the page once more, and exchanges the parts that show what happens. */
async function draw() {
  if (!isStale || asking || document.hidden || performance.now() < restUntil) return
  isStale = false
  const began = performance.now()
  asking = new AbortController()
  try {
    const answer = await fetch(location.href, {
      headers: { 'x-live': '1' },
      signal: asking.signal,
    })
    const text = await answer.text()
    if (asking.signal.aborted) return
    if (document.querySelector('main [data-live]')) tellGone(answer.status === 404)
    exchange(new DOMParser().parseFromString(text, 'text/html'))
  } catch {
    // The stream tells when the sandbox is there again.
    isStale = true
  } finally {
    asking = undefined
    // A page that takes long to draw is drawn more rarely: whoever looks must not slow down the rest.
    const rest_ms = Math.min(20 * (performance.now() - began), MOST_REST_MS)
    restUntil = performance.now() + Math.max(REST_MS, rest_ms)
  }
}

setInterval(draw, 150)

// The stream tells of the page's own world alone.
if (document.querySelector('[data-live="others"]')) {
  setInterval(() => {
    isStale = true
  }, OTHERS_MS)
}

function exchange(page) {
  const focus = focused()
  const known = rows()
  for (const part of document.querySelectorAll('[data-live]')) {
    const next = page.getElementById(part.id)
    if (!next || came.get(part.id) === next.outerHTML) continue
    if (isBusy(part)) isStale = true
    else {
      came.set(part.id, next.outerHTML)
      part.replaceWith(next)
      if (part.id === 'clock') drawnAt = performance.now()
      window.htmx?.process(next)
    }
  }
  focus?.()
  light(known)
}

/** Whether somebody is at work in a part of the page, which then stays as it is. */
function isBusy(part) {
  const selection = getSelection()
  if (selection && !selection.isCollapsed && part.contains(selection.anchorNode)) return true
  // A press is a click only if what was pressed is still there when it is let go.
  if (isHeldIn(part) || part.matches(':active') || part.querySelector('details[open]')) return true
  return fieldsIn(part).some((field) => field === document.activeElement || isChanged(field))
}

const CONTROLS = 'a[href], button, summary, [tabindex]'

/**
 * What gives the focus back, when its part of the page was exchanged: to the same control or, where that is
 * gone, to the part. Another control would be pressed by whoever is about to press the first.
 */
function focused() {
  const it = document.activeElement
  const part = it?.closest('[data-live]')
  if (!part) return undefined
  const name = nameOfControl(it)
  const alike = (within) =>
    [...within.querySelectorAll(CONTROLS)].filter((other) => nameOfControl(other) === name)
  const place = alike(part).indexOf(it)
  return () => {
    if (document.activeElement !== document.body) return
    const next = document.getElementById(part.id)
    const found = next && alike(next)
    const again = found?.[Math.min(place, found.length - 1)]
    if (again && !again.disabled) again.focus({ preventScroll: true })
    else focusPart(next)
  }
}

function focusPart(part) {
  part?.setAttribute('tabindex', '-1')
  part?.focus({ preventScroll: true })
}

const rowKey = (row) => row.querySelector('a[href]')?.getAttribute('href') ?? row.textContent
const allRows = () => [...document.querySelectorAll('main [data-live] :is(tbody tr, .entries li)')]

function rows() {
  return new Set(allRows().map(rowKey))
}

/** Rows that were not there before. */
function light(known) {
  for (const row of allRows()) if (!known.has(rowKey(row))) row.classList.add('fresh')
}

// The clock goes on by itself, and with it whatever tells how long something takes until then.
setInterval(() => {
  const { now: then, speed } = document.querySelector('#clock [data-now]')?.dataset ?? {}
  if (!Number(speed)) return
  const now = Math.min(Number(then) + (performance.now() - drawnAt) * speed, MAX_INSTANT)
  write('[data-now]', () => new Date(now).toISOString().slice(0, 19).replace('T', ' '))
  write('[data-due]', ({ due }) =>
    formatDuration(Math.max(Math.ceil((due - now) / 1_000), 0) * 1_000),
  )
  // No entry tells of what time alone turns into something else.
  const turning = [...document.querySelectorAll('[data-turns]')]
  if (turning.some(({ dataset }) => Number(dataset.turns) <= now)) outdate()
}, 250)

function write(selector, textOf) {
  for (const it of document.querySelectorAll(selector)) {
    const text = textOf(it.dataset)
    if (it.textContent !== text) it.textContent = text
  }
}
