import * as z from 'zod'
import type { StepView } from '../../activity/entry-sentences.js'
import { describeEntry } from '../../activity/story.js'
import { readClockSetting } from '../../domain/clock.js'
import type { World } from '../../domain/world.js'
import { ok, operation } from '../../http/operation/operation.js'
import { CommandRecord } from '../../kernel/command-record.js'
import type { Entry } from '../../kernel/entry.js'
import { DURATION_HELP, INSTANT_HELP, instantText, toIso } from '../../kernel/time.js'
import { compareByDue, nextStep, type Timer } from '../../kernel/timer-records.js'
import { invalidValue, inWords } from '../../lib/app-error.js'
import { duration } from '../../scenarios/faults/timing.js'
import {
  CLOCK_MODE_HELP,
  parseAdvanceTarget,
  parseClockSetting,
  parseLater,
} from '../../worlds/clock.js'
import { MAX_FIRED } from '../../worlds/live-world.js'
import { fields, NO_FIELDS } from './fields.js'
import { entry } from './journal.js'

export const timer = z
  .object({
    id: z.string(),
    due: z.iso.datetime().nullable().meta({ description: 'Null while it waits for reads' }),
    reads: z.int().optional().meta({ description: 'How many reads it waits for' }),
    subject: z.string().meta({ description: 'Id of the record that it is about' }),
    command: z
      .string()
      .meta({ description: 'The command that it will run', example: 'transfer.move' }),
    input: z.unknown(),
    scenario: z.string(),
    rule: z.int(),
    source: z.string().meta({ description: 'File and line of the rule' }),
  })
  .meta({ id: 'Timer' })

/** Next one first. */
export const showTimers = (timers: readonly Timer[], most?: number): z.input<typeof timer>[] =>
  timers.toSorted(compareByDue).slice(0, most).map(showTimer)

const showTimer = (it: Timer): z.input<typeof timer> => {
  const { subject, scenario, rule, source } = it.plan
  const { command = '', input } = nextStep(it) ?? {}
  const due = it.due === null ? { due: null, reads: it.reads } : { due: toIso(it.due) }
  return { id: it.id, ...due, subject, command, input, scenario, rule, source }
}

const MAX_SHOWN = 20

const clock = z
  .object({
    now: z.iso.datetime().meta({ description: 'The world’s time' }),
    mode: z.enum(['real', 'manual', 'speed']),
    speed: z.number().meta({ description: 'World seconds per second: 0 is paused, 1 is real' }),
    pending: z.int().meta({ description: 'How many timers are pending' }),
    next: z.array(timer).meta({ description: `The next timers, at most ${MAX_SHOWN}` }),
  })
  .meta({ id: 'Clock' })

const showClock = ({ tables, now }: World): z.input<typeof clock> => {
  const { mode, speed } = readClockSetting(tables)
  const next = showTimers(tables.timers.all(), MAX_SHOWN)
  return { now: toIso(now), mode, speed, pending: tables.timers.size, next }
}

export const getClock = operation({
  id: 'getClock',
  method: 'get',
  path: '/_sandbox/clock',
  tag: 'Clock',
  summary: 'Read the clock',
  description: 'The world’s time, its mode, and the next timers.',
  answers: { 200: { description: 'The clock', schema: clock } },
  handle: ({ world }) => ok(showClock(world)),
})

export const setClock = operation({
  id: 'setClock',
  method: 'put',
  path: '/_sandbox/clock',
  tag: 'Clock',
  summary: 'Set the clock',
  description:
    'Sets the mode (`real`, `manual`, or a speed such as `60x`), a later `now`, or both. Timers ' +
    'that become due fire first, each at its own time.',
  body: fields({
    mode: z
      .string(CLOCK_MODE_HELP)
      .optional()
      .meta({ description: CLOCK_MODE_HELP, example: 'manual' }),
    speed: z
      .number()
      .min(0, 'a number from 0')
      .max(1_000_000, 'at most 1000000')
      .optional()
      .meta({ description: 'World seconds per second: 0 is paused, 1 is real', example: 60 }),
    now: instantText().optional().meta({
      description: 'A later time of the world',
      example: '2026-07-01T00:00:00.000Z',
    }),
  }).meta({ id: 'ClockSetting', example: { mode: 'manual' } }),
  answers: { 200: { description: 'The clock after it', schema: clock } },
  errors: ['4090'],
  handle: async ({ live, world, body, cause, once }) => {
    const clockSetting = parseClockSetting(body)
    if (!clockSetting && !body.now)
      throw invalidValue('body', inWords('no field'), 'mode, speed or now')
    const { now } = body
    if (now)
      await live.advanceInSlices(
        once(() => ({ to: parseLater(world, now, 'now') })),
        cause,
      )
    if (clockSetting) live.setClock(clockSetting, cause)
    return ok(showClock(live.world))
  },
})

