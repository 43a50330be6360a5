// A click copies an id or a command.

import { announce } from './toast.js'

const COPIED_MS = 1_200

document.addEventListener('click', async (event) => {
  const button = event.target.closest?.('[data-copy]')
  if (!button) return
  await copy(button.dataset.copy)
  button.classList.add('copied')
  announce(`Copied ${button.dataset.copy.slice(0, 80)}`)
  setTimeout(() => button.classList.remove('copied'), COPIED_MS)
})

/** Browsers offer the clipboard on secure pages only, and users can deny it. */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    copySelected(text)
  }
}

function copySelected(text) {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'unseen'
  const focused = document.activeElement
  document.body.append(field)
  field.select()
  document.execCommand('copy')
  field.remove()
  focused?.focus()
}
