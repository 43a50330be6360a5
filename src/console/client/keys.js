// Keyboard shortcuts and menus.

const CHORD_MS = 1_500

// Narrow screens scroll the menu to the current page. On wide screens reading positions would only delay
// the first paint.
const here = document.querySelector('.pages [aria-current]')
const menu = here?.closest('nav')
if (menu && matchMedia('(max-width: 760px)').matches) {
  menu.scrollLeft = here.offsetLeft - menu.clientWidth / 2
}

// Escape and a click elsewhere close the menu of worlds.
function closePicker() {
  const picker = document.querySelector('#picker[open]')
  if (picker?.contains(document.activeElement)) picker.querySelector('summary').focus()
  picker?.removeAttribute('open')
}

for (const leaving of ['click', 'focusin']) {
  document.addEventListener(leaving, ({ target }) => {
    if (!target.closest('#picker')) closePicker()
  })
}

let chord = 0
const paths = new Map(
  [...document.querySelectorAll('[data-key]')].map((it) => [it.dataset.key, it.dataset.path]),
)

document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') closePicker()
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
  const { target, key } = event
  if (target.closest('input, select, textarea')) {
    if (key === 'Escape') target.blur()
    return
  }
  if (document.querySelector('dialog[open]')) return
  const isChord = performance.now() < chord
  chord = 0
  if (isChord && paths.has(key)) location.assign(paths.get(key))
  else if (key === 'g') chord = performance.now() + CHORD_MS
  else if (key === '?') help()
  else if (key === '/') search()
  else if (key === 'j' || key === 'k') walk(key === 'j' ? 1 : -1)
  else return
  event.preventDefault()
})

document.querySelector('[data-help]')?.addEventListener('click', help)

function help() {
  document.querySelector('#help')?.showModal()
}

/** Prefers the search field of the page to the one at the top. */
function search() {
  const field =
    document.querySelector('main [data-search]') ?? document.querySelector('[data-search]')
  field?.focus()
  field?.select()
}

/** Focuses the link of the next or the previous row. */
function walk(step) {
  const links = [
    ...document.querySelectorAll('main tbody tr, main .entries li, main .scenarios > li'),
  ]
    .map((row) => row.querySelector('a'))
    .filter((link) => link?.checkVisibility())
  const row = document.activeElement?.closest('tr, li')
  const at = links.findIndex((link) => link.closest('tr, li') === row)
  links[at < 0 ? (step > 0 ? 0 : links.length - 1) : at + step]?.focus()
}