const firedEntry = entry
  .extend({ sentence: z.string().meta({ description: 'The same in words' }) })
  .meta({ id: 'FiredEntry' })

const showFired = (view: StepView, fired: readonly Entry[]) =>
  fired.map((it) => {
    const entry = it instanceof CommandRecord ? it.toJSON() : it
    return { ...entry, sentence: describeEntry(view, entry) }
  })

const advanced = z
  .object({
    now: z.iso.datetime(),
    count: z.int().meta({ description: 'How many entries were made' }),
    fired: z.array(firedEntry).meta({ description: 'The newest 1,000 of them, oldest first' }),
  })
  .meta({ id: 'ClockAdvanced' })

export const advanceClock = operation({
  id: 'advanceClock',
  method: 'post',
  path: '/_sandbox/clock/advance',
  tag: 'Clock',
  summary: 'Advance the clock',
  description:
    'Moves the world’s time `by` a duration, `to` an instant, or `until` no timer is pending. ' +
    'Timers fire in order, each at its own time. Other requests of this world wait for the end. Until ' +
    'idle, rules that trigger themselves end with 409 after 1,000 generations.',
  body: fields({
    by: duration.optional().meta({ description: DURATION_HELP, example: '30m' }),
    to: instantText().optional().meta({ description: INSTANT_HELP }),
    until: z.enum(['idle']).optional().meta({ description: 'Until no timer is pending' }),
  }).meta({ id: 'ClockAdvance', example: { by: '30m' } }),
  answers: {
    200: {
      description: 'The new time, and the fired entries',
      schema: advanced,
    },
  },
  errors: ['4090'],
  handle: async ({ sandbox, live, world, body, cause, once }) => {
    const goal = once(() => ({ to: parseAdvanceTarget(world, body) }))
    const { now, count, fired } = await live.advanceInSlices(goal, cause)
    const view = { sandbox, tables: live.world.tables }
    return ok({ now: toIso(now), count, fired: showFired(view, fired) })
  },
})

const timerPath = z.object({
  id: z.string().meta({ description: 'Id of a pending timer', example: '12.0' }),
})

export const fireTimer = operation({
  id: 'fireTimer',
  method: 'post',
  path: '/_sandbox/timers/{id}/fire',
  tag: 'Clock',
  summary: 'Fire a timer',
  description: 'Fires a pending timer now, at the world’s present time, and what follows at once.',
  params: timerPath,
  answers: { 200: { description: 'The time, and the fired entries', schema: advanced } },
  ...NO_FIELDS,
  errors: ['4040', '4090'],
  handle: ({ sandbox, live, world, params, cause }) => {
    const { seq, tables } = world
    world.run('timer.fire', params, cause)
    const fired = live.journal.newestAfter(seq + 1, MAX_FIRED)
    const view = { sandbox, tables }
    const count = world.seq - seq - 1
    return ok({ now: toIso(world.now), count, fired: showFired(view, fired) })
  },
})

export const cancelTimer = operation({
  id: 'cancelTimer',
  method: 'delete',
  path: '/_sandbox/timers/{id}',
  tag: 'Clock',
  summary: 'Cancel a timer',
  description: 'Cancels a pending timer, and with it the later steps of its rule.',
  params: timerPath,
  answers: { 200: { description: 'The timer that was pending', schema: timer } },
  errors: ['4040'],
  handle: ({ world, params, cause }) => ok(showTimer(world.run('timer.cancel', params, cause))),
})
