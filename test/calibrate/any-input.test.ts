import { expect, test } from 'vitest'
import { calibrate } from '../../src/calibrate/calibrate.js'
import { toReport } from '../../src/calibrate/report.js'
import { probeAll } from './play-probe.js'
import {
  contract,
  createRandom,
  type Entry,
  judgeEntries,
  openService,
  pickFrom,
} from './recorded-service.js'

const record = async () => {
  const service = await openService({}, 1)
  await probeAll(service)
  await service.sandbox.close()
  // The large body says nothing here, and each copy of it takes time.
  return { ...service, entries: service.entries.filter((it) => it.request.bodySize < 2 ** 20) }
}

const ODD = [
  null,
  0,
  -1,
  1e308,
  '',
  'x',
  [],
  {},
  [null],
  true,
  'PAYOUT_PROCESSED',
  '2026-01-01T00:00:00Z',
]

/** Replaces and removes parts of a value. */
const mutate = (value: unknown, random: () => number): unknown => {
  if (random() < 0.02) return pickFrom(random, ODD)
  if (Array.isArray(value)) return value.map((it) => mutate(it, random))
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(() => random() > 0.01)
  return Object.fromEntries(kept.map(([name, it]) => [name, mutate(it, random)]))
}

const mutateJson = (text: string, random: () => number): string => {
  try {
    return JSON.stringify(mutate(JSON.parse(text), random)) ?? ''
  } catch {
    return text
  }
}

test('calibrate judges any input', async () => {
  const { entries, facts } = await record()
  for (let seed = 1; seed <= 40; seed++) {
    const random = createRandom(seed)
    const rest = structuredClone(entries) as Entry[]
    for (const { request, response } of rest) {
      response.content.text = mutateJson(response.content.text, random)
      if (request.postData) request.postData.text = mutateJson(request.postData.text, random)
      response.content.size = request.bodySize = -1
      if (random() < 0.05)
        response.status = pickFrom(random, [0, 202, 204, 301, 418, 422, 429, 500])
    }
    const isShape = seed % 2 === 0
    const mutated = isShape ? rest.map((entry) => mutate(entry, random)) : rest
    const file = { name: 'a.har', entries: mutated, isComplete: random() < 0.5 }
    const found = calibrate([file], { contract, facts })
    if (found) expect(toReport(found, ['a.har']).verdicts).toHaveLength(42)
  }
})

/** Copies of a recording, each with ids of its own, one after the other. */
const multiply = (entries: readonly Entry[], most: number): Entry[] => {
  const text = JSON.stringify(entries)
  const copies = Math.ceil(most / entries.length)
  return Array.from({ length: copies }, (_, n) => {
    const own = text.replace(/\bc0de\d{4}/g, () => `c0de${String(n + 1).padStart(4, '0')}`)
    return (JSON.parse(own) as Entry[]).map((entry) => {
      const at = Date.parse(entry.startedDateTime) + n * 200_000_000
      return { ...entry, startedDateTime: new Date(at).toISOString() }
    })
  })
    .flat()
    .slice(0, most)
}

test('calibrate takes time in proportion to the number of requests', async () => {
  const { entries, facts } = await record()
  const measure = (count: number) => {
    const many = multiply(entries, count)
    const start = performance.now()
    judgeEntries([many], facts, true)
    return performance.now() - start
  }
  measure(1_000)
  const [small, large] = [measure(2_000), measure(20_000)]
  // Ten times the requests: a quadratic search would take a hundred times as long.
  expect(large / small).toBeLessThan(40)
})
