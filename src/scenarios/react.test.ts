import { describe, expect, it } from 'vitest'
import { readFixtures } from '../fixtures/read.js'
import { fixturesFolder } from '../paths.js'
import { createWorld } from '../world/world.js'
import { reactWith } from './react.js'
import { parseScenario, type Scenario } from './read.js'

const given = readFixtures(fixturesFolder)

const open = () => {
  const world = createWorld({
    seed: 'react',
    now: given.now,
    react: () => undefined,
    record: () => {},
  })
  world.run('fixtures.load', given, { kind: 'fixtures' })
  return world
}
const { tables } = open()

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

/** Which rule answers the making of a transfer, as \`scenario rule\`. */
const answers = (scenarios: readonly Scenario[], id: string, from = tables): string[] =>
  reactWith(scenarios)({ type: 'transfer.created', id }, from).map(
    (plan) => `${plan.scenario} ${plan.rule}`,
  )

describe('reactWith', () => {
  it('plans the steps of a rule for the subject of the fact', () => {
    const late = scenario(
      'late',
      '  - when: transfer.created',
      '    then:',
      '      - { after: 2s, move: FUNDS_RECEIVED }',
      '      - { move: FAILED, reason: account_closed }',
    )
    const plans = reactWith([late])({ type: 'transfer.created', id: pending }, tables)
    expect(plans).toMatchObject([
      {
        subject: pending,
        scenario: 'late',
        rule: 0,
        source: 'late.yaml:4',
        steps: [
          { after_ms: 2_000, command: 'transfer.move', input: { to: 'FUNDS_RECEIVED' } },
          {
            after_ms: 0,
            command: 'transfer.move',
            input: { to: 'FAILED', reason: 'account_closed' },
          },
        ],
      },
    ])
  })

  it.each([
    ['user.created', 'active', 'users', 'user.move'],
    ['user.moved', 'active', 'users', 'user.move'],
    ['balance.credited', 'paused', 'users', 'user.move'],
    ['payout.created', 'PAYOUT_FAILED', 'payouts', 'payout.move'],
    ['payout.moved', 'PAYOUT_FAILED', 'payouts', 'payout.move'],
    ['transfer.moved', 'FAILED', 'transfers', 'transfer.move'],
  ] as const)('answers %s by moving the subject to %s', (event, status, table, command) => {
    const react = reactWith([scenario('mover', rule(event, '{}', status))])
    const [subject] = tables[table].list('all', '')
    const plans = react({ type: event, id: subject?.id ?? '' }, tables)
    expect(plans).toMatchObject([
      { subject: subject?.id, steps: [{ command, input: { to: status } }] },
    ])
  })

  it('lets the first rule that matches win, in the order of the scenarios', () => {
    const first = scenario('first', rule('transfer.created', '{ status: FAILED }', 'FAILED'))
    const second = scenario(
      'second',
      rule('transfer.moved', '{}', 'FAILED'),
      rule('transfer.created', '{ status: [FAILED, PENDING] }', 'FAILED'),
      rule('transfer.created', '{}', 'FAILED'),
    )
    const received = transferIn('FUNDS_RECEIVED')
    expect(answers([first, second], failed)).toEqual(['first 0'])
    expect(answers([second, first], failed)).toEqual(['second 1'])
    expect(answers([first, second], pending)).toEqual(['second 1'])
    expect(answers([first, second], received)).toEqual(['second 2'])
    expect(answers([first], pending)).toEqual([])
  })

  it('looks at the record as it is', () => {
    const world = open()
    const wait = scenario('wait', rule('transfer.created', '{ status: PENDING }', 'FAILED'))
    expect(answers([wait], pending, world.tables)).toEqual(['wait 0'])
    world.run('transfer.move', { id: pending, to: 'CANCELLED' }, { kind: 'library' })
    expect(answers([wait], pending, world.tables)).toEqual([])
  })

  it('answers nothing to facts that no rule waits for, or of records that are not there', () => {
    const react = reactWith([scenario('any', rule('transfer.created', '{}', 'FAILED'))])
    expect(react({ type: 'transfer.moved', id: failed }, tables)).toEqual([])
    expect(react({ type: 'clock.set', id: 'clock' }, tables)).toEqual([])
    expect(react({ type: 'constructor', id: failed }, tables)).toEqual([])
    expect(react({ type: 'transfer.created', id: 'nobody' }, tables)).toEqual([])
  })
})
