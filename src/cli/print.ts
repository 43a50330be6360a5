import { inspect } from 'node:util'
import { escapeControlChars } from '../lib/text.js'

/** The only decision about colour: Node's styleText decides differently from version to version. */
const hasColour = (): boolean => {
  const { FORCE_COLOR, NO_COLOR, CI, TERM } = process.env
  if (FORCE_COLOR) return FORCE_COLOR !== '0' && FORCE_COLOR !== 'false'
  return process.stdout.isTTY === true && !NO_COLOR && !CI && TERM !== 'dumb'
}

const STYLES = [
  ['red', /^(?: {2})?(?:MISSED|FAILED|broken)\b/gm],
  ['green', /^(?: {2})?(?:ok|passed)\b/gm],
  ['dim', /\b[\da-f]{8}(?:…|(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{24}\b)/gi],
] as const

const paint = (text: string): string =>
  STYLES.reduce((painted, [style, words]) => {
    const [on, off] = inspect.colors[style] ?? []
    return painted.replace(words, `\u001b[${on}m$&\u001b[${off}m`)
  }, text)

/** Returns a function that colours results and ids, if stdout shows colour. */
export const createPainter = (): ((text: string) => string) => (hasColour() ? paint : (it) => it)

/** Names, paths and file contents are untrusted: only this colours the terminal. */
export const print = (text: string): void => {
  process.stdout.write(createPainter()(escapeControlChars(text)))
}
