import { describe, expect, test } from 'vitest'
import { type AssumptionId, readingNames } from '../../src/assumptions/ids.js'
import { Client } from '../support/client.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { keeping, servedDocument } from '../support/served-document.js'
import { choose, choosing } from './chosen.js'
import type { AnyCase } from './reading-case.js'

/**
 * Tests each reading of these assumptions through the service API, chosen by the world. A request chooses in one
 * way for all of them, so one other reading of each stands for it.
 */
export const testReadings = (cases: Readonly<Record<string, AnyCase>>): void => {
  for (const [id, { see, as, worldOnly, options, unreported = [] }] of Object.entries(cases)) {
    describe(id, () => {
      test.each(readingNames(id as AssumptionId))('%s, chosen by the world', async (reading) => {
        const api = await (options ? openOwnSandbox(options) : openSandbox())
        await choose(api, id, reading)
        const { answers, carry } = keeping(api.carry)
        const { client, reported } = choosing(new Client(api.sandbox, carry), undefined)
        expect(await see(client, {})).toEqual(as[reading])
        const { faultsOf } = await servedDocument(api.carry)
        expect((await Promise.all(answers.map(faultsOf))).flat()).toEqual([])
        // Commands that no request runs are counted, and no response names them.
        const { hits } = await api.read<{ hits: number }>(`/_sandbox/assumptions/${id}`)
        expect(hits).toBeGreaterThan(0)
        const isNamed = !worldOnly && !unreported.includes(reading)
        if (isNamed) expect([...reported]).toContain(`${id}=${reading}`)
        expect(api.sandbox.audit().violations).toEqual([])
      })
      if (worldOnly) return
      const other = readingNames(id as AssumptionId).slice(-1)
      test.each(other)('%s, chosen by the request', async (reading) => {
        const api = await (options ? openOwnSandbox(options) : openSandbox())
        const { client, reported } = choosing(api, `${id}=${reading}`)
        const chosen = { 'x-sandbox-reading': `${id}=${reading}` }
        expect(await see(client, chosen)).toEqual(as[reading])
        if (!unreported.includes(reading)) expect([...reported]).toContain(`${id}=${reading}`)
        expect(api.sandbox.tables.readings.size).toBe(0)
      })
    })
  }
}
