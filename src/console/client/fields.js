// What somebody has typed.

const TYPED = 'input:not([type=hidden]), select, textarea'

export const fieldsIn = (part) => [...part.querySelectorAll(TYPED)]

/** Whether a field is not as it came. */
export function isChanged(field) {
  if (field.type === 'checkbox') return field.checked !== field.defaultChecked
  if (field.localName !== 'select') return field.value !== field.defaultValue
  const came = [...field.options].findIndex((it) => it.defaultSelected)
  return field.selectedIndex !== Math.max(came, 0)
}

export const typedIn = (field) => (field.type === 'checkbox' ? field.checked : field.value)

export function setValue(field, value) {
  if (field.type === 'checkbox') field.checked = value
  else field.value = value
}
