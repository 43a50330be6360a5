import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { World } from '../../src/domain/world.js'
import { histories, play, playAll, type Step } from './histories.js'
import { type Opened, openBase, openWorld } from './open-world.js'
import { listsDue, listsTold, textOf } from './records.js'

const wholeOf = ({ tables }: World): string =>
  textOf(tables) + JSON.stringify(listsTold(tables, Object.keys(listsDue(tables, []))))

const historyOf = ({ world, entries }: Opened): string =>
  `${wholeOf(world)}\n${JSON.stringify(entries)}\n${world.now}`

/** Plays two histories in turn, a step of one and a step of the other. */
const playInTurn = (a: World, b: World, ofA: readonly Step[], ofB: readonly Step[]): void => {
  for (let place = 0; place < Math.max(ofA.length, ofB.length); place++) {
    const [forA, forB] = [ofA[place], ofB[place]]
    if (forA) play(a, forA, place)
    if (forB) play(b, forB, place)
  }
}

describe('a world over a base', () => {
  test('never changes the base', () => {
    const base = openBase()
    const before = wholeOf(base)
    const { now, seq, nextDue } = base
    fc.assert(
      fc.property(histories(20, 60), (history) => {
        const { world } = openWorld({ base })
        playAll(world, history)
        expect(wholeOf(base)).toBe(before)
        expect({ now: base.now, seq: base.seq, nextDue: base.nextDue }).toEqual({
          now,
          seq,
          nextDue,
        })
      }),
      { numRuns: 15 },
    )
  })

  test('shares nothing with another world over the same base', () => {
    const base = openBase()
    fc.assert(
      fc.property(histories(10, 40), histories(10, 40), (ofA, ofB) => {
        const [a, b] = [openWorld({ base, seed: 'a' }), openWorld({ base, seed: 'b' })]
        playInTurn(a.world, b.world, ofA, ofB)
        const [aloneA, aloneB] = [openWorld({ base, seed: 'a' }), openWorld({ base, seed: 'b' })]
        playAll(aloneA.world, ofA)
        playAll(aloneB.world, ofB)
        expect(historyOf(a)).toBe(historyOf(aloneA))
        expect(historyOf(b)).toBe(historyOf(aloneB))
      }),
      { numRuns: 15 },
    )
  })

  test('is the same for the same seed over any base with the same fixtures', () => {
    fc.assert(
      fc.property(histories(10, 40), fc.string(), (history, seed) => {
        const [one, other] = [openBase(), openBase()].map((base) => openWorld({ base, seed }))
        if (!one || !other) throw new Error('two worlds were opened')
        playAll(one.world, history)
        playAll(other.world, history)
        expect(historyOf(other)).toBe(historyOf(one))
      }),
      { numRuns: 20 },
    )
  })

  test('has other ids for another seed', () => {
    const base = openBase()
    const make = (seed: string) => {
      const { world } = openWorld({ base, seed })
      const user_id = '11111111-1111-4111-8111-000000000001'
      const customer_wallet_ref = 'eeeeeeee-eeee-4eee-8eee-000000000001'
      const input = { user_id, chain: 'polygon', customer_wallet_ref }
      const { wallet } = world.run('wallet.create', input, { kind: 'library' })
      return [wallet.id, wallet.wallet_address]
    }
    const seeds = ['', '0', 'a', 'b', 'A', 'a ', 'seed', 'Seed']
    expect(new Set(seeds.flatMap(make)).size).toBe(2 * seeds.length)
    expect(make('a')).toEqual(make('a'))
  })

  test('draws other ids after a refusal, as the entry that it made counts', () => {
    const base = openBase()
    const consent = { tnc_accepted: true, accepted_at: '2026-06-15T08:00:00.000Z' }
    const idAfter = (steps: Step[]) => {
      const { world } = openWorld({ base })
      playAll(world, steps)
      return world.run('consent.create', consent, { kind: 'library' }).id
    }
    const refused: Step = { command: 'consent.create', choice: { declined: true } }
    expect(idAfter([refused])).not.toBe(idAfter([]))
    expect(idAfter([{ advance_ms: 60_000 }])).toBe(idAfter([]))
  })
})
