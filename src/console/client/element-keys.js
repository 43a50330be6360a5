// Idiomorph matches elements by id. Elements without one get an id from their target or text, so that a
// focused button never turns into another one.

const KEYED = 'form, button, a[href], summary, details, tr, .entries li, [tabindex]'

export function setElementIds(root) {
  const counts = new Map()
  for (const element of root.querySelectorAll(KEYED)) {
    if (element.id && !element.id.startsWith('key-')) continue
    const region = element.closest('[data-live], main')?.id ?? ''
    const key = `key-${region}-${element.localName}-${encodeURIComponent(elementKey(element))}`
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    element.id = `${key}-${count}`
  }
}

const ATTRIBUTES = ['href', 'data-copy', 'aria-label']

function elementKey(element) {
  if (element.localName === 'form') return formKey(element)
  if (element.matches('tr, li')) return rowKey(element)
  if (element.localName === 'details') return element.querySelector('summary')?.textContent ?? ''
  const attribute = ATTRIBUTES.find((name) => element.hasAttribute(name))
  if (attribute) return element.getAttribute(attribute)
  if (element.form) return `${formKey(element.form)} ${element.name}=${element.value}`
  return element.textContent
}

const formKey = (form) =>
  [
    form.getAttribute('action'),
    ...[...form.querySelectorAll('input[type=hidden]')].map(({ value }) => value),
  ].join(' ')

/** The target of a row's link, or its text. */
export const rowKey = (row) => row.querySelector('a[href]')?.getAttribute('href') ?? row.textContent
