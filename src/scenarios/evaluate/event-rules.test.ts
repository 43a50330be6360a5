import { describe, expect, test } from 'vitest'
import { emptyWorld, fixtureWorld, fixtures as given } from '../../../test/support/domain-world.js'
import { createCatalogue } from '../language/catalogue.js'
import { parseScenario, type Scenario } from '../language/parse-scenario.js'
import { createRuleEvaluator } from './event-rules.js'

const { tables } = fixtureWorld()

const transferIn = (status: string): string => {
  const first = tables.transfers.first('status', status)
  if (!first) throw new Error(`the fixtures have no transfer that is ${status}`)
  return first.id
}
const failed = transferIn('FAILED')
const pending = transferIn('PENDING')

const scenario = (name: string, ...rules: string[]) =>
  parseScenario(`name: ${name}\ntitle: ${name}\nrules:\n${rules.join('\n')}\n`, `${name}.yaml`)

const rule = (when: string, conditions: string, move: string) =>
  `  - { when: ${when}, if: ${conditions}, then: [{ move: ${move} }] }`

/** The effects of an event in a world with these active scenarios. */
const react = (scenarios: readonly Scenario[], type: string, id: string, from = tables) => {
  const catalogue = createCatalogue(scenarios, { started: [], all: () => [] })
  const world = emptyWorld()
  world.run('scenarios.activate', { names: catalogue.start }, { kind: 'boot' })
  const occasion = { now: given.now, seed: 'x', scenarios: undefined, key: undefined }
  const played = { ...from, playlist: world.tables.playlist } as typeof from
  return createRuleEvaluator(catalogue)({ ...occasion, event: { type, id } }, played)
}

describe('createRuleEvaluator', () => {
  test('plans small amounts without exponent', () => {
    const dust = scenario(
      'dust',
      '  - when: transfer.created',
      '    then:',
      '      - { deposit: { address: a, amount: 1e-7 } }',
    )
    const steps = react([dust], 'transfer.created', pending)?.plan?.steps
    expect(steps).toMatchObject([{ input: { amount: '0.0000001' } }])
  })

  test('applies scenarios of the request before those of the record', () => {
    const any = rule('transfer.created', '{}', 'FAILED')
    const catalogue = createCatalogue([scenario('asked', any), scenario('made', any)], {
      started: [],
      all: () => [],
    })
    const world = fixtureWorld()
    const record = world.tables.transfers.get(pending)
    const transfers = { get: () => ({ ...record, scenarios: ['made'] }) }
    const reaction = createRuleEvaluator(catalogue)(
      {
        now: given.now,
        seed: 'x',
        scenarios: ['asked'],
        key: undefined,
        event: { type: 'transfer.created', id: pending },
      },
      { ...world.tables, transfers } as never,
    )
    expect(reaction?.plan).toMatchObject({ scenario: 'asked', scenarios: ['asked', 'made'] })
  })

  test('ignores events without rules and unknown records', () => {
    const any = [scenario('any', rule('transfer.created', '{}', 'FAILED'))]
    expect(react(any, 'transfer.moved', failed)).toBe(undefined)
    expect(react(any, 'clock.set', 'clock')).toBe(undefined)
    expect(react(any, 'constructor', failed)).toBe(undefined)
    expect(react(any, 'transfer.created', 'nobody')).toBe(undefined)
  })
})
