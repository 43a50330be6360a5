import { KEY_LENGTH, lastFour } from './secrets.js'

/** Strikes secrets out of a text that a log is to show. */
export type Strike = (text: string) => string

/** A secret shorter than this would be told by its last four characters. */
const SHORTEST_TOLD = 16
/** A control token shorter than this may be any word or number of a request. */
const SHORTEST_STRUCK = 8

/** What is shown in place of a secret. */
export const struck = (secret: string): string =>
  secret.length < SHORTEST_TOLD ? '…' : `…${lastFour(secret)}`

/** Makes what strikes out API keys, and the control token where there is one. */
export const strikeOf = (token: string | undefined): Strike => {
  if (token === undefined || token.length < SHORTEST_STRUCK) return withoutKeys
  const shown = struck(token)
  // As it is, as an address has it, and as JSON has it.
  const forms = new Set([token, encodeURIComponent(token), JSON.stringify(token).slice(1, -1)])
  return (text) => {
    let left = text
    for (const form of forms) left = left.replaceAll(form, () => shown)
    return withoutKeys(left)
  }
}

/** A text with the ends alone of what may be keys in it: of 32 of A-Z, a-z and 0-9 that stand together. */
export const withoutKeys = (text: string): string => {
  let left = ''
  let done = 0
  // As many as a key has cover one of these places.
  for (let place = KEY_LENGTH - 1; place < text.length; ) {
    let from = place
    while (isOfKey(text.charCodeAt(from - 1))) from--
    let to = place
    while (isOfKey(text.charCodeAt(to))) to++
    if (to - from >= KEY_LENGTH && isKeyLike(text, from, to)) {
      left += text.slice(done, to - KEY_LENGTH) + struck(text.slice(to - KEY_LENGTH, to))
      done = to
    }
    place = to + KEY_LENGTH
  }
  return done === 0 ? text : left + text.slice(done)
}

/** Whether a character's code is that of A-Z, a-z or 0-9; before and behind a text it is NaN. */
const isOfKey = (code: number): boolean => {
  const lower = code | 0x20
  return (lower >= 0x61 && lower <= 0x7a) || (code >= 0x30 && code <= 0x39)
}

/** Such as %20 and \n, whose letters are no part of what follows. */
const ESCAPE = /^(?:%..|\\u.{4}|\\.)$/
/** Ids of worlds, which are no secrets. */
const WORLD_ID = /^[0-9a-f]{32}$/

const isKeyLike = (text: string, from: number, to: number): boolean => {
  const start = to - KEY_LENGTH
  const stands = start === from || ESCAPE.test(text.slice(from - 1, start))
  return stands && !WORLD_ID.test(text.slice(start, to))
}
