import type { Schema } from './json-schema.js'

/** Puts parts that occur more than once among the definitions, each once: half of the text is left. */
export const dedupeSchema = (schema: Schema, $defs: Readonly<Record<string, Schema>>): Schema => {
  const seen = new Map<string, number>()
  walk(schema, '', (part) => {
    const text = JSON.stringify(part)
    seen.set(text, (seen.get(text) ?? 0) + 1)
    return part
  })
  const names = new Map<string, string>()
  const hoisted: Record<string, Schema> = {}
  const short = walk(schema, '', (part, name, text) => {
    if ((seen.get(text) ?? 0) < 2) return part
    const known = names.get(text) ?? freeName(name, { ...$defs, ...hoisted })
    names.set(text, known)
    hoisted[known] = part
    return { $ref: `#/$defs/${known}` }
  })
  return { ...short, $defs: { ...$defs, ...hoisted } }
}

const freeName = (name: string, taken: object): string => {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}_${n}`
    if (!Object.hasOwn(taken, free)) return free
  }
}

type Change = (part: Schema, name: string, text: string) => Schema

/** Rebuilds a schema from the inside out; `change` sees each object with fields, and its text as it was. */
const walk = (schema: Schema, name: string, change: Change): Schema => {
  const inner = (it: Schema, key = name) => walk(it, key, change)
  const { properties, items, oneOf, anyOf } = schema
  const built: Schema = { ...schema }
  if (properties) {
    built.properties = Object.fromEntries(
      Object.entries(properties).map(([key, field]) => [key, inner(field, key)]),
    )
  }
  if (typeof items === 'object') built.items = inner(items)
  if (oneOf) built.oneOf = oneOf.map((it) => inner(it))
  if (anyOf) built.anyOf = anyOf.map((it) => inner(it))
  return properties && name !== '' ? change(built, name, JSON.stringify(schema)) : built
}
