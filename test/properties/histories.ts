import fc from 'fast-check'
import { assumptionIds, readingNames } from '../../src/assumptions/ids.js'
import type { Tables } from '../../src/domain/schema.js'
import type { CommandName, World } from '../../src/domain/world.js'
import type { Cause } from '../../src/kernel/entry.js'
import { Refusal } from '../../src/kernel/refusal.js'
import { fixtures } from './open-world.js'
import type { Verb } from './verbs/choices.js'
import { verbs } from './verbs/index.js'

/** One thing that somebody outside does to a world. Ids are chosen when it is played. */
export type Step =
  | { readonly command: CommandName; readonly choice: unknown }
  | { readonly advance_ms: number }
  | { readonly until: 'idle' }

type AnyVerb = Verb<CommandName, unknown>

const verbOf = (command: CommandName): AnyVerb => verbs[command] as unknown as AnyVerb

const commandSteps = (Object.keys(verbs) as CommandName[]).map((command) => ({
  weight: verbOf(command).weight,
  arbitrary: verbOf(command).choice.map((choice): Step => ({ command, choice })),
}))

const PAUSES = [-5_000, 0, 1, 500, 1_999, 2_000, 2_001, 8_000, 3_600_000]

const timeSteps = [
  { weight: 16, arbitrary: fc.constantFrom(...PAUSES).map((advance_ms): Step => ({ advance_ms })) },
  { weight: 2, arbitrary: fc.constant<Step>({ until: 'idle' }) },
]

/** Histories of what is done from outside, between these lengths. */
export const histories = (minLength: number, maxLength: number): fc.Arbitrary<Step[]> =>
  fc.array(fc.oneof(...commandSteps, ...timeSteps), { minLength, maxLength, size: 'max' })

/** The input that a choice comes down to in a world as it is now. */
export const inputOf = (tables: Tables, command: CommandName, choice: unknown): never =>
  verbOf(command).input(tables, choice) as never

export const causeOf = (place: number, operation: string): Cause => ({
  kind: place % 2 === 0 ? 'request' : 'control',
  request: `request-${place}`,
  operation,
  ...(place % 3 === 0 && { key: KEY }),
  ...(place % 7 === 0 && { scenarios: ['named'] }),
  ...(place % 5 === 0 && { readings: CHOSEN }),
})

/** Readings that some requests choose: above all those that move money differently. */
const CHOSEN = {
  'payout.fee': 'deducted',
  'payout.repeat': 'second',
  'payout.source': 'custody',
  'wallet.repeat': 'second',
  'offramp.asset': 'solana',
  'deposit.limits': 'unmatched',
  'conversion.rate_fixed': 'conversion',
  'user.gate': 'accepted',
}

/** The full-access key of the fixtures. */
const KEY = fixtures.api_keys[0]?.id ?? ''

/** A reading of everything that is open. */
export const anyReadings: fc.Arbitrary<Step[]> = fc
  .tuple(...assumptionIds.map((id) => fc.constantFrom(...readingNames(id))))
  .map((all) => all.map((reading, i) => ({ id: assumptionIds[i] ?? '', reading })))
  .map((all) => all.map((choice) => ({ command: 'reading.choose', choice })))

/** Plays one step; answers the refusal when there is one. A bug comes through. */
export const play = (world: World, step: Step, place: number): Refusal | undefined => {
  if ('until' in step) world.advance('idle')
  else if ('advance_ms' in step) world.advance(world.now + step.advance_ms)
  else {
    const { command, choice } = step
    const input = inputOf(world.tables, command, choice)
    try {
      world.run(command, input, causeOf(place, command))
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    }
  }
  return undefined
}

export const playAll = (world: World, history: readonly Step[]): void => {
  for (const [place, step] of history.entries()) play(world, step, place)
}
