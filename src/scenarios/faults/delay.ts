import * as z from 'zod'
import { DURATION_PATTERN, parseDuration } from '../../kernel/time.js'
import { defineFault } from './define.js'
import { MAX_DELAY_MS, parseMs } from './timing.js'

const DELAY = `milliseconds from 0 to ${MAX_DELAY_MS}, a duration such as 12s, or [least, most]`
const milliseconds = z.int(DELAY).min(0, DELAY).max(MAX_DELAY_MS, DELAY)
const range = z.tuple([milliseconds, milliseconds]).refine(([least, most]) => least <= most, DELAY)

const time = z
  .string(DELAY)
  .refine((text) => (parseDuration(text) ?? Number.POSITIVE_INFINITY) <= MAX_DELAY_MS, DELAY)
  .meta({ pattern: DURATION_PATTERN })
  .transform(parseMs)

export const delay = defineFault({
  field: 'delay_ms',
  schema: z.union([milliseconds, time, range], DELAY),
  about: 'Delay in real time, at most five minutes: milliseconds, a duration, or [min, max]',
  examples: ['400', '12s', '[200, 800]'],
  fills: () => ['wait'],
  effect: (time, { draw }) => {
    if (typeof time === 'number') return { wait: { hold_ms: time } }
    const [least, most] = time
    return { wait: { hold_ms: least + Math.floor(draw() * (most - least + 1)) } }
  },
  sentence: (time) => `◷ ${[time].flat().join(' to ')} ms late`,
  choices: () => [[12_000, 'takes 12 s', 'Longer than many timeouts']],
  isCounted: Array.isArray,
  words: [{ name: 'delay', about: 'Waits before the operation, in real time.' }],
})
