// Messages beside the content of the page.

const speaker = document.createElement('p')
speaker.className = 'unseen'
speaker.setAttribute('role', 'status')
document.body.append(speaker)

/** For screen readers. */
export function announce(text) {
  speaker.textContent = text
}

const ANNOUNCE_DELAY_MS = 500

// Screen readers announce changes only. A page with a notice from the start needs one.
const notice = document.querySelector('#notice')?.textContent.trim()
if (notice) setTimeout(announce, ANNOUNCE_DELAY_MS, notice)

const line = document.querySelector('#connection')
let isGone = false

/** Shows the state of the connection. */
export function showConnection(text) {
  if (line && line.textContent !== text) line.textContent = text
}

export function showConnected() {
  showConnection(isGone ? 'This record no longer exists: it was undone, reset or evicted.' : '')
}

export function showGone(gone) {
  if (gone === isGone) return
  isGone = gone
  showConnected()
}
