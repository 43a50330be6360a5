import { describe, expect, it } from 'vitest'
import { eventNames } from './events.js'
import { parseScenario, readScenario, ScenarioError } from './read.js'
import { openScenario, shippedNames } from './shipped.js'

const HEAD = 'name: late\ntitle: A late one\nrules:\n'
const STEP = '    then:\n      - { move: FAILED }\n'

/** A scenario whose rules begin in line 4. */
const withRules = (rules: string): string => HEAD + rules

const messageOf = (text: string): string => {
  try {
    parseScenario(text, 'late.yaml')
  } catch (error) {
    if (error instanceof ScenarioError) return error.message
    throw error
  }
  return 'nothing was refused'
}

describe('a scenario', () => {
  it('is read with the place of each of its rules', () => {
    const text = withRules(
      [
        '  - when: transfer.created',
        '    if: { target_currency: [EUR, USD], source_amount: 100, reason: null }',
        '    then:',
        '      - { after: 2s, move: FUNDS_RECEIVED }',
        '      - move: FAILED',
        '        reason: account_closed',
        '  # A comment takes a line.',
        '  - when: payout.created',
        '    then: [{ move: PAYOUT_FAILED }]',
      ].join('\n'),
    )
    expect(parseScenario(text, 'late.yaml')).toEqual({
      name: 'late',
      title: 'A late one',
      why: undefined,
      rules: [
        {
          when: 'transfer.created',
          if: { target_currency: ['EUR', 'USD'], source_amount: 100, reason: null },
          then: [
            { after: '2s', move: 'FUNDS_RECEIVED' },
            { move: 'FAILED', reason: 'account_closed' },
          ],
          source: 'late.yaml:4',
        },
        {
          when: 'payout.created',
          then: [{ move: 'PAYOUT_FAILED' }],
          source: 'late.yaml:11',
        },
      ],
    })
  })

  it('may be written as JSON, and with the line ends of Windows', () => {
    const rules = [{ when: 'transfer.created', then: [{ move: 'FAILED' }] }]
    const json = JSON.stringify({ name: 'late', title: 'A late one', rules })
    const yaml = withRules(`  - when: transfer.created\n${STEP}`)
    const read = parseScenario(yaml, 'late.yaml')
    expect(parseScenario(yaml.replaceAll('\n', '\r\n'), 'late.yaml')).toEqual(read)
    expect(parseScenario(json, 'late.yaml').rules).toEqual([{ ...rules[0], source: 'late.yaml:1' }])
  })
})

