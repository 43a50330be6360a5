import type { Tables } from '../domain/schema.js'

/** What of a table only the kernel calls. */
const WRITING: ReadonlySet<PropertyKey> = new Set(['write', 'load'])

const views = new WeakMap<object, object>()

/**
 * A world's tables for a program that looks at them. Records are shared, by worlds and with what a reset
 * brings back, so what comes out is frozen: whoever wants to change something runs a command.
 */
export const readonlyView = (tables: Tables): Tables => createView(tables, viewTable)

/** Freezes each of a list; the list itself is the caller's own. */
export const deepFreezeAll = <L extends readonly unknown[]>(list: L): L => {
  list.forEach(deepFreeze)
  return list
}

/** Freezes what is plain, such as a record or an entry of the journal, with all that is in it. */
export const deepFreeze = <T>(value: T): T => {
  if (!isPlain(value) || Object.isFrozen(value)) return value
  for (const inner of Object.values(Object.freeze(value))) deepFreeze(inner)
  return value
}

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false
  const made = Object.getPrototypeOf(value)
  return made === Object.prototype || made === Array.prototype || made === null
}

const viewTable = (table: object): object =>
  createView(table, (method, name) => (...given: unknown[]) => {
    if (!WRITING.has(name)) {
      const told = (method as Method).apply(table, given)
      return Array.isArray(told) ? deepFreezeAll(told) : deepFreeze(told)
    }
    throw new TypeError(
      `tables are there to read; ${String(name)} came, accepted: run(command, input)`,
    )
  })

type Method = (...given: unknown[]) => unknown

/** The same object, whose parts are seen through `view`; one and the same view of it each time. */
const createView = <T extends object>(
  whole: T,
  view: (part: object, name: PropertyKey) => object,
): T => {
  const known = views.get(whole)
  if (known) return known as T
  const made = new Proxy(whole, {
    get: (_, name) => {
      const part: unknown = Reflect.get(whole, name, whole)
      return part instanceof Object ? view(part, name) : part
    },
    set: () => false,
  })
  views.set(whole, made)
  return made
}
