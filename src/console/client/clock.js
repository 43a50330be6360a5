// A running clock, and the times until what is planned, go on without a request.

import { formatDuration } from '../../history/format.ts'

let setAt = performance.now()
document.addEventListener('htmx:afterSwap', () => {
  setAt = performance.now()
})

setInterval(() => {
  const { now: then, speed } = document.querySelector('[data-now]')?.dataset ?? {}
  if (!Number(speed)) return
  const now = Number(then) + (performance.now() - setAt) * speed
  write('[data-now]', () => new Date(now).toISOString().slice(11, 19))
  write('[data-due]', ({ due }) =>
    formatDuration(Math.max(Math.ceil((due - now) / 1_000), 0) * 1_000),
  )
}, 250)

function write(selector, format) {
  for (const element of document.querySelectorAll(selector)) {
    const text = format(element.dataset)
    if (element.textContent !== text) element.textContent = text
  }
}
