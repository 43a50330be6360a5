import * as z from 'zod'
import { conditionShapes } from '../language/conditions.js'
import { scenarioFile } from '../language/scenario-file.js'

export interface Schema {
  description?: string
  properties?: Record<string, Schema>
  items?: Schema | boolean
  oneOf?: Schema[]
  anyOf?: Schema[]
  required?: string[]
  const?: unknown
  enum?: readonly unknown[]
  $ref?: string
  $defs?: Record<string, Schema>
  [keyword: string]: unknown
}

export const scenarioSchema = (): Schema => {
  const shared: Record<string, Schema> = {}
  const schema = z.toJSONSchema(scenarioFile, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const shapes = conditionShapes.get(zodSchema)
      if (!shapes) return
      const { anyOf, $defs } = z.toJSONSchema(z.union(shapes), { io: 'input' }) as Schema
      Object.assign(jsonSchema, { anyOf })
      Object.assign(shared, $defs)
    },
  }) as Schema
  const { $defs, ...rest } = schema
  return dedupeSchema(rest, { ...shared, ...$defs })
}

/** Moves repeated parts into `$defs`, which halves the text. */
const dedupeSchema = (schema: Schema, $defs: Readonly<Record<string, Schema>>): Schema => {
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

/**
 * Rebuilds a schema from the inside out. `change` receives each object schema with its original
 * text.
 */
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
