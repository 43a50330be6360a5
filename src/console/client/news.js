// Things that happen in the sandbox are news: a stream tells that there are some.

import { outdate } from './drawing.js'
import { whenSeen } from './seen.js'
import { calm, tell } from './telling.js'

const FIRST_RETRY_MS = 500
const MOST_WAIT_MS = 5_000

const LOST = 'Connection lost. Reconnecting…'
const TOO_MANY = 'Too many open pages and streams: this page does not update. Retrying…'

let { boot, state } = document.body.dataset
let stream
let retry_ms = FIRST_RETRY_MS

/** Only pages that are seen follow: browsers open few connections to one server. */
function follow() {
  if (!boot || document.hidden || stream) return
  stream = new EventSource(document.body.dataset.stream)
  stream.addEventListener('hello', ({ data }) => welcome(JSON.parse(data)))
  stream.addEventListener('tick', ({ data }) => news(data))
  stream.addEventListener('gone', () => location.reload())
  stream.addEventListener('error', lost)
}

function leave() {
  stream?.close()
  stream = undefined
}

function welcome({ boot: now, ...rest }) {
  retry_ms = FIRST_RETRY_MS
  const isAnother = now !== boot
  boot = now
  if (isAnother) {
    tell('The sandbox was restarted. This page shows its current world.')
    setTimeout(calm, MOST_WAIT_MS)
  } else calm()
  news(JSON.stringify(rest), isAnother)
}

function lost() {
  if (!stream) return
  leave()
  if (retry_ms === FIRST_RETRY_MS) tell(LOST)
  askWhy()
  setTimeout(follow, retry_ms)
  retry_ms = Math.min(retry_ms * 2, MOST_WAIT_MS)
}

/**
 * A sandbox that was started with another token has a page to sign in on, at this very address; one that
 * is followed by too many has no more to tell, but pages go on.
 */
async function askWhy() {
  const asked = { method: 'HEAD', headers: { 'x-live': '1' } }
  const answer = await fetch(document.body.dataset.stream, asked).catch(() => undefined)
  if (answer?.status === 401) location.reload()
  else if (!stream) tell(answer?.status === 503 ? TOO_MANY : LOST)
}

function news(now, isAnother = false) {
  if (now === state && !isAnother) return
  state = now
  outdate()
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) leave()
  else follow()
})
addEventListener('pagehide', leave)
// A page is shown anew, without being loaded, when somebody goes back to it.
addEventListener('pageshow', () => whenSeen(follow))
