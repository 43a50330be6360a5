import {
  createWorld,
  type Recorder,
  type World,
  type WorldOptions,
} from '../../src/domain/world.js'
import type { Entry } from '../../src/kernel/entry.js'
import { fixturesFolder, scenariosFolder } from '../../src/lib/paths.js'
import { readFixtures } from '../../src/runtime/seed-data/read-fixtures.js'
import { createRuleEvaluator } from '../../src/scenarios/evaluate/event-rules.js'
import { createCatalogue } from '../../src/scenarios/language/catalogue.js'
import { parseScenario, parseScenarioFile } from '../../src/scenarios/language/parse-scenario.js'

/** A world, and the entries that it has made so far. */
export interface Opened {
  readonly world: World
  readonly entries: readonly Entry[]
}

export const fixtures = readFixtures(fixturesFolder)

/** Rules that use all that event rules can do, so that histories meet it. */
const mixed = parseScenario(
  `
name: mixed
title: A little of everything
rules:
  - when: transfer.created
    if: { status: PENDING, source_amount: { gte: 100 }, account: { currency: [EUR, NGN] } }
    chance: 0.5
    then:
      - { after: 1s, move: FUNDS_RECEIVED }
      - { after_reads: 2, move: CONVERSION_PROCESSED }
      - { after: 1m, move: FAILED, reason: account_closed }
  - when: deposit.received
    if: { matched: offramp, amount: { lt: 50 } }
    skip: 1
    limit: 3
    then:
      - { after: 2s, deposit: { amount: 60 } }
      - { set_key: { expires_at: 1h } }
  - when: payout.created
    if: { amount: { lte: 20 } }
    per: user_id
    limit: 2
    then:
      - { after: 1s, move: PAYOUT_FAILED, reason: limit_exceeded }
      - { credit: {} }
  - when: user.created
    chance: 0.3
    then:
      - { stop: true }
  - when: transfer.moved
    if: { status: FAILED, source_amount: { gte: 10 } }
    limit: 2
    then:
      - { credit: { currency: EUR, amount: 1 } }
`,
  'mixed.yaml',
)

/** Named by some requests of a history. */
const named = parseScenario(
  `
name: named
title: What some requests ask for
rules:
  - when: transfer.created
    if: { status: PENDING }
    then: [{ after: 3s, move: CANCELLED, reason: asked_for }]
  - when: payout.created
    then: [{ stop: true }]
`,
  'named.yaml',
)

const catalogue = createCatalogue([mixed], {
  started: [parseScenarioFile(`${scenariosFolder}/happy-path.yaml`)],
  all: () => [named],
})
export const rules = createRuleEvaluator(catalogue)

/** A world that holds the shipped fixtures and nothing else. */
export const openBase = (record: Recorder = frozen): World => {
  const base = createWorld({
    seed: 'fixtures',
    now: fixtures.now,
    evaluateRules: () => undefined,
    record,
  })
  base.run('fixtures.load', fixtures, { kind: 'fixtures' })
  base.run('scenarios.activate', { names: catalogue.start }, { kind: 'boot' })
  return base
}

export interface Opening {
  readonly base: World
  readonly seed?: string
  readonly react?: WorldOptions['evaluateRules']
  /** Receives its entries too. */
  readonly record?: Recorder
}

/** A world of its own over the fixtures, as a sandbox opens it, with rules of all kinds active. */
export const openWorld = ({
  base,
  seed = 'laws',
  react: evaluateRules = rules,
  record,
}: Opening): Opened => {
  const entries: Entry[] = []
  const world = createWorld({
    base,
    seed,
    now: fixtures.now,
    evaluateRules,
    // Frozen all the way down: a command that changes a record in place fails here.
    record: (command) => {
      entries.push(frozen(command.toJSON()))
      record?.(command)
    },
    seq: base.seq,
  })
  world.run('world.begin', { seed }, { kind: 'boot' })
  world.run('clock.set', { mode: 'manual', speed: 0, machine_ms: 0 }, { kind: 'boot' })
  return { world, entries }
}

const frozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) frozen(part)
  }
  return value
}
