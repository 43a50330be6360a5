import * as z from 'zod'
import { defineFault } from './define.js'
import { MAX_DELAY_MS } from './timing.js'

const DELAY = `milliseconds from 0 to ${MAX_DELAY_MS}, or two of them as [least, most]`
const milliseconds = z.int(DELAY).min(0, DELAY).max(MAX_DELAY_MS, DELAY)
const range = z.tuple([milliseconds, milliseconds]).refine(([least, most]) => least <= most, DELAY)

export const delay = defineFault({
  field: 'delay_ms',
  schema: z.union([milliseconds, range], DELAY),
  about: 'Delay in real time, at most five minutes: milliseconds, or [min, max]',
  examples: ['400', '[200, 800]'],
  fills: () => ['wait'],
  effect: (time, { draw }) => {
    if (typeof time === 'number') return { wait: { hold_ms: time } }
    const [least, most] = time
    return { wait: { hold_ms: least + Math.floor(draw() * (most - least + 1)) } }
  },
  sentence: (time) => `◷ ${[time].flat().join(' to ')} ms late`,
  choices: () => [[12_000, 'takes 12 s', 'Longer than many timeouts']],
  isCounted: Array.isArray,
})
