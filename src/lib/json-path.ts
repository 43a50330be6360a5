/** Plain JSON: whether a value is a UUID, what stands at a path in one, how deep it is, and where a string in a text of it ends. */

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Whether a value is a UUID of any version, in either case. */
export const isUuid = (value: unknown): value is string =>
  typeof value === 'string' && UUID.test(value)

/** The value at a path; undefined where the path leads nowhere. What objects inherit is nowhere. */
export const getAt = (value: unknown, path: readonly PropertyKey[]): unknown => {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<PropertyKey, unknown>)[key]
  }
  return at
}

/** Whether a value has more levels than these. */
export const exceedsDepth = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((inner) => exceedsDepth(inner, levels - 1)))

/** Where the closing quote stands of a string that begins here in JSON. A pattern would take stack for each escape. */
export const endOfString = (json: string, start: number): number => {
  let end = json.indexOf('"', start + 1)
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1)
  return end
}

const isEscaped = (json: string, at: number): boolean => {
  let before = at
  while (json[before - 1] === '\\') before--
  return (at - before) % 2 === 1
}
