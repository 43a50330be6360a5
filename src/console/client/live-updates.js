// An event stream reports that something changed in the world.

import { markStale } from './refresh.js'
import { showConnected, showConnection } from './toast.js'
import { afterFirstPaint } from './visibility.js'

const FIRST_RETRY_MS = 500
const MAX_RETRY_MS = 5_000

const LOST = 'Connection lost. Reconnecting…'
const TOO_MANY = 'Too many open pages and streams: this page does not update. Retrying…'

let { boot, state } = document.body.dataset
let stream
let retry_ms = FIRST_RETRY_MS

/** Only visible pages follow: browsers open few connections to one server. */
function follow() {
  if (!boot || document.hidden || stream) return
  stream = new EventSource(document.body.dataset.stream)
  stream.addEventListener('hello', ({ data }) => onHello(JSON.parse(data)))
  stream.addEventListener('tick', ({ data }) => onTick(data))
  stream.addEventListener('gone', () => location.reload())
  stream.addEventListener('error', onError)
}

function leave() {
  stream?.close()
  stream = undefined
}

function onHello({ boot: now, ...rest }) {
  retry_ms = FIRST_RETRY_MS
  const isRestarted = now !== boot
  boot = now
  if (isRestarted) {
    showConnection('The sandbox was restarted. This page shows its current world.')
    setTimeout(showConnected, MAX_RETRY_MS)
  } else showConnected()
  onTick(JSON.stringify(rest), isRestarted)
}

function onError() {
  if (!stream) return
  leave()
  if (retry_ms === FIRST_RETRY_MS) showConnection(LOST)
  findReason()
  setTimeout(follow, retry_ms)
  retry_ms = Math.min(retry_ms * 2, MAX_RETRY_MS)
}

/** A sandbox that was restarted with another token shows its sign-in page at this address. */
async function findReason() {
  const options = { method: 'HEAD', headers: { 'x-live': '1' } }
  const response = await fetch(document.body.dataset.stream, options).catch(() => undefined)
  if (response?.status === 401) location.reload()
  else if (!stream) showConnection(response?.status === 503 ? TOO_MANY : LOST)
}

function onTick(now, isRestarted = false) {
  if (now === state && !isRestarted) return
  state = now
  markStale()
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) leave()
  else follow()
})
addEventListener('pagehide', leave)
// Browsers restore a page from the back-forward cache without loading it.
addEventListener('pageshow', () => afterFirstPaint(follow))
