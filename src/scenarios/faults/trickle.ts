import { DURATION_HELP } from '../../kernel/time.js'
import { strict } from '../../lib/yaml/strict.js'
import { defineFault } from './define.js'
import { duration, MAX_DELAY_MS, parseMs } from './timing.js'

const TRICKLE = `${DURATION_HELP}, above zero and at most 5m`

export const trickle = defineFault({
  field: 'trickle',
  schema: strict({
    over: duration
      .refine((text) => parseMs(text) > 0 && parseMs(text) <= MAX_DELAY_MS, TRICKLE)
      .describe('Real time for the body, above zero and at most 5m'),
  }),
  about: 'Sends the headers at once and the body in up to 100 chunks at equal intervals',
  examples: ['{ over: 5s }'],
  fills: () => ['send'],
  effect: ({ over }) => ({ send: { over_ms: parseMs(over) } }),
  sentence: ({ over }) => `◷ body sent in pieces over ${over}`,
})
