import { getHeapStatistics } from 'node:v8'

/** Whether what the process may use of memory is nearly used up. */
export type IsMemoryShort = () => boolean

/** Beyond it the most is in use for good: what is garbage is collected before. */
const SHORT = 0.8
/** What the heap's limit holds besides for what is new; things that stay are elsewhere. */
const FOR_NEW_BYTES = 48 * 1024 * 1024

export const isMemoryShort: IsMemoryShort = () => {
  const { used_heap_size, heap_size_limit } = getHeapStatistics()
  return used_heap_size > SHORT * (heap_size_limit - FOR_NEW_BYTES)
}
