// Actions update the main part of the page in place.

import { fieldsIn } from './morph.js'
import { abortRefresh, onPageUpdated } from './refresh.js'
import { announce } from './toast.js'

const MAX_LEAVING_MS = 5_000

const BUTTONS = 'form button[type=submit]'

// The second click of a double click may hit another button that moved under the pointer.

let clicked

document.addEventListener(
  'click',
  (event) => {
    const button = event.target.closest(BUTTONS)
    if (event.detail < 2) clicked = button?.id
    else if (button && button.id !== clicked) event.preventDefault()
  },
  true,
)

/** The last form that was sent. */
let sent
/** While the page changes to another one, repeated clicks are ignored. */
let leavingUntil = 0

document.addEventListener('htmx:beforeRequest', (event) => {
  if (performance.now() < leavingUntil) {
    event.preventDefault()
    return
  }
  abortRefresh()
  sent = event.detail.elt.closest('form')
})

document.addEventListener('htmx:beforeOnLoad', ({ detail: { xhr } }) => {
  if (xhr.getResponseHeader('hx-redirect')) leavingUntil = performance.now() + MAX_LEAVING_MS
})
addEventListener('pageshow', () => {
  leavingUntil = 0
})

document.addEventListener('htmx:sendError', () => {
  const message = document.createElement('p')
  message.className = 'notice error'
  message.textContent = 'No response from the sandbox. The action may not have been applied.'
  const notice = document.querySelector('#notice')
  notice?.setAttribute('role', 'alert')
  notice?.replaceChildren(message)
})

document.addEventListener('htmx:beforeSwap', ({ detail }) => {
  for (const field of sent ? fieldsIn(sent) : []) field.removeAttribute('aria-invalid')
  // A rejected form keeps the typed text.
  if (sent && !/class="notice error"|role="alert"/.test(detail.serverResponse)) close(sent)
})

/** Empties a form and closes the details around it. */
function close(form) {
  form.reset()
  const details = form.closest('details')
  if (!details) return
  const hadFocus = details.contains(document.activeElement)
  details.open = false
  if (hadFocus) details.querySelector('summary').focus({ preventScroll: true })
}

document.addEventListener('htmx:afterSettle', ({ detail }) => {
  onPageUpdated()
  if (detail.target?.id !== 'main') return
  const notice = document.querySelector('#notice')
  const error = notice?.querySelector('.error')
  if (error) {
    if (!markInvalid(error.textContent)) notice.focus({ preventScroll: true })
    return
  }
  // The result may be far from the form, such as a secret or the errors of a file.
  const result = document.querySelector('main :is(.secret, [role=alert]):not(#notice)')
  result?.scrollIntoView()
  const text = notice?.textContent.trim() || result?.querySelector('p')?.textContent
  if (document.activeElement === document.body) notice?.focus({ preventScroll: true })
  else if (text) announce(text)
})

/** Marks the field of the sent form that the message names. */
function markInvalid(message) {
  const [, name] = /^(?:Invalid |Missing )?(\w+)[.:]/.exec(message.trim()) ?? []
  const field = sent?.isConnected && fieldsIn(sent).find((it) => it.name === name)
  if (!field) return false
  field.setAttribute('aria-invalid', 'true')
  field.setAttribute('aria-describedby', 'notice')
  field.focus({ preventScroll: true })
  return true
}