describe('a scenario that cannot be used', () => {
  it.each([
    ['an unknown event', '  - when: transfer.exploded\n', 4, 'rules.0.when', '"transfer.exploded"'],
    ['no event', '  - if: { status: PENDING }\n', 4, 'rules.0.when', 'nothing'],
    ['an unknown field', '  - when: user.created\n    unless: 1\n', 4, 'rules.0', 'named unless'],
    [
      'an object in a condition',
      '  - when: user.created\n    if: { a: {} }\n',
      5,
      'rules.0.if.a',
      'a list',
    ],
    [
      'an empty list',
      '  - when: user.created\n    if: { a: [] }\n',
      5,
      'rules.0.if.a',
      'at least one',
    ],
  ])('has %s', (_, rule, line, path, word) => {
    const message = messageOf(withRules(rule + STEP))
    expect(message).toMatch(
      new RegExp(`^late\\.yaml:${line}: (?:.* \\| )?${path.replaceAll('.', '\\.')}: `),
    )
    expect(message).toContain(word)
    expect(message).toContain('accepted: ')
  })

  it.each([
    ['{ move: active }', 'move', '"active" came; accepted: PENDING, FUNDS_RECEIVED, CONVERSION_'],
    ['{ move: failed }', 'move', '"failed" came; accepted: PENDING, '],
    ['{ move: }', 'move', 'null came; accepted: '],
    ['{ after: 2s }', 'move', 'nothing came; accepted: '],
    ['{ move: FAILED, after: soon }', 'after', '"soon" came; accepted: a duration such as 500ms'],
    [
      '{ move: FAILED, after: 2 }',
      'after',
      'the number 2 came; accepted: a duration such as 500ms',
    ],
    ['{ move: FAILED, after: -2s }', 'after', '"-2s" came; accepted: a duration such as'],
    ['{ move: FAILED, after: 2932897d }', 'after', '"2932897d" came; accepted: a duration such as'],
    ['{ move: FAILED, reason: "" }', 'reason', '"" came; accepted: '],
  ])('has the step %s', (step, field, words) => {
    const rule = `  - when: transfer.created\n    then:\n      - { move: PENDING }\n      - ${step}\n`
    expect(messageOf(withRules(rule))).toContain(`late.yaml:7: rules.0.then.1.${field}: ${words}`)
  })

  it('names every event that there is', () => {
    const message = messageOf(withRules(`  - when: nothing\n${STEP}`))
    for (const name of eventNames) expect(message).toContain(`"${name}"`)
  })

  it.each([
    ['user.created', 'PENDING', 'under_review, active, rejected, offboarded, incomplete, paused'],
    ['balance.credited', 'PENDING', 'under_review, active, '],
    ['payout.moved', 'FAILED', 'PAYOUT_PENDING, PAYOUT_PROCESSED, PAYOUT_FAILED'],
    ['wallet.created', 'active', 'wallet.created is about a record without a status'],
    ['consent.created', 'active', 'consent.created is about a record without a status'],
  ])('moves the subject of %s to %s', (event, status, words) => {
    const rule = `  - when: ${event}\n    then:\n      - { move: ${status} }\n`
    const message = messageOf(withRules(rule))
    expect(message).toContain(`late.yaml:6: rules.0.then.0.move: "${status}" came`)
    expect(message).toContain(words)
  })

  it.each([
    ['', 1, 'null came; accepted: an object'],
    ['late', 1, '"late" came; accepted: an object'],
    ['- late', 1, 'an array came; accepted: an object'],
    [
      'name: late\ntitle: A late one\nrules: []',
      3,
      'rules: an array came; accepted: at least one rule',
    ],
    [
      'name: A Late One\ntitle: A late one\nrules: [1]',
      1,
      'name: "A Late One" came; accepted: a name of a-z',
    ],
    [
      HEAD.replace('title: A late one\n', '').concat(`  - when: x\n${STEP}`),
      1,
      'title: nothing came',
    ],
    ['name: [late\ntitle: A late one', 2, 'Flow sequence'],
    ['name: late\n\ttitle: A late one', 2, 'Tabs are not allowed'],
    ['name: late\nname: later', 2, 'Map keys must be unique'],
    ['name: late\n---\nname: later', 2, 'multiple documents'],
  ])('is %j', (text, line, words) => {
    const message = messageOf(text)
    expect(message).toMatch(new RegExp(`^late\\.yaml:${line}: `))
    expect(message).toContain(words)
  })

  it('has an alias of nothing, or of too much', () => {
    expect(messageOf('name: *late')).toMatch(/^late\.yaml: Unresolved alias/)
    const ten = (name: string) => `[${new Array(10).fill(name)}]`
    const bomb = `a: &a ${ten('1')}\nb: &b ${ten('*a')}\nc: &c ${ten('*b')}\nd: ${ten('*c')}`
    expect(messageOf(bomb)).toMatch(/^late\.yaml: Excessive alias count/)
  })

  it('is not there', () => {
    expect(() => readScenario('/no/such/late.yaml')).toThrow(ScenarioError)
    expect(() => readScenario('/no/such/late.yaml')).toThrow('/no/such/late.yaml')
  })
})

describe('the shipped scenarios', () => {
  it('can be used, under the names of their files', () => {
    expect(shippedNames()).toContain('happy-path')
    for (const name of shippedNames()) expect(openScenario(name).name).toBe(name)
  })

  it('are named, with the nearest, when another is asked for', () => {
    expect(() => openScenario('happy-pat')).toThrow(ScenarioError)
    expect(() => openScenario('happy-pat')).toThrow(
      /happy-pat; shipped are .*did you mean happy-path\?/,
    )
    expect(() => openScenario('x/y.yaml')).not.toThrow(/did you mean/)
    expect(() => openScenario('x/y.yaml')).toThrow('no scenario and no file is named x/y.yaml')
  })
})

describe('a condition that could never hold', () => {
  it('is refused when it asks for a field that the subject lacks', () => {
    const rule = '  - when: transfer.created\n    if: { target_curency: EUR }\n'
    expect(messageOf(withRules(rule + STEP))).toMatch(
      /^late\.yaml:5: rules\.0\.if\.target_curency: .*a field of transfers: .*target_currency/,
    )
  })

  it('is refused when it asks for a status that there is not', () => {
    const rule = '  - when: transfer.moved\n    if: { status: [FAILED, FOO] }\n'
    expect(messageOf(withRules(rule + STEP))).toMatch(/^late\.yaml:5: .*PENDING, FUNDS_RECEIVED/)
  })
})
