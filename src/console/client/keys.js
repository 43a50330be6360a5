import htmx from 'htmx.org'

// A refresh keeps the request that is read, and a form in it, though a newer one failed.
document.addEventListener('htmx:configRequest', ({ detail }) => {
  const { request = '' } = document.querySelector('#request')?.dataset ?? {}
  if (detail.elt.id === 'refresh' && request) detail.headers['x-opened'] = request
})

const OFF = 'sandramp-single-keys-off'
const palette = () => document.querySelector('#palette')

document.addEventListener('click', async (event) => {
  const { target } = event
  if (target.closest('.find') && !event.ctrlKey && !event.metaKey) openPalette(event)
  // A hit closes the palette: an action updates the page below it.
  if (target.closest('#palette .option')) palette().close()
  const source = target.closest('[data-copy]')
  if (!source) return
  await navigator.clipboard.writeText(source.dataset.copy)
  source.classList.add('copied')
  setTimeout(() => source.classList.remove('copied'), 1_000)
})

function openPalette(event) {
  if (!palette()) return
  event.preventDefault()
  palette().showModal()
  palette().querySelector('input').select()
  htmx.trigger('#palette form', 'open')
}

const single = () => document.querySelector('#single-keys')
if (single()) single().checked = localStorage[OFF] === undefined
document.addEventListener('change', ({ target }) => {
  if (target !== single()) return
  if (target.checked) delete localStorage[OFF]
  else localStorage[OFF] = ''
})

document.addEventListener('keydown', (event) => {
  const { key, target } = event
  if ((event.ctrlKey || event.metaKey) && key === 'k') openPalette(event)
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  if (palette()?.open) return chooseHit(event)
  if (key === 'Escape') {
    document.querySelector('.toast')?.remove()
    target.blur()
  }
  if (target.closest('input, select, textarea') || localStorage[OFF] !== undefined) return
  if (key === '/') focusFilter(event)
  else if (key === 'j' || key === 'k') move('main :is(a.open-row, a.item)', key === 'j' ? 1 : -1)
  else if (/^[a-z?]$/.test(key)) press(`[data-hotkey="${key}"]`)
})

function press(selector) {
  document.querySelector(selector)?.click()
}

function focusFilter(event) {
  const field = document.querySelector('main [type="search"]')
  if (!field) return
  event.preventDefault()
  field.focus()
  field.select()
}

function move(selector, step) {
  const all = [...document.querySelectorAll(selector)]
  const at = all.indexOf(document.activeElement)
  all[at < 0 && step < 0 ? all.length - 1 : at + step]?.focus()
}

function chooseHit(event) {
  const { key, target } = event
  if (key === 'ArrowDown' || key === 'ArrowUp') {
    event.preventDefault()
    move('#palette :is([type="search"], .option)', key === 'ArrowDown' ? 1 : -1)
  } else if (key === 'Enter' && target.localName === 'input') {
    event.preventDefault()
    pressFirst(target)
  }
}

/** Waits for the hits of the typed text: those of an earlier one may be other actions. */
function pressFirst(field) {
  if (!palette().open) return
  const { text } = document.querySelector('#palette #hits')?.dataset ?? {}
  if (text === field.value.trim()) press('#palette .option')
  else document.addEventListener('htmx:afterSettle', () => pressFirst(field), { once: true })
}
