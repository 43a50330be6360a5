import { oneOf } from '../../lib/yaml/strict.js'
import { defineFault, endRequest, endSlots } from './define.js'

export const hang = defineFault({
  field: 'hang',
  schema: oneOf(['before', 'after']),
  about:
    'Never responds: before or after the operation. Ends when the client leaves, or after five minutes',
  examples: ['before', 'after'],
  fills: endSlots,
  effect: (side) => endRequest(side, 'hang'),
  sentence: (side) => (side === 'before' ? '… never answered' : '… done, then never answered'),
})
