import { DURATION_HELP } from '../../kernel/time.js'
import { oneOf, strict } from '../../lib/yaml/strict.js'
import { defineFault } from './define.js'
import { duration, MAX_DELAY_MS, parseMs } from './timing.js'

const HOLD = `${DURATION_HELP}, at most 5m`

export const hold = defineFault({
  field: 'hold',
  schema: strict({
    before: oneOf(['commit', 'answer']).describe(
      'commit: before the command runs; answer: between the command and the response',
    ),
    for: duration
      .refine((text) => parseMs(text) <= MAX_DELAY_MS, HOLD)
      .describe('Real time, at most 5m'),
  }),
  about: 'Holds the request in real time while others are served: before or after its command',
  examples: ['{ before: commit, for: 400ms }', '{ before: answer, for: 400ms }'],
  fills: ({ before }) => [before === 'commit' ? 'before' : 'after'],
  effect: ({ before, for: time }) => {
    const held = { hold_ms: parseMs(time) }
    return before === 'commit' ? { before: held } : { after: held }
  },
  sentence: ({ before, for: time }) =>
    before === 'commit'
      ? `◷ held for ${time} before it is done`
      : `◷ done, then held for ${time} before the answer`,
  words: [
    {
      name: 'hold',
      about: 'Holds the request before the operation, or its response after it, in real time.',
    },
  ],
})
