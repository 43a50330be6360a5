// What the console's pages do by script. Without it they can be read, and forms work as forms do.
// Things that happen in the sandbox are news; on news, the parts of a page marked data-live are drawn anew.

const REST_MS = 400
const MOST_WAIT_MS = 5_000
const OTHERS_MS = 2_000
const COPIED_MS = 1_200
const CHORD_MS = 1_500

// --- htmx comes once the page is seen: before, it would take the time that the first paint needs

const { htmx: source } = document.currentScript.dataset
let held

/** What is sent before htmx is there waits for it. */
function hold(event) {
  event.preventDefault()
  held = event
}

function release() {
  document.removeEventListener('submit', hold)
  if (!held?.target.isConnected) return
  // htmx goes by clicks when it tells which button was meant.
  if (held.submitter) held.submitter.click()
  else held.target.requestSubmit()
}

function whenSeen(act) {
  if (!PerformanceObserver.supportedEntryTypes.includes('paint')) return act()
  const observer = new PerformanceObserver(() => {
    observer.disconnect()
    act()
  })
  observer.observe({ type: 'paint', buffered: true })
}

function loadHtmx() {
  const script = document.createElement('script')
  script.src = source
  script.addEventListener('load', release)
  script.addEventListener('error', release)
  document.head.append(script)
}

document.addEventListener('submit', hold)
// htmx looks at a page that is complete, or waits for one that is not parsed yet; there is nothing between.
addEventListener('load', () => whenSeen(loadHtmx))

// --- The way to where one is

const here = document.querySelector('.pages [aria-current]')
const menu = here?.closest('nav')
if (menu) menu.scrollLeft = here.offsetLeft - menu.clientWidth / 2

// --- Copying

document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('[data-copy]')
  if (!button) return
  await copy(button.dataset.copy)
  button.classList.add('copied')
  say(`Copied ${button.dataset.copy.slice(0, 80)}`)
  setTimeout(() => button.classList.remove('copied'), COPIED_MS)
})

/** The clipboard is only there on a secure page: elsewhere a field that is selected does. */
async function copy(text) {
  if (navigator.clipboard) return navigator.clipboard.writeText(text).catch(() => {})
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  const focused = document.activeElement
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
  focused?.focus()
}

const speaker = document.createElement('p')
speaker.className = 'unseen'
speaker.setAttribute('role', 'status')
document.body.append(speaker)

/** Tells something to those who do not see the page. */
function say(text) {
  speaker.textContent = text
}

// --- The choice of worlds closes as menus do

const closePicker = () => document.querySelector('#picker')?.removeAttribute('open')

document.addEventListener('click', ({ target }) => {
  if (!target.closest('#picker')) closePicker()
})

// --- Keys

let chord = 0
const paths = new Map(
  [...document.querySelectorAll('[data-key]')].map((it) => [it.dataset.key, it.dataset.path]),
)

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closePicker()
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  const { target, key } = event
  if (target.closest('input, select, textarea')) {
    if (key === 'Escape') target.blur()
    return
  }
  if (document.querySelector('dialog[open]')) return
  const isChord = performance.now() < chord
  chord = 0
  if (isChord && paths.has(key)) location.assign(paths.get(key))
  else if (key === 'g') chord = performance.now() + CHORD_MS
  else if (key === '?') help()
  else if (key === '/') search()
  else if (key === 'j' || key === 'k') walk(key === 'j' ? 1 : -1)
  else return
  event.preventDefault()
})

document.querySelector('[data-help]')?.addEventListener('click', help)

function help() {
  document.querySelector('#help')?.showModal()
}

/** The search field of the page or, where it has none, the one at the top. */
function search() {
  const field =
    document.querySelector('main [data-search]') ?? document.querySelector('[data-search]')
  field?.focus()
  field?.select()
}

/** Goes to the link of the next row, or of the one before. */
function walk(step) {
  const links = [
    ...document.querySelectorAll('main tbody tr, main .entries li, main .scenarios > li'),
  ]
    .map((row) => row.querySelector('a'))
    .filter((link) => link?.checkVisibility())
  const row = document.activeElement?.closest('tr, li')
  const at = links.findIndex((link) => link.closest('tr, li') === row)
  links[at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step]?.focus()
}

// --- The clock goes on by itself

let drawnAt = performance.now()

setInterval(() => {
  for (const it of document.querySelectorAll('[data-now]')) {
    const speed = Number(it.dataset.speed)
    if (speed === 0) continue
    const now = Number(it.dataset.now) + (performance.now() - drawnAt) * speed
    const text = new Date(now).toISOString().slice(0, 19).replace('T', ' ')
    if (it.textContent !== text) it.textContent = text
  }
}, 250)

// --- News

let { boot, state } = document.body.dataset
let stream
let retry_ms = 500
let isStale = false
let isGone = false
let restUntil = 0

const notice = document.querySelector('#connection')

function tell(text) {
  if (!notice) return
  notice.hidden = text === ''
  notice.textContent = text
}

/** Says what is still to be said when nothing new is. */
function calm() {
  tell(
    isGone
      ? 'What this page shows is not there any more: it was undone, reset, or had to make room.'
      : '',
  )
}

/** Only pages that are seen follow: browsers open few connections to one server. */
function follow() {
  if (!boot || document.hidden || stream) return
  stream = new EventSource(document.body.dataset.stream)
  stream.addEventListener('hello', ({ data }) => welcome(JSON.parse(data)))
  stream.addEventListener('tick', ({ data }) => news(data))
  stream.addEventListener('gone', () => location.reload())
  stream.addEventListener('error', lost)
}

