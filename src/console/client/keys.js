// Keyboard shortcuts, copying, and the palette.

document.addEventListener('click', ({ target }) => {
  const { copy } = target.closest('[data-copy]')?.dataset ?? {}
  if (copy === undefined) return
  navigator.clipboard.writeText(copy)
  target.classList.add('copied')
  setTimeout(() => target.classList.remove('copied'), 1_000)
})

document.addEventListener('keydown', (event) => {
  const { key, target } = event
  if (event.ctrlKey || event.metaKey) {
    if (key === 'k') press('.find', event)
    return
  }
  if (key === 'Escape') {
    document.querySelector('.toast')?.remove()
    document.activeElement?.blur()
  }
  if (event.altKey || event.isComposing || target.closest('input, select, textarea')) return
  if (key === '/') focusFilter(event)
  else if (key === 'j' || key === 'k') walk(key === 'j' ? 1 : -1)
  else if (/^[a-z?]$/.test(key)) press(`[data-hotkey="${key}"]`, event)
})

function press(selector, event) {
  const button = document.querySelector(selector)
  if (!button) return
  event.preventDefault()
  button.click()
}

function focusFilter(event) {
  const field = document.querySelector('main [type="search"]')
  if (!field) return
  event.preventDefault()
  field.focus()
  field.select()
}

/** Focuses the next or the previous row. */
function walk(step) {
  const rows = [...document.querySelectorAll('main :is(.open-row, .item)')]
  const at = rows.indexOf(document.activeElement)
  rows[at < 0 && step < 0 ? rows.length - 1 : at + step]?.focus()
}
