// Updates the page in place: after an action, and when the stream says that something changed.

import htmx from 'htmx.org'
import 'htmx-ext-sse'
import { Idiomorph } from 'idiomorph'

/** The element whose request is being swapped in. */
let source

htmx.defineExtension('morph', {
  isInlineSwap: () => false,
  handleSwap: (style, target, fragment) =>
    style === 'morph:innerHTML' &&
    Idiomorph.morph(target, fragment.children, {
      morphStyle: 'innerHTML',
      ignoreActiveValue: true,
      callbacks: {
        beforeNodeMorphed: (node) =>
          !isKept(node) && node.id !== 'palette' && !(isRefresh() && node.id === 'toast'),
        // Unfolded details stay so, but a form that was sent folds again.
        beforeAttributeUpdated: (name, node) => name !== 'open' || node.contains(source),
      },
    }),
})

const isRefresh = () => source?.id === 'refresh'

/** A form in use stays as it is: with focus in a field, or with changed input. */
const isKept = (node) =>
  node.localName === 'form' &&
  node !== source &&
  (node.contains(document.activeElement?.closest('input, select, textarea')) ||
    [...node.elements].some(isChanged))

const isChanged = (field) =>
  field.type === 'hidden' || field.type === 'submit'
    ? false
    : field.localName === 'select'
      ? [...field.options].some((it) => it.selected !== it.defaultSelected && it.defaultSelected)
      : field.value !== field.defaultValue || field.checked !== field.defaultChecked

document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  source = detail.requestConfig.elt
  const { title } = new DOMParser().parseFromString(detail.serverResponse, 'text/html')
  document.title = title
})

const live = () => document.querySelector('#live')
const refresh = () => htmx.trigger('#refresh', 'refresh')
const say = (text) => {
  const line = document.querySelector('#connection')
  line.textContent = text
  line.classList.toggle('unseen', text === '')
}

// The first event says what the world is: it may have changed since the page was drawn.
document.addEventListener('htmx:sseOpen', ({ detail }) => {
  say('')
  detail.source.addEventListener('hello', ({ data }) => {
    if (data !== live().dataset.state) refresh()
  })
})
document.addEventListener('htmx:sseError', () => say('Connection lost. Reconnecting…'))

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
