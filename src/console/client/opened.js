// What somebody has opened stays open when the page comes anew.

const detailsIn = (part) => [...part.querySelectorAll('details')]

/** What tells details from others of the page, also when they are drawn anew. */
const nameOf = (details) =>
  `${details.closest('[data-live]')?.id} ${details.querySelector('summary')?.textContent}`

/** Those that are open in a part of the page, but for the one that holds a form. */
export const openedIn = (part, form) =>
  detailsIn(part)
    .filter((it) => it.open && !(form && it.contains(form)))
    .map(nameOf)

export function openAgain(part, opened) {
  for (const it of detailsIn(part)) if (opened.includes(nameOf(it))) it.open = true
}
