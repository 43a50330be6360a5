import { endOfString } from './json-path.js'
import { truncate } from './text.js'

/**
 * JSON.parse drops one of two equal names in an object. The text then has more members than the parsed value.
 */

type WritePath = (path: readonly PropertyKey[]) => string

const dotted: WritePath = (path) => path.join('.')

/** Returns the path of the first repeated name in well-formed JSON. `value` is the parsed text. */
export const findDuplicateKey = (
  text: string,
  value: unknown,
  write: WritePath = dotted,
): string | undefined => {
  if (membersIn(text) === readMembers(value)) return undefined
  const path = firstDuplicate(text)
  return path ? truncate(write(path), MAX_PATH) : 'a field'
}

const QUOTE = 0x22
const COLON = 0x3a

const membersIn = (text: string): number => {
  let members = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    // Images are leapt over so.
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) members++
  }
  return members
}

/** Without recursion, since a body may be nested deeper than the stack is. */
const readMembers = (value: unknown): number => {
  let members = 0
  const rest: unknown[] = [value]
  while (rest.length > 0) {
    const next = rest.pop()
    if (typeof next !== 'object' || next === null) continue
    if (Array.isArray(next)) {
      for (const item of next) if (typeof item === 'object') rest.push(item)
      continue
    }
    for (const name in next) {
      members++
      const inner = (next as Record<string, unknown>)[name]
      if (typeof inner === 'object') rest.push(inner)
    }
  }
  return members
}

/** An object or array that has begun: what it has named so far, and where in it the text is. */
interface Open {
  readonly names: Set<string> | undefined
  place: string | number
}

/** Names are compared down to here; nobody reads a longer path. */
const MAX_DEPTH = 32

/** Names below MAX_DEPTH are not compared. */
const firstDuplicate = (text: string): PropertyKey[] | undefined => {
  const open: Open[] = []
  for (let at = 0; at < text.length; at++) {
    const letter = text.charAt(at)
    const inner = open.at(-1)
    if (letter === '{') {
      open.push({ names: open.length < MAX_DEPTH ? new Set() : undefined, place: '' })
    } else if (letter === '[') open.push({ names: undefined, place: 0 })
    else if (letter === '}' || letter === ']') open.pop()
    else if (letter === ',' && typeof inner?.place === 'number') inner.place++
    else if (letter === '"') {
      const end = endOfString(text, at)
      if (inner?.names && isName(text, end)) {
        inner.place = JSON.parse(text.slice(at, end + 1)) as string
        if (inner.names.has(inner.place)) return open.map(({ place }) => place)
        inner.names.add(inner.place)
      }
      at = end
    }
  }
  return undefined
}

const NAME_END = /\s*:/y

const isName = (text: string, end: number): boolean => {
  NAME_END.lastIndex = end + 1
  return NAME_END.test(text)
}

const MAX_PATH = 120
