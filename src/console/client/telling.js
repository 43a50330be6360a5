// What is told besides what the page shows.

const speaker = document.createElement('p')
speaker.className = 'unseen'
speaker.setAttribute('role', 'status')
document.body.append(speaker)

/** Tells something to those who do not see the page. */
export function say(text) {
  speaker.textContent = text
}

const HEED_MS = 500

// What came of an action is heard only as a change: a page that was led to holds it from the start.
const told = document.querySelector('#notice')?.textContent.trim()
if (told) setTimeout(say, HEED_MS, told)

const line = document.querySelector('#connection')
let isGone = false

/** Tells everybody what is between the page and the sandbox, once: each change is heard. */
export function tell(text) {
  if (line && line.textContent !== text) line.textContent = text
}

/** Says what is still to be said when nothing new is. */
export function calm() {
  tell(isGone ? 'This record no longer exists: it was undone, reset or evicted.' : '')
}

export function tellGone(now) {
  if (now === isGone) return
  isGone = now
  calm()
}
