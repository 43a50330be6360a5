import { defineFault } from './define.js'
import { parseMs, positiveDuration } from './timing.js'

export const stale = defineFault({
  field: 'stale',
  schema: positiveDuration,
  about:
    'Responds to a GET operation with an older state, by this duration in world time, as a lagging replica does',
  examples: ['30s'],
  fills: () => ['asOf'],
  effect: (time) => ({ asOf: parseMs(time) }),
  sentence: (time) => `≈ answered as of ${time} earlier`,
  isForReads: true,
  words: [{ name: 'stale', about: 'Answers a GET as of some time ago, in the time of the world.' }],
})
