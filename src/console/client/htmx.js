// Loads htmx after the first paint, so that it does not delay it.

import { setElementIds } from './element-keys.js'
import { morph } from './morph.js'
import { afterFirstPaint } from './visibility.js'

const { htmx: source } = document.currentScript.dataset
let held

setElementIds(document)

/** A form that is sent before htmx is loaded waits for it. */
function hold(event) {
  if (event.target.getAttribute('method') === 'dialog') return
  event.preventDefault()
  held = event
}

function release() {
  document.removeEventListener('submit', hold)
  const waiting = held
  held = undefined
  if (!waiting?.target.isConnected) return
  // htmx finds the submitter by the click.
  if (waiting.submitter) waiting.submitter.click()
  else waiting.target.requestSubmit()
}

function onLoad() {
  window.htmx.defineExtension('morph', {
    isInlineSwap: (style) => style === 'morph',
    handleSwap: (style, target, fragment) =>
      style === 'morph' && morph(target, fragment.children ?? [fragment]),
  })
  release()
}

function loadHtmx() {
  const script = document.createElement('script')
  script.src = source
  script.addEventListener('load', onLoad)
  script.addEventListener('error', release)
  document.head.append(script)
}

document.addEventListener('submit', hold)
// htmx processes a complete page, or waits for one that is still being parsed.
addEventListener('load', () => afterFirstPaint(loadHtmx))
