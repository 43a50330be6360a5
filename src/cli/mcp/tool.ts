import { formatUnknown } from '../../lib/app-error.js'
import { UsageError } from '../../lib/arguments.js'
import { deriveWorldId, hashSecret, isWorldId, isWorldKey } from '../../lib/secrets.js'
import { didYouMean } from '../../lib/suggest.js'

export type Json = Readonly<Record<string, unknown>>

export interface Schema extends Json {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
}

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Schema
  readonly hint?: 'readOnlyHint' | 'destructiveHint'
  readonly run: (input: Json) => Promise<unknown>
}

export const text = (description: string) => ({ type: 'string', description })

export const WORLD = text('the key of createWorld, an id of listWorlds, or default')

/** Refuses a misspelt world. A well-formed key may still be of no world. */
export const parseWorld = (world: unknown): string => {
  const given = String(world)
  if (isWorldKey(given)) return deriveWorldId(hashSecret(given))
  if (isWorldId(given) || given === 'all') return given
  throw new UsageError({ field: 'world', received: world, expected: WORLD.description })
}

export const assertKnown = (kind: string, name: string, names: readonly string[]): void => {
  if (names.includes(name)) return
  throw new UsageError(
    formatUnknown(kind, name, names.join(', ') || 'none', didYouMean(name, names)),
  )
}

/** The SDK checks no arguments, and a misspelt query parameter would have no effect. */
export const runTool = (kind: string, name: string, tools: readonly Tool[], input: Json) => {
  const tool = tools.find((it) => it.name === name)
  assertKnown(
    kind,
    name,
    tools.map((it) => it.name),
  )
  const { properties = {}, required = [] } = tool?.inputSchema ?? {}
  for (const it of Object.keys(input)) assertKnown('argument', it, Object.keys(properties))
  const missing = required.find((it) => input[it] === undefined)
  if (missing === undefined) return tool?.run(input)
  const expected = String(properties[missing]?.description ?? 'a value')
  throw new UsageError({ field: missing, expected })
}

/** Longer values of a list's items are no part of the short form. */
const MAX_NESTED = 160

/** Items of lists lose their long values, and the result names those. */
export const toShortForm = (value: unknown): unknown => {
  const omitted = new Set<string>()
  const shorten = (item: unknown) => {
    if (typeof item !== 'object') return item
    const long = Object.entries(Object(item)).filter(
      ([, it]) => typeof it === 'object' && JSON.stringify(it).length > MAX_NESTED,
    )
    for (const [name] of long) omitted.add(name)
    return { ...item, ...Object.fromEntries(long.map(([name]) => [name, undefined])) }
  }
  const fields = Object.entries(Object(value)).map(([name, it]) => [
    name,
    Array.isArray(it) ? it.map(shorten) : it,
  ])
  const left_out = omitted.size > 0 ? `${[...omitted].join(', ')}: full=true has them` : undefined
  return { ...Object.fromEntries(fields), left_out }
}
