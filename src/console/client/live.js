// Updates the page in place: after an action, and when the stream says that something changed.

import htmx from 'htmx.org'
import 'htmx-ext-sse'
import { Idiomorph } from 'idiomorph'

let source

htmx.defineExtension('morph', {
  isInlineSwap: () => false,
  handleSwap: (style, target, fragment) =>
    style === 'morph:innerHTML' &&
    Idiomorph.morph(target, fragment.children, {
      morphStyle: 'innerHTML',
      callbacks: {
        beforeNodeMorphed: (node, next) => !isKept(node, next),
        // Unfolded details stay so, but a form that was sent closes. An update does not hide that something was copied.
        beforeAttributeUpdated: (name, node) =>
          name === 'open'
            ? source.localName === 'form' && node.contains(source)
            : name !== 'class' || !node.matches('.copied'),
      },
    }),
})

/** The stream and the palette stay as they are. A refresh keeps forms in use, and the toast until something else happened. */
const isKept = (node, next) =>
  node.id === 'live' ||
  node.id === 'palette' ||
  (node.id === 'toast' && source?.id === 'refresh' && isCurrent(node, next)) ||
  (node.localName === 'form' && !node.contains(source) && isInUse(node))

/** No other page shows a secret or an error. */
const isCurrent = (toast, next) =>
  toast.dataset.turn === next.dataset.turn || toast.querySelector('code, .bad') !== null

/** Whether a form has focus in a field, or changed input. A refresh keeps those that are unfolded or refused, too. */
const isInUse = (form) =>
  form.matches(':has([aria-invalid])') ||
  (source?.id === 'refresh' && form.matches('.form[open] > form')) ||
  form.contains(document.activeElement?.closest('input, select, textarea')) ||
  [...form.elements].some(isChanged)

const isChanged = (field) => {
  if (field.localName === 'select') {
    const chosen = [...field.options].findIndex((it) => it.defaultSelected)
    return field.selectedIndex !== Math.max(chosen, 0)
  }
  if (field.type === 'checkbox') return field.checked !== field.defaultChecked
  return field.type !== 'hidden' && field.type !== 'submit' && field.value !== field.defaultValue
}

/** The newest update of this address: the next one brings only the parts that it lacks. */
let shown

document.addEventListener('htmx:configRequest', ({ detail }) => {
  if (detail.elt.id !== 'refresh') return
  if (shown?.address !== location.href) shown = { address: location.href, id: 'none', parts: [] }
  detail.headers['x-page-id'] = shown.id
})

document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  source = detail.requestConfig.elt
  const id = detail.xhr.getResponseHeader('x-page-id')
  if (!id) return
  const update = JSON.parse(detail.serverResponse)
  const parts = update.flatMap((it) =>
    typeof it === 'string' ? it : shown.parts.slice(it[0], it[0] + it[1]),
  )
  shown = { address: location.href, id, parts }
  detail.serverResponse = parts.join('')
})

const live = () => document.querySelector('#live')
const show = (state) => {
  const line = document.querySelector('#connection')
  line.textContent = line.dataset[state] ?? ''
  line.classList.toggle('unseen', !state)
}

// The first event says what the world is: it may have changed since the page was drawn.
document.addEventListener('htmx:sseOpen', ({ detail }) => {
  show()
  detail.source.addEventListener('hello', ({ data }) => {
    if (data !== live().dataset.state) htmx.trigger('#refresh', 'refresh')
  })
})
document.addEventListener('htmx:sseError', () => show('lost'))
document.addEventListener('htmx:sendError', () => show('silent'))

// Only visible pages follow: browsers open few connections to one server.
let hidden
document.addEventListener('visibilitychange', () => {
  if (document.hidden && live()) {
    hidden = live().cloneNode(true)
    htmx.remove(live())
  } else if (hidden) {
    document.body.append(hidden)
    htmx.process(hidden)
    hidden = undefined
  }
})
