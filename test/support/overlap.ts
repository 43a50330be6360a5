import { expect } from 'vitest'
import type { Client } from './client.js'

/** Lets two requests overlap: a rule holds the first of each operation until the second has come. */
export const overlapping = () => {
  const held: (() => void)[] = []
  return {
    /** A sandbox of these waits for the test wherever it would wait for time. */
    options: { sleep: () => new Promise<void>((go) => held.push(go)) },
    /** Lets the world play the rule. */
    play: async (api: Client, before: 'commit' | 'answer' = 'commit'): Promise<void> => {
      const hold = { hold: { before, for: '400ms' } }
      const rules = ['createPayout', 'createCustodyWallet'].map((operation) => ({
        when: 'request',
        if: { operation },
        limit: 1,
        then: [hold],
      }))
      await api.make('/_sandbox/scenarios', { name: 'overlap', title: 'Overlap', rules })
      const names = { names: ['overlap'] }
      const active = await api.call('PUT', '/_sandbox/scenarios/active', { body: names })
      expect(active.status, JSON.stringify(active.body)).toBe(200)
    },
    /** Sends the second while the first is held. Answers both, in that order. */
    send: async <T>(call: () => Promise<T>, again = call): Promise<readonly [T, T]> => {
      const first = call()
      await expect.poll(() => held.length).toBe(1)
      const second = again()
      // A request in process is answered, refused or waiting after a few turns of the event loop.
      for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next))
      held.pop()?.()
      return [await first, await second]
    },
  }
}
