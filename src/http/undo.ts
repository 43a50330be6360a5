import { MOST_ACTS } from '../journal/history.js'
import { illegal, type Refusal } from '../world/kernel/refusal.js'

export const nothingToUndo = (): Refusal =>
  illegal(
    `nothing can be undone: of what was done from outside since the start, or since the world made room for others, the newest ${MOST_ACTS.toLocaleString('en')} ` +
      'commands are kept, of resets and restores the newest ten, and none of them is left',
  )
