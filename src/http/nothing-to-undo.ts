import { MAX_UNDO } from '../journal/undo-history.js'
import { illegalTransition, type Refusal } from '../world/kernel/refusal.js'

export const nothingToUndo = (): Refusal =>
  illegalTransition(
    `nothing can be undone: of what was done from outside since the start, or since the world made room for others, the newest ${MAX_UNDO.toLocaleString('en')} ` +
      'commands are kept, of resets and restores the newest ten, and none of them is left',
  )
