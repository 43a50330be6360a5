import { describe, expect, test } from 'vitest'
import { assumptionIds } from '../../src/assumptions/ids.js'
import { type Damage, damage } from './damage.js'
import { compareAnswers } from './equal-answers.js'
import { probeAll } from './play-probe.js'
import {
  createRandom,
  drawTruth,
  findWrong,
  judgeEntries,
  openService,
  type Service,
} from './recorded-service.js'
import { createTeam } from './team-at-work.js'

/** Other settings: CALIBRATE_FROM=1000 CALIBRATE_SETTINGS=1000 */
const FROM = Number(process.env.CALIBRATE_FROM ?? 1)
const SETTINGS = Number(process.env.CALIBRATE_SETTINGS ?? 20)
const IS_SHOWN = process.env.CALIBRATE_SHOW !== undefined
const seeds = (count: number) => Array.from({ length: count }, (_, n) => FROM + n)

const playProbe = async (readings: Readonly<Record<string, string>>, seed: number) => {
  const service = await openService(readings, seed)
  await probeAll(service)
  await service.sandbox.close()
  return service
}

test('calibrate finds the hidden readings of a service, and a sandbox with them answers alike', async () => {
  const wrong: string[] = []
  const open: string[] = []
  let equal = 0
  let before = 0
  for (const seed of seeds(SETTINGS)) {
    const truth = drawTruth(createRandom(seed))
    const { entries, facts } = await playProbe(truth, seed)
    const found = judgeEntries([entries], facts, true)
    wrong.push(...findWrong(found, truth).map((text) => `seed ${seed}: ${text}`))
    expect(found.contradictions.map(({ about }) => about)).toEqual([])
    const verdicts = [...found.verdicts.values()]
    const confirmed = verdicts.filter(({ outcome }) => outcome === 'confirmed')
    const settled = verdicts.filter(({ outcome }) => outcome === 'no difference').concat(confirmed)
    open.push(...verdicts.filter((it) => !settled.includes(it)).map(({ id }) => id))
    const readings = Object.fromEntries(confirmed.map(({ id, left }) => [id, left[0] ?? '']))
    equal += compareAnswers(entries, (await playProbe(readings, seed)).entries)
    if (IS_SHOWN) before += compareAnswers(entries, (await playProbe({}, seed)).entries)
  }
  if (IS_SHOWN)
    console.log({ before: before / SETTINGS, after: equal / SETTINGS, open: open.length })
  expect(wrong).toEqual([])
  expect(equal / SETTINGS).toBeGreaterThan(0.98)
  const rarely = assumptionIds.filter((id) => open.filter((it) => it === id).length > SETTINGS / 2)
  expect(rarely).toEqual([])
  expect(open.length / (SETTINGS * assumptionIds.length)).toBeLessThan(0.05)
})

const STEPS = 150

/** Two teams at work; each entry has the number of its team. */
const playTeams = async (service: Service, seed: number, count: number) => {
  const teams = [
    createTeam(service, createRandom(seed + 5)),
    createTeam(service, createRandom(seed * 31 + 7), 500),
  ]
  const random = createRandom(seed * 3 + 1)
  const owners: number[] = []
  for (let step = 0; step < STEPS; step++) {
    const team = random() < 0.5 ? 0 : count - 1
    await teams[team]?.()
    while (owners.length < service.entries.length) owners.push(team)
  }
  return owners
}

const SKEW = -420_000

describe('calibrate is not wrong about', () => {
  test.each<[string, number, Damage]>([
    ['the traffic of one team', 1, {}],
    ['the traffic of two teams', 2, {}],
    ['entries in another order', 2, { shuffle: true }],
    ['a recording without a tenth of its entries', 2, { drop: 0.1 }],
    ['a recording without two fifths of its entries', 2, { drop: 0.4 }],
    ['cut bodies', 2, { cut: 0.15 }],
    [
      'two files, of which one clock is off',
      2,
      { drop: 0.15, cut: 0.1, shuffle: true, skew: SKEW },
    ],
  ])('%s', async (_, teams, how) => {
    const wrong: string[] = []
    for (const seed of seeds(Math.ceil(SETTINGS / 5))) {
      const truth = drawTruth(createRandom(seed + 17))
      const service = await openService(truth, seed)
      const owners = await playTeams(service, seed, teams)
      await service.sandbox.close()
      const random = createRandom(seed + 99)
      const isWhole = !how.drop && !how.cut
      const files = how.skew
        ? [0, 1].map((team) =>
            damage(
              service.entries.filter((_entry, n) => owners[n] === team),
              random,
              { ...how, skew: team === 0 ? 0 : SKEW },
            ),
          )
        : [damage(service.entries, random, how)]
      const found = judgeEntries(files, {}, isWhole)
      wrong.push(...findWrong(found, truth).map((text) => `seed ${seed}: ${text}`))
      expect(found.contradictions.map(({ about }) => about)).toEqual([])
    }
    expect(wrong).toEqual([])
  })
})
