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

/** Which rule answers the making of a transfer, as `scenario rule`. */
const answers = (scenarios: readonly Scenario[], id: string, from = tables): string | undefined => {
  const plan = react(scenarios, 'transfer.created', id, from)?.plan
  return plan && `${plan.scenario} ${plan.rule}`
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

  test('plans the steps of a rule for the record of the event', () => {
    const late = scenario(
      'late',
      '  - when: transfer.created',
      '    then:',
      '      - { after: 2s, move: FUNDS_RECEIVED }',
      '      - { move: FAILED, reason: account_closed }',
    )
    const failed = { to: 'FAILED', reason: 'account_closed' }
    expect(react([late], 'transfer.created', pending)?.plan).toEqual({
      subject: pending,
      scenario: 'late',
      rule: 0,
      source: 'late.yaml:4',
      steps: [
        { after_ms: 2_000, command: 'transfer.move', input: { to: 'FUNDS_RECEIVED' } },
        { after_ms: 0, command: 'transfer.move', input: failed },
      ],
    })
  })

  test.each([
    ['user.created', 'active', 'users', 'user.move'],
    ['user.moved', 'active', 'users', 'user.move'],
    ['balance.credited', 'paused', 'users', 'user.move'],
    ['payout.created', 'PAYOUT_FAILED', 'payouts', 'payout.move'],
    ['payout.moved', 'PAYOUT_FAILED', 'payouts', 'payout.move'],
    ['transfer.moved', 'FAILED', 'transfers', 'transfer.move'],
  ] as const)('answers %s by moving the subject to %s', (event, status, table, command) => {
    const [subject] = tables[table].list('all', '')
    const reaction = react([scenario('mover', rule(event, '{}', status))], event, subject?.id ?? '')
    expect(reaction?.plan).toMatchObject({
      subject: subject?.id,
      steps: [{ command, input: { to: status } }],
    })
  })

  test('applies the first matching rule in the order of the scenarios', () => {
    const first = scenario('first', rule('transfer.created', '{ kind: bank }', 'FAILED'))
    const second = scenario(
      'second',
      rule('transfer.moved', '{}', 'FAILED'),
      rule('transfer.created', '{ kind: [bank, offramp], status: PENDING }', 'FAILED'),
      rule('transfer.created', '{}', 'FAILED'),
    )
    const kind = tables.transfers.get(pending)?.kind
    expect(answers([second, first], pending)).toBe('second 1')
    expect(answers([first, second], pending)).toBe(kind === 'bank' ? 'first 0' : 'second 1')
    expect(answers([second], transferIn('FUNDS_RECEIVED'))).toBe('second 2')
    expect(answers([scenario('other', rule('transfer.moved', '{}', 'FAILED'))], pending)).toBe(
      undefined,
    )
  })

  test('counts skipped matches', () => {
    const later = scenario(
      'later',
      '  - { when: transfer.created, skip: 1, then: [{ move: FAILED }] }',
    )
    expect(react([later], 'transfer.created', pending)).toEqual({
      plan: undefined,
      counts: [expect.objectContaining({ id: 'later/0', matched: 1, fired: 0 })],
    })
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

  test('matches the present record', () => {
    const world = fixtureWorld()
    const wait = scenario('wait', rule('transfer.created', '{ status: PENDING }', 'FAILED'))
    expect(answers([wait], pending, world.tables)).toBe('wait 0')
    world.run('transfer.move', { id: pending, to: 'CANCELLED' }, { kind: 'library' })
    expect(answers([wait], pending, world.tables)).toBe(undefined)
  })

  test('matches user and account of a record', () => {
    const transfer = tables.transfers.get(pending)
    const account = tables.accounts.get(transfer?.account_id ?? '')
    const user = tables.users.get(transfer?.user_id ?? '')
    const asks = (conditions: string) =>
      answers([scenario('asks', rule('transfer.created', conditions, 'FAILED'))], pending)
    expect(asks(`{ account: { account_number: '${account?.account_number}' } }`)).toBe('asks 0')
    expect(asks("{ account: { account_number: '1' } }")).toBe(undefined)
    expect(asks(`{ user: { last_name: ${user?.last_name} } }`)).toBe('asks 0')
    expect(asks(`{ user: { address: { country: ${user?.address.country} } } }`)).toBe('asks 0')
    expect(asks('{ user: { last_name: Nobody } }')).toBe(undefined)
  })

  test('ignores events without rules and unknown records', () => {
    const any = [scenario('any', rule('transfer.created', '{}', 'FAILED'))]
    expect(react(any, 'transfer.moved', failed)).toBe(undefined)
    expect(react(any, 'clock.set', 'clock')).toBe(undefined)
    expect(react(any, 'constructor', failed)).toBe(undefined)
    expect(react(any, 'transfer.created', 'nobody')).toBe(undefined)
  })
})
