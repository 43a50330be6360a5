/** JSON as written. JavaScript values would lose digits, repeated names and order. */
export type JsonTree =
  | { readonly kind: 'string' | 'number' | 'boolean' | 'null'; readonly written: string }
  | { readonly kind: 'array' | 'object'; readonly members: readonly Member[] }

/** An item of an array or a field of an object, in order. */
export interface Member {
  /** The index in an array, or the parsed name. */
  readonly name: string
  /** The name as written; undefined in an array. */
  readonly key: string | undefined
  readonly value: JsonTree
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}:,]|[^\s[\]{}:,"]+/g

/** Returns undefined for invalid JSON and for JSON with more levels. */
export const parseJsonTree = (text: string, levels: number): JsonTree | undefined => {
  try {
    JSON.parse(text)
  } catch {
    return undefined
  }
  const tokens = text.match(TOKEN) ?? []
  return measureDepth(tokens) > levels ? undefined : readValue(tokens.values())
}

const measureDepth = (tokens: readonly string[]): number => {
  let depth = 0
  let deepest = 0
  for (const token of tokens) {
    if (token === '{' || token === '[') deepest = Math.max(deepest, ++depth)
    else if (token === '}' || token === ']') depth--
  }
  return deepest
}

type Tokens = Iterator<string, undefined>

/** The text is valid JSON, so any other value is one token. */
const readValue = (tokens: Tokens, token = next(tokens)): JsonTree => {
  if (token === '[') return { kind: 'array', members: readList(tokens) }
  if (token === '{') return { kind: 'object', members: readFields(tokens) }
  return { kind: tokenKind(token), written: token }
}

const next = (tokens: Tokens): string => tokens.next().value ?? ''

const readList = (tokens: Tokens): Member[] => {
  const members: Member[] = []
  for (let token = next(tokens); token !== ']'; token = next(tokens)) {
    if (token === ',') continue
    const name = String(members.length)
    members.push({ name, key: undefined, value: readValue(tokens, token) })
  }
  return members
}

const readFields = (tokens: Tokens): Member[] => {
  const members: Member[] = []
  for (let key = next(tokens); key !== '}'; key = next(tokens)) {
    if (key === ',') continue
    next(tokens)
    members.push({ name: JSON.parse(key), key, value: readValue(tokens) })
  }
  return members
}

const tokenKind = (token: string): 'string' | 'number' | 'boolean' | 'null' => {
  if (token.startsWith('"')) return 'string'
  if (token === 'null') return 'null'
  return token === 'true' || token === 'false' ? 'boolean' : 'number'
}

/** The last member with a name counts, as in JavaScript. */
export const findMember = (tree: JsonTree, name: string): Member | undefined =>
  'members' in tree ? tree.members.findLast((it) => it.name === name) : undefined
