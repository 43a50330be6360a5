import { illegalTransition, type Refusal } from '../kernel/refusal.js'
import { MAX_UNDO } from '../runtime/undo-history.js'

export const nothingToUndo = (): Refusal =>
  illegalTransition(
    `nothing can be undone: of what was done from outside since the start, or since the world made room for others, the newest ${MAX_UNDO.toLocaleString('en')} ` +
      'commands are kept, of resets and restores the newest ten, and none of them is left',
  )
