/** Returns the value at a path, or undefined. Inherited properties do not count. */
export const getAt = (value: unknown, path: readonly PropertyKey[]): unknown => {
  let at = value
  for (const key of path) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, key)) return undefined
    at = (at as Record<PropertyKey, unknown>)[key]
  }
  return at
}