function welcome({ boot: now, ...rest }) {
  retry_ms = 500
  const isAnother = now !== boot
  boot = now
  if (isAnother) say('The sandbox was started anew.')
  if (isAnother) {
    tell('The sandbox was started anew: what you see is its world of now.')
    setTimeout(calm, MOST_WAIT_MS)
  } else calm()
  news(JSON.stringify(rest), isAnother)
}

function lost() {
  if (!stream) return
  stream.close()
  stream = undefined
  tell('The connection to the sandbox is lost. Trying again…')
  setTimeout(follow, retry_ms)
  retry_ms = Math.min(retry_ms * 2, MOST_WAIT_MS)
}

function news(now, isAnother = false) {
  if (now === state && !isAnother) return
  state = now
  isStale = true
  draw()
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) {
    stream?.close()
    stream = undefined
  } else follow()
})
addEventListener('pagehide', () => {
  stream?.close()
  stream = undefined
})
addEventListener('pageshow', follow)

/** Whether somebody is at work in a part of the page, which then stays as it is. */
function isBusy(part) {
  const selection = getSelection()
  if (selection && !selection.isCollapsed && part.contains(selection.anchorNode)) return true
  if (part.querySelector('details[open]')) return true
  const fields = [...part.querySelectorAll('input:not([type=hidden]), select, textarea')]
  return fields.some((field) => field === document.activeElement || isChanged(field))
}

const isChanged = (field) =>
  field.options
    ? [...field.options].some((it) => it.selected !== it.defaultSelected && field.selectedIndex > 0)
    : field.value !== field.defaultValue

/** Parts as they last came: one that comes again unchanged is left alone. */
const came = new Map()
let asking

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
    const shows = document.querySelector('main [data-live]') !== null
    if (shows && isGone !== (answer.status === 404)) {
      isGone = !isGone
      calm()
    }
    exchange(new DOMParser().parseFromString(text, 'text/html'))
  } catch {
    // The stream tells when the sandbox is there again.
    isStale = true
  } finally {
    asking = undefined
    // A page that takes long to draw is drawn more rarely: whoever looks must not slow down the rest.
    const rest_ms = Math.min(20 * (performance.now() - began), MOST_WAIT_MS)
    restUntil = performance.now() + Math.max(REST_MS, rest_ms)
  }
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
      window.htmx?.process(next)
    }
  }
  drawnAt = performance.now()
  focus?.()
  light(known)
}

setInterval(draw, 150)

// The stream tells of the page's own world alone.
if (document.querySelector('[data-live="others"]')) {
  setInterval(() => {
    isStale = true
  }, OTHERS_MS)
}

/** What finds the focused link or button again, when its part of the page was exchanged. */
function focused() {
  const it = document.activeElement
  const part = it?.closest('[data-live]')
  if (!part) return undefined
  const name = ['href', 'data-copy', 'value', 'id'].find((attribute) => it.hasAttribute(attribute))
  const selector = name
    ? `${it.localName}[${name}="${CSS.escape(it.getAttribute(name))}"]`
    : it.localName
  const place = [...part.querySelectorAll(selector)].indexOf(it)
  return () => {
    if (document.activeElement !== document.body) return
    const found = document.getElementById(part.id)?.querySelectorAll(selector)
    found?.[Math.min(place, found.length - 1)]?.focus({ preventScroll: true })
  }
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

// --- Actions that exchange the main part of the page

/** The form that was sent last, and what had been typed into it. */
let tried

/** What was asked for before an action is out of date when the action is done. */
document.addEventListener('htmx:beforeRequest', ({ detail: { elt } }) => {
  asking?.abort()
  isStale = true
  const form = elt.closest('form')
  tried = form && {
    action: form.getAttribute('action'),
    place: formsOf(form.getAttribute('action')).indexOf(form),
    values: new FormData(form),
  }
})

document.addEventListener('htmx:afterSettle', ({ detail }) => {
  drawnAt = performance.now()
  came.clear()
  if (detail.target?.id !== 'main') return
  if (document.querySelector('#notice .error')) giveBack()
  // What an action answers with in the page itself may stand elsewhere than where it was asked for.
  document.querySelector('main .secret, main [role=alert]:not(#notice)')?.scrollIntoView()
  if (document.activeElement !== document.body) return
  document.querySelector('#notice')?.focus({ preventScroll: true })
})

function formsOf(action) {
  return [...document.querySelectorAll(`main form[action="${CSS.escape(action)}"]`)]
}

/** A form that was refused stands as it was sent, at the field that is wrong. */
function giveBack() {
  const form = tried && formsOf(tried.action)[tried.place]
  if (!form) return
  const [, wrong] = /^(\w+)[.:]/.exec(document.querySelector('#notice').textContent) ?? []
  for (const field of form.elements) {
    const isTyped = field.matches('input:not([type=hidden]), select, textarea')
    if (!isTyped || !tried.values.has(field.name)) continue
    if (field.type === 'checkbox') field.checked = true
    else field.value = tried.values.get(field.name)
    const details = field.closest('details')
    if (details) details.open = true
    if (field.name !== wrong) continue
    field.setAttribute('aria-invalid', 'true')
    field.setAttribute('aria-describedby', 'notice')
    field.focus({ preventScroll: true })
  }
}

follow()
