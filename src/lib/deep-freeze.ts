/** Worlds share records, so callers must not change them. */
export const deepFreeze = <T>(value: T): T => {
  if (!isPlain(value) || Object.isFrozen(value)) return value
  for (const inner of Object.values(Object.freeze(value))) deepFreeze(inner)
  return value
}

/** Freezes each item, but not the list, which belongs to the caller. */
export const deepFreezeAll = <L extends readonly unknown[]>(list: L): L => {
  list.forEach(deepFreeze)
  return list
}

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false
  const made = Object.getPrototypeOf(value)
  return made === Object.prototype || made === Array.prototype || made === null
}
