// Updates a part of the page, and keeps focus, typed text and open details.

import { Idiomorph } from 'idiomorph'
import { setElementIds } from './element-keys.js'

const FIELDS = 'input:not([type=hidden]), select, textarea'

export const fieldsIn = (part) => [...part.querySelectorAll(FIELDS)]

/** `next` is an element, or a collection with one. Returns the nodes of the page. */
export function morph(target, next) {
  for (const root of [target, ...(next.length === undefined ? [next] : next)]) setElementIds(root)
  const hadFocus = target.contains(document.activeElement)
  const region = document.activeElement?.closest('[data-live], main')?.id
  const nodes = Idiomorph.morph(target, next, {
    morphStyle: 'outerHTML',
    ignoreActiveValue: true,
    callbacks: {
      beforeNodeMorphed: (node) => !(node.matches?.(FIELDS) && isEdited(node)),
      beforeAttributeUpdated: (name, node) => !(name === 'open' && node.localName === 'details'),
      // The page shows a secret once. Another action must not remove it.
      beforeNodeRemoved: (node) => !node.matches?.('.secret'),
    },
  })
  if (hadFocus && document.activeElement === document.body) focusRegion(region)
  return nodes
}

/** Not the next button: the user may be about to press Enter. */
function focusRegion(id) {
  const region = document.getElementById(id)
  region?.setAttribute('tabindex', '-1')
  region?.focus({ preventScroll: true })
}

function isEdited(field) {
  if (field.type === 'checkbox') return field.checked !== field.defaultChecked
  if (field.localName !== 'select') return field.value !== field.defaultValue
  const initial = [...field.options].findIndex((it) => it.defaultSelected)
  return field.selectedIndex !== Math.max(initial, 0)
}
