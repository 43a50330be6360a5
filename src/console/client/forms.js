// Actions exchange the main part of the page: what somebody was about there stays.

import { dropAnswer, startOver } from './drawing.js'
import { fieldsIn, isChanged, setValue, typedIn } from './fields.js'
import { nameOfButton, nameOfForm } from './naming.js'
import { openAgain, openedIn } from './opened.js'
import { say } from './telling.js'

const MOST_LEAVING_MS = 5_000

const BUTTONS = 'form button[type=submit]'
const buttonsNamed = (name) =>
  [...document.querySelectorAll(BUTTONS)].filter((it) => nameOfButton(it) === name)

// --- The second of two quick clicks may meet another button, where the first one stood

let clicked

document.addEventListener(
  'click',
  (event) => {
    const button = event.target.closest(BUTTONS)
    const name = button && nameOfButton(button)
    if (event.detail < 2) clicked = name
    else if (button && name !== clicked) event.preventDefault()
  },
  true,
)

// --- Before and after

/** The form that was sent. */
let sent
/** What stands in the forms of the page when the answer to one of them is there: somebody may type on until then. */
let typed = []
/** What is open then: a form that is sent closes with what it stands in. */
let opened = []
/** Where somebody is typing then, in another form than the one that was sent. */
let typing
/** A secret that nobody can see again. */
let secret
/** The button that was pressed, also by Enter in a field of its form. */
let pressed
/** An answer led to another page: until that is there, what is sent again was sent already. */
let leavingUntil = 0

document.addEventListener('htmx:beforeRequest', (event) => {
  const { elt, requestConfig } = event.detail
  if (performance.now() < leavingUntil) {
    event.preventDefault()
    return
  }
  dropAnswer()
  sent = elt.closest('form')
  pressed = placeOf(requestConfig.triggeringEvent?.submitter ?? document.activeElement)
})

document.addEventListener('htmx:beforeSwap', () => {
  typed = typedInForms()
  opened = openedIn(document.querySelector('main'), sent)
  typing = placeInField(document.activeElement)
  secret = document.querySelector('main .secret')
})

document.addEventListener('htmx:beforeOnLoad', ({ detail: { xhr } }) => {
  if (xhr.getResponseHeader('hx-redirect')) leavingUntil = performance.now() + MOST_LEAVING_MS
})
addEventListener('pageshow', () => {
  leavingUntil = 0
})

document.addEventListener('htmx:sendError', () => {
  const words = document.createElement('p')
  words.className = 'notice error'
  words.textContent = 'No response from the sandbox. The action may not have been applied.'
  const notice = document.querySelector('#notice')
  notice?.setAttribute('role', 'alert')
  notice?.replaceChildren(words)
})

// What is given back must be there before the next key is pressed: the page settles later.
document.addEventListener('htmx:afterSwap', ({ detail }) => {
  if (detail.target?.id !== 'main') return
  const made = document.querySelector('main .secret')
  if (secret && !made && detail.xhr.status < 400) {
    document.querySelector('main h1')?.after(secret)
  }
  const refusal = document.querySelector('#notice .error')
  openAgain(document.querySelector('main'), opened)
  for (const it of typed) {
    const form = it.isSent && !refusal ? undefined : giveBack(it)
    if (form && it.isSent) markWrong(form, refusal.textContent)
  }
  if (typing) goOnTyping(typing)
  typed = []
  opened = []
  typing = undefined
})

document.addEventListener('htmx:afterSettle', ({ detail }) => {
  startOver()
  if (detail.target?.id !== 'main') return
  const notice = document.querySelector('#notice')
  const refusal = notice?.querySelector('.error')
  // What an action answers with in the page itself may stand elsewhere than where it was asked for.
  const made = document.querySelector('main .secret')
  const told = made === secret ? null : made
  const answer = told ?? document.querySelector('main [role=alert]:not(#notice)')
  answer?.scrollIntoView()
  if (document.activeElement !== document.body) return
  const button = refusal ? undefined : buttonAgain()
  if (button) say((notice?.textContent.trim() || told?.querySelector('p').textContent) ?? '')
  const next = button ?? notice
  next?.focus({ preventScroll: true })
})

function placeInField(field) {
  if (!field?.form || field.form === sent) return undefined
  if (!field.matches('main :is(input, textarea, select)')) return undefined
  const { name, selectionStart, selectionEnd } = field
  return { form: nameOfForm(field.form), name, selectionStart, selectionEnd }
}

function goOnTyping({ form, name, selectionStart, selectionEnd }) {
  const field = formNamed(form)?.elements[name]
  field?.focus?.({ preventScroll: true })
  if (selectionStart !== null) field?.setSelectionRange?.(selectionStart, selectionEnd)
}

function placeOf(button) {
  if (!button?.matches(BUTTONS)) return undefined
  const name = nameOfButton(button)
  return { name, place: buttonsNamed(name).indexOf(button) }
}

/** The button that was pressed, where it can be pressed once more; what opens it, where it is closed in. */
function buttonAgain() {
  const button = pressed && buttonsNamed(pressed.name)[pressed.place]
  if (!button || button.disabled) return undefined
  return button.checkVisibility() ? button : button.closest('details')?.querySelector('summary')
}

/** All of the form that is sent, which may be refused; of the others, what is not as it came. */
function typedInForms() {
  return [...document.querySelectorAll('main form')].map((form) => {
    const isSent = form === sent
    const fields = fieldsIn(form).filter((field) => isSent || isChanged(field))
    return {
      name: nameOfForm(form),
      isSent,
      values: new Map(fields.map((it) => [it.name, typedIn(it)])),
    }
  })
}

const formNamed = (name) =>
  [...document.querySelectorAll('main form')].find((it) => nameOfForm(it) === name)

function giveBack({ name, values }) {
  const form = formNamed(name)
  for (const field of form ? fieldsIn(form) : []) {
    if (!values.has(field.name)) continue
    setValue(field, values.get(field.name))
    const details = field.closest('details')
    if (details) details.open = true
  }
  return form
}

/** The field that is wrong, in the form that was refused. */
function markWrong(form, refusal) {
  const [, wrong] = /^(\w+)[.:]/.exec(refusal) ?? []
  const field = fieldsIn(form).find(({ name }) => name === wrong)
  if (!field) return
  field.setAttribute('aria-invalid', 'true')
  field.setAttribute('aria-describedby', 'notice')
  field.focus({ preventScroll: true })
}
