// htmx comes once the page is seen: before, it would take the time that the first paint needs.

import { whenSeen } from './seen.js'

const { htmx: source } = document.currentScript.dataset
let held

/** What is sent before htmx is there waits for it. */
function hold(event) {
  if (event.target.getAttribute('method') === 'dialog') return
  event.preventDefault()
  held = event
}

/** Whether a part of the page holds a form that waits. */
export const isHeldIn = (part) => held !== undefined && part.contains(held.target)

function release() {
  document.removeEventListener('submit', hold)
  const waiting = held
  held = undefined
  if (!waiting?.target.isConnected) return
  // htmx goes by clicks when it tells which button was meant.
  if (waiting.submitter) waiting.submitter.click()
  else waiting.target.requestSubmit()
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
