import { oneOf } from '../../lib/yaml/strict.js'
import { defineFault, endRequest, endSlots } from './define.js'

export const reset = defineFault({
  field: 'reset',
  schema: oneOf(['before', 'after']),
  about: 'Resets the connection (RST): before or after the operation',
  examples: ['before', 'after'],
  fills: endSlots,
  effect: (side) => endRequest(side, 'reset'),
  sentence: (side) =>
    side === 'before' ? '✂ reset before anything is done' : '✂ done, then reset',
})
