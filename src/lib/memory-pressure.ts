import { getHeapStatistics } from 'node:v8'

/** Whether what the process may use of memory is nearly used up. */
export type IsUnderMemoryPressure = () => boolean

/** The share of the heap from which on memory is short: garbage is collected before it comes to this. */
const SHORT = 0.8
/** The part of the heap's limit that only new objects use. */
const FOR_NEW_BYTES = 48 * 1024 * 1024

export const isUnderMemoryPressure: IsUnderMemoryPressure = () => {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return used_heap_size > SHORT * (heap_size_limit - FOR_NEW_BYTES)
}
