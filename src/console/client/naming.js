// What tells the parts of a page from each other, also when they are drawn anew.

const hiddenIn = (form) => [...form.querySelectorAll('input[type=hidden]')]

export const nameOfForm = (form) =>
  [form.getAttribute('action'), ...hiddenIn(form).map(({ value }) => value)].join(' ')

export const nameOfButton = ({ form, name, value }) => `${nameOfForm(form)} ${name}=${value}`

const NAMING = ['href', 'data-copy', 'id', 'aria-label']

/** The name of what can be focused: two that are named alike do the same. */
export function nameOfControl(it) {
  const attribute = NAMING.find((name) => it.hasAttribute(name))
  if (attribute) return `${it.localName} ${attribute}=${it.getAttribute(attribute)}`
  if (it.form) return `${it.localName} ${nameOfButton(it)}`
  return `${it.localName} ${it.textContent}`
}
