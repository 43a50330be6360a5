import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  didYouMean,
  expected,
  got,
  invalid,
  inWords,
  missing,
  partOf,
  unknownField,
} from '../../../test/support/invalid.js'
import { FileError } from '../../lib/read-file.js'
import { bundledNames, openScenario } from './bundled.js'
import { eventNames } from './events.js'
import { parseScenario, parseScenarioFile, ScenarioError } from './parse-scenario.js'

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

describe('parseScenario', () => {
  test('returns the place of each rule', () => {
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
      expect: [],
    })
  })

  test('accepts JSON and Windows line ends', () => {
    const rules = [{ when: 'transfer.created', then: [{ move: 'FAILED' }] }]
    const json = JSON.stringify({ name: 'late', title: 'A late one', rules })
    const yaml = withRules(`  - when: transfer.created\n${STEP}`)
    const read = parseScenario(yaml, 'late.yaml')
    expect(parseScenario(yaml.replaceAll('\n', '\r\n'), 'late.yaml')).toEqual(read)
    expect(parseScenario(json, 'late.yaml').rules).toEqual([{ ...rules[0], source: 'late.yaml:1' }])
  })
})

describe('parseScenario with anchors', () => {
  const text = withRules(
    [
      '  - &base',
      '    when: payout.created',
      '    if: &naira { currency: NGN }',
      '    limit: 1',
      '    then: [{ move: PAYOUT_FAILED }]',
      '  - <<: *base',
      '    limit: 2',
      '  - when: payout.created',
      '    if: { <<: *naira, amount: 5 }',
      '    then: [{ stop: true }]',
    ].join('\n'),
  )

  test('expands anchors and merge keys', () => {
    expect(parseScenario(text, 'late.yaml').rules).toMatchObject([
      { when: 'payout.created', limit: 1, source: 'late.yaml:5' },
      { when: 'payout.created', if: { currency: 'NGN' }, limit: 2, source: 'late.yaml:9' },
      { if: { currency: 'NGN', amount: 5 }, source: 'late.yaml:11' },
    ])
  })

  test('reports an error in a merged part at the place of the merge', () => {
    expect(messageOf(text.replace('NGN', '[]'))).toContain(
      'late.yaml:6:28: Invalid rules.0.if.currency: ',
    )
    expect(messageOf(text.replace('NGN', '[]'))).toContain(
      'late.yaml:9:5: Invalid rules.1.if.currency: ',
    )
  })
})

describe('parseScenario', () => {
  test.each(['-1s', '-P1D', '99999999d'])('suggests no field for the duration %s', (after) => {
    const steps = `    then:\n      - { move: FAILED, after: "${after}" }\n`
    const read = () => parseScenario(withRules(`  - when: transfer.created\n${steps}`), 'late.yaml')
    expect(read).toThrow(
      /^late\.yaml:6:32: Invalid rules\.0\.then\.0\.after: [^?]*\. Expected [^?]*$/,
    )
  })

  const rule = (text: string) => `  - ${text.trim().replaceAll('\n', '\n    ')}\n`
  const then = (step: string) => rule(`when: transfer.created\nthen:\n  - ${step}`)
  const iff = (conditions: string) =>
    rule(`when: transfer.created\nif: ${conditions}\nthen:\n  - { move: FAILED }`)

  test.each([
    [
      rule('when: transfer.exploded'),
      `4:11: ${invalid('rules.0.when', 'transfer.exploded', 'requ')}`,
    ],
    [rule('if: {}'), `4:5: ${missing('rules.0.when', 'request, consent.created, ')}`],
    [rule('when: nothing\nthen: []'), eventNames.join(', ')],
    [
      rule('when: transfer.created\nunless: 1\nthen: [{ move: FAILED }]'),
      `5:5: ${unknownField('rules.0.unless', 'when, if, skip, limit, per, chance, during, then')}`,
    ],
    [iff('{ sorce_amount: 1 }'), `5:11: ${unknownField('rules.0.if.sorce_amount')}`],
    [iff('{ sorce_amount: 1 }'), didYouMean('source_amount')],
    [iff('{ account.bank_name: 1 }'), 'Write account: { bank_name: … }.'],
    [iff('{ account: { bank: 1 } }'), `5:22: ${unknownField('rules.0.if.account.bank')}`],
    [
      iff('{ source_amount: { gtee: 1 } }'),
      `5:28: ${unknownField('rules.0.if.source_amount.gtee')}`,
    ],
    [iff('{ source_amount: { gtee: 1 } }'), didYouMean('gte')],
    [
      iff('{ source_amount: { gte: [1] } }'),
      `5:33: ${invalid('rules.0.if.source_amount.gte', inWords('an array'))}`,
    ],
    [
      iff('{ source_amount: [] }'),
      partOf(invalid('source_amount', inWords('an empty array'), 'a number, as 12.5')),
    ],
    [
      iff('{ source_amount: {} }'),
      partOf(invalid('source_amount', inWords('an object'), 'a number, as 12.5')),
    ],
    [
      iff('{ id: 12345678901234567890 }'),
      partOf(invalid('id', 12345678901234567000, 'a string, a number of at most 15 digits, ')),
    ],
    [
      iff('{ reason: [] }'),
      partOf(
        invalid('reason', inWords('an empty array'), 'a string, a number of at most 15 digits, '),
      ),
    ],
    [
      iff('{ reason: {} }'),
      partOf(invalid('reason', inWords('an object'), 'a string, a number of at most 15 digits, ')),
    ],
    [
      iff('{ source_amount: { gte: abc } }'),
      `5:33: ${invalid('rules.0.if.source_amount.gte', 'abc', 'a number, as 12.5 or "12.50"')}`,
    ],
    [
      iff('{ fees: { in: [1, many] } }'),
      invalid(
        'rules.0.if.fees.in',
        inWords('an array'),
        'a list of at least one of a number, as 12.5',
      ),
    ],
    [iff('{ exchange_rate: good }'), partOf(invalid('exchange_rate', 'good', 'a number, as 12.5'))],
    [
      then('{ credit: { currency: ZZZ, amount: 1 } }'),
      partOf(invalid('credit.currency', 'ZZZ', 'an ISO 4217 code in upper case such as NGN')),
    ],
    [
      then('{ credit: { currency: EUR, amount: "1.001" } }'),
      `${partOf(
        invalid(
          'credit.amount',
          '1.001',
          'an amount above zero in EUR, of at most 13 digits before ',
        ),
      )}the point and 2 after it`,
    ],
    [then('{ credit: { currency: JPY, amount: 0.5 } }'), partOf(invalid('amount', 0.5))],
    [
      then('{ credit: { currency: EUR, amount: 12345678901234 } }'),
      partOf(invalid('amount', 12345678901234, 'an amount above zero in EUR, ')),
    ],
    [
      rule('when: payout.created\nthen:\n  - { credit: { currency: EUR, amount: "1.001" } }'),
      partOf(invalid('credit.amount', '1.001', 'an amount above zero in EUR, ')),
    ],
    [
      rule('when: payout.created\nthen:\n  - { credit: { currency: EUR } }'),
      partOf(missing('credit.amount', 'an amount above zero such as 12.50, in EUR; {} gives')),
    ],
    [
      then('{ deposit: { address: a, amount: "0.0000000000000000001" } }'),
      partOf(
        invalid(
          'deposit.amount',
          '0.0000000000000000001',
          'an amount above zero such as 12.50, of at most 15',
        ),
      ),
    ],
    [
      then('{ deposit: { address: a, amount: 1e-19 } }'),
      partOf(invalid('deposit.amount', 1e-19, 'an amount above zero such as 12.50, of at most 15')),
    ],
    [
      rule('when: user.created\nthen:\n  - { move: rejected, rejection_reasons: [] }'),
      partOf(
        invalid(
          'rejection_reasons',
          inWords('an empty array'),
          'a list of 1 to 20, each text of 1 to 255 characters, or an',
        ),
      ),
    ],
    [
      rule('when: user.created\nthen:\n  - { move: incomplete, requirements: [] }'),
      partOf(
        invalid(
          'requirements',
          inWords('an empty array'),
          'a list of 1 to 50, each text of 1 to 255 characters',
        ),
      ),
    ],
    [
      then('{ deposit: { address: a, amount: 1234567890123456 } }'),
      partOf(invalid('deposit.amount', 1234567890123456, 'an amount above zero such as')),
    ],
    [
      then('{ set_key: { status: suspended, expires_at: 1h } }'),
      expected('either status or expires_at'),
    ],
    [
      then('{ set_key: { expires_at: 2932897d } }'),
      partOf(invalid('set_key.expires_at', '2932897d', 'at most 2932896d')),
    ],
    [iff('{ reason: { matches: "(" } }'), got('(', 'a regular expression in the syntax of')],
    [
      iff(`{ reason: { matches: "${'a'.repeat(201)}" } }`),
      expected('a regular expression in the syn'),
    ],
    [iff('{ status: PENDIN }'), `5:19: ${invalid('rules.0.if.status', 'PENDIN', 'PENDING, ')}`],
    [
      iff('{ status: [PENDING, PENDIN] }'),
      `5:29: ${invalid('rules.0.if.status.1', 'PENDIN', 'PEND')}`,
    ],
    [
      iff('{ status: { ne: PENDIN } }'),
      `5:25: ${invalid('rules.0.if.status.ne', 'PENDIN', 'PEND')}`,
    ],
    [iff('{ status: { eq: PENDIN } }'), partOf(invalid('status.eq', 'PENDIN', 'PENDING, '))],
    [
      iff('{ status: { in: [FAILED, PENDIN] } }'),
      `5:34: ${invalid('rules.0.if.status.in.1', 'PENDIN')}`,
    ],
    [
      iff('{ status: { in: PENDING } }'),
      partOf(invalid('status.in', 'PENDING', 'a list of at least')),
    ],
    [
      rule(
        'when: transfer.moved\nif: { status: { in: [FAILED] } }\nthen:\n  - { move: CANCELLED }',
      ),
      partOf(invalid('then.0.move', 'CANCELLED', 'no move: FAILED is final')),
    ],
    [
      rule('when: request\nif: { operation: { ne: createPayot } }\nthen: [{ drop: after }]'),
      partOf(invalid('if.operation.ne', 'createPayot', 'createPayout, ')),
    ],
    [
      rule('when: request\nif: { method: [GET, post] }\nthen: [{ drop: after }]'),
      invalid('rules.0.if.method.1', 'post', 'a method in upper case such as GET'),
    ],
    [
      rule('when: request\nif: { path: [payout] }\nthen: [{ drop: after }]'),
      invalid('rules.0.if.path.0', 'payout', 'a path such as /payment/api/v1/payout, without its'),
    ],
    [
      rule('when: request\nif: { path: [/a, /a?b=1] }\nthen: [{ drop: after }]'),
      invalid('rules.0.if.path.1', '/a?b=1', 'a path such as /payment/api/v1/payout, without its'),
    ],
    [
      rule('when: request\nif: { user: { status: activ } }\nthen: [{ drop: after }]'),
      invalid('rules.0.if.user.status', 'activ', 'under_review, active, '),
    ],
    [
      iff('{ source_amount: { gt: 100, lt: "99.5" } }'),
      invalid('rules.0.if.source_amount.lt', '99.5', 'more than the gt, 100'),
    ],
    [iff('{ kind: onramp }'), `5:17: ${invalid('rules.0.if.kind', 'onramp', 'offramp, bank')}`],
    [
      iff('{ user: { status: activ } }'),
      `5:27: ${invalid('rules.0.if.user.status', 'activ', 'u')}`,
    ],
    [
      rule('when: deposit.received\nif: { matched: wallt }\nthen: [{ stop: true }]'),
      invalid('rules.0.if.matched', 'wallt', 'offramp, wallet, unmatched', didYouMean('wallet')),
    ],
    [
      then('{ move: FUNDS_RECEIVD }'),
      `6:17: ${invalid('rules.0.then.0.move', 'FUNDS_RECEIVD', 'P')}`,
    ],
    [then('{ move: FUNDS_RECEIVD }'), didYouMean('FUNDS_RECEIVED')],
    [then('{ move: failed }'), got('failed', 'PENDING, ')],
    [
      then('{ after: 2s }'),
      `6:9: ${invalid('rules.0.then.0', inWords('an object'), 'exactly one of move, cred')}`,
    ],
    [
      then('{ move: FAILED, stop: true }'),
      expected('exactly one of move, credit, deposit, set_key'),
    ],
    [
      then('{ move: FAILED, after: soon }'),
      partOf(invalid('then.0.after', 'soon', 'a duration such a')),
    ],
    [then('{ move: FAILED, after: 2 }'), partOf(invalid('after', 2, 'a duration such as 500'))],
    [then('{ move: FAILED, after: -2s }'), partOf(invalid('after', '-2s', 'a duration such as'))],
    [
      then('{ move: FAILED, after: 2932897d }'),
      partOf(invalid('after', '2932897d', 'at most 2932896d')),
    ],
    [
      then('{ move: FAILED, reason: "" }'),
      partOf(invalid('reason', '', 'text of 1 to 255 characters')),
    ],
    [
      then('{ stop: true }\n  - { move: FAILED }'),
      `7:9: ${invalid('rules.0.then.1', inWords('an object'), 'nothing behind stop, after which nothing happens')}`,
    ],
    [then('{ stop: true, reason: x }'), partOf(invalid('reason', 'x', 'it only beside move'))],
    [
      rule('when: user.created\nthen:\n  - { move: active, rejection_reasons: [No] }'),
      partOf(invalid('rejection_reasons', inWords('an array'), 'it only beside move: rejected')),
    ],
    [
      rule('when: user.created\nthen:\n  - { move: rejected, requirements: [identity] }'),
      partOf(invalid('requirements', inWords('an array'), 'it only beside move: incomplete')),
    ],
    [then('{ after: 1s, after_reads: 1, move: FAILED }'), expected('either after or after_reads')],
    [then('{ after_reads: 0, move: FAILED }'), expected('a whole number from 1 to 1000')],
    [then('{ deposit: { amount: 5 } }'), partOf(missing('then.0.deposit.address', 'text'))],
    [
      then('{ set_key: {} }'),
      partOf(invalid('set_key', inWords('an object'), 'either status or expires_at')),
    ],
    [
      rule('when: wallet.created\nthen:\n  - { move: active }'),
      `6:11: ${unknownField('rules.0.then.0.move', 'after, credit, deposit, set_key, stop')}`,
    ],
    [
      rule('when: payout.created\nthen: [{ after_reads: 2, move: PAYOUT_FAILED }]'),
      partOf(unknownField('after_reads', 'after, move, reason, credit, ')),
    ],
    [
      rule('when: payout.created\nlimit: 0\nchance: 2\nthen: []'),
      [
        `5:12: ${invalid('rules.0.limit', 0, 'a whole number from 1 to 1000000')}`,
        `late.yaml:6:13: ${invalid('rules.0.chance', 2, 'a number above 0, up to 1')}`,
        `late.yaml:7:11: ${invalid('rules.0.then', inWords('an empty array'), 'a list of at least one step')}`,
      ].join('.\n'),
    ],
    [
      rule('when: request\nif: { operation: createPayot }\nthen: [{ drop: after }]'),
      didYouMean('createPayout'),
    ],
    [
      rule(
        'when: request\nif: { body: { tnc_data: { accepted_at: { gt: {} } } } }\nthen: [{ drop: after }]',
      ),
      `5:50: ${invalid('rules.0.if.body.tnc_data.accepted_at.gt', inWords('an object'), 'a number, or a string such as')}`,
    ],
    [
      rule('when: request\nthen: [{ respond: { status: 200, headers: { "x y": a } } }]'),
      partOf(invalid('headers.x y', 'a', 'a header name of A-Z, a-z, 0-9 and -')),
    ],
    [
      rule('when: request\nthen: [{ respond: { status: 200, headers: { x: "a\\r\\nb" } } }]'),
      partOf(
        invalid(
          'headers.x',
          inWords('"a\\r\\nb"'),
          'a value of visible characters, without line breaks',
        ),
      ),
    ],
    [
      rule('when: request\nthen: [{ throttle: { limit: 1, window: 0s } }]'),
      partOf(
        invalid(
          'throttle.window',
          '0s',
          'a duration such as 500ms, 2s, 30m, 1h, 7d, or ISO 8601 such as PT30M or P1D, above zero',
        ),
      ),
    ],
    [
      rule('when: request\nthen: [{ respond: { status: 503, code: "5030", body: { a: 1 } } }]'),
      partOf(
        invalid(
          'respond.code',
          '5030',
          'it only in an error body: with a status from 400, and no body of your own',
        ),
      ),
    ],
    [
      rule('when: request\nthen: [{ respond: { status: 200, message: hi } }]'),
      partOf(invalid('respond.message', 'hi', 'it only in an error body')),
    ],
    [
      rule('when: request\nif: null\nthen: [{ drop: after }]'),
      invalid('rules.0.if', null, 'an object of conditions, {} for any'),
    ],
    [
      rule('when: request\nthen: [{ delay_ms: 300001 }]'),
      expected('milliseconds from 0 to 300000, or two of them as [least, most]'),
    ],
    [
      rule('when: request\nthen: [{ delay_ms: [5, 2] }]'),
      expected('milliseconds from 0 to 300000, or two of them as [least, most]'),
    ],
    [rule('when: request\nthen: [{ drop: middle }]'), got('middle', 'before, after, mid_body')],
  ])('refuses %j', (rules, words) => {
    const message = messageOf(withRules(rules))
    expect(message).toMatch(/^late\.yaml:\d+:\d+: /)
    expect(message).toContain(words)
  })

  test.each([
    ['request', 'delay', 'delay_ms'],
    ['transfer.created', 'mov', 'move'],
  ])('reports a misspelt step of %s once', (when, action, meant) => {
    const message = messageOf(withRules(rule(`when: ${when}\nthen:\n  - { ${action}: 5 }`)))
    expect(message).toMatch(/^[^\n]* Unknown field [^\n]* Allowed: [^\n]*$/)
    expect(message).toContain(didYouMean(meant))
  })

  test.each([
    [
      'transfer.created',
      ['PAYMENT_PROCESSED'],
      'FUNDS_RECEIVED, FAILED, CANCELLED, which can follow PENDING',
    ],
    ['transfer.created', ['FAILED', 'CANCELLED'], 'no move: FAILED is final'],
    [
      'transfer.created',
      ['PENDING'],
      'FUNDS_RECEIVED, FAILED, CANCELLED, which can follow PENDING',
    ],
    ['transfer.moved', ['PENDING'], 'FUNDS_RECEIVED, FAILED, CANCELLED, CONVERSION_PROCESSED, PAY'],
    ['payout.created', ['PAYOUT_FAILED', 'PAYOUT_PROCESSED'], 'no move: PAYOUT_FAILED is final'],
    [
      'payout.created',
      ['PAYOUT_PROCESSED', 'PAYOUT_PENDING'],
      'PAYOUT_FAILED, which can follow PAYOUT_PROCESSED',
    ],
    ['user.created', ['paused'], 'active, rejected, incomplete, which can follow under_review'],
  ])('refuses for %s an illegal move to %j', (event, moves, words) => {
    const steps = moves.map((move) => `      - { move: ${move} }\n`).join('')
    const message = messageOf(withRules(`  - when: ${event}\n    then:\n${steps}`))
    const place = moves.length - 1
    expect(message).toContain(
      `late.yaml:${6 + place}:17: Invalid rules.0.then.${place}.move: got "`,
    )
    expect(message).toContain(expected(words))
  })

  test.each([
    [
      [
        'FUNDS_RECEIVED',
        'CONVERSION_PROCESSED',
        'PAYMENT_SUBMITTED',
        'PAYMENT_PROCESSED',
        'FAILED',
      ],
    ],
    [['FUNDS_RECEIVED', 'CANCELLED']],
  ])('accepts the moves of a transfer to %j', (moves) => {
    const steps = moves.map((move) => `      - { move: ${move} }\n`).join('')
    const text = withRules(`  - when: transfer.created\n    then:\n${steps}`)
    expect(messageOf(text)).toBe('nothing was refused')
  })

  test.each([
    ['- { payout: {} }', unknownField('expect.0.payout', undefined, didYouMean('payouts'))],
    [
      '- { payouts: { state: X } }',
      unknownField('expect.0.payouts.state', undefined, didYouMean('status')),
    ],
    ['- { payouts: {}, count: -1 }', invalid('expect.0.count', -1, 'a whole number')],
    [
      '- { payouts: { status: { ne: PAYOUT_FAILD } } }',
      partOf(
        invalid(
          'payouts.status.ne',
          'PAYOUT_FAILD',
          'PAYOUT_PENDING, PAYOUT_PROCESSED, PAYOUT_FAILED',
        ),
      ),
    ],
    [
      '- { requests: { method: get } }',
      partOf(invalid('requests.method', 'get', 'a method in upper')),
    ],
    ['- { audit: dirty }', invalid('expect.0.audit', 'dirty', 'clean')],
    ['- { audit: clean, count: 1 }', invalid('expect.0.count', 1, 'nothing beside audit')],
    [
      '- { payouts: {}, reached: DONE }',
      partOf(invalid('reached', 'DONE', 'PAYOUT_PENDING, PAYOUT_PRO')),
    ],
    ['- { deposits: {}, reached: DONE }', expected('nothing beside what has no status of its own')],
    [
      '- { payouts: {}, unique: ammount }',
      partOf(invalid('unique', 'ammount', 'the path of a field')),
    ],
    [
      '- { payouts: {}, distinct: user }',
      partOf(invalid('distinct', 'user', 'the path of a field')),
    ],
    ['- { payouts: {}, sum: { amunt: 1 } }', 'Did you mean "amount"? Allowed: amount, rail_fee.'],
    ['- { payouts: {}, sum: { amount: much } }', partOf(invalid('sum.amount', 'much', 'a number'))],
    ['- { users: {}, sum: { id: 1 } }', expected('nothing beside what has no amount')],
    [
      '- { fired: late/7 }',
      partOf(invalid('fired', 'late/7', 'the name of a scenario, or one of its')),
    ],
    ['- { fired: Late }', partOf(invalid('fired', 'Late', 'a scenario such as flaky-gateway'))],
    [
      '- { fired: late, payouts: {} }',
      partOf(invalid('payouts', inWords('an object'), 'nothing beside fired')),
    ],
    ['- { balances: {}, after: { users: {} } }', expected('nothing beside balances')],
    [
      '- { users: {}, after: { balances: {} } }',
      partOf(unknownField('after.balances', 'requests')),
    ],
    [
      '- { requests: {}, payouts: {} }',
      invalid('expect.0', inWords('an object'), 'exactly one of requ'),
    ],
    [
      '- { payouts: {}, before: {} }',
      invalid('expect.0.before', inWords('an object'), 'exactly one of '),
    ],
  ])('refuses the expectation %s', (expectations, words) => {
    const text = withRules(`${then('{ move: FAILED }')}expect:\n  ${expectations}\n`)
    expect(messageOf(text)).toContain(words)
  })

  test('reports at most five errors', () => {
    const message = messageOf(withRules(then('{ move: x }').repeat(7)))
    expect(message.split('\n')).toHaveLength(6)
    expect(message).toMatch(/\nand 2 more$/)
  })

  test.each([
    ['', 1, partOf(missing('value', 'an object'))],
    ['# name: late', 1, partOf(missing('value', 'an object'))],
    ['null', 1, got(null, 'an object')],
    ['late', 1, got('late', 'an object')],
    ['- late', 1, got(inWords('an array'), 'an object')],
    ['name: late\ntitle: A late one\nrules: { when: request }', 3, 'a list of at least one rule'],
    [
      'name: late\ntitle: A late one\nrules: []',
      3,
      invalid('rules', inWords('an empty array'), 'a list of at least one rule'),
    ],
    ['name: A Late One\ntitle: x\nrules: [1]', 1, invalid('name', 'A Late One', 'a name of a-z')],
    [`name: late\nrules:\n  - when: x\n${STEP}`, 1, missing('title')],
    ['name: [late\ntitle: A late one', 2, 'Flow sequence'],
    ['name: late\n\ttitle: A late one', 2, 'Tabs are not allowed as indentation'],
    ['name: late\nname: later', 2, 'Invalid name: it appears twice. Expected once'],
    ['name: late\ntitle: x\n"title": y', 3, 'Invalid title: it appears twice. Expected once'],
    ['name: late\ntitle: !env TITLE', 2, 'Unresolved tag: !env'],
    ['name: late\ntitle: !!js/function x', 2, 'Unresolved tag: '],
    ['name: late\n title: x\nrules: []', 1, 'Nested mappings are not allowed'],
    ['name: late\ntitle: it: is', 2, 'Nested mappings are not allowed'],
    ['name: late\ntitle x\nrules: []', 2, 'Implicit keys need to be on a single line'],
    ['name: late\ntitle: "x\nrules: []\n\n', 5, 'Missing closing "quote'],
    ['name: late\ntitle: 1e400', 2, got(null, 'text')],
    [
      'name: late\n---\nname: later',
      2,
      'Invalid file: a second YAML document begins here. Expected one document per file.',
    ],
  ])('refuses the document %j', (text, line, words) => {
    const message = messageOf(text)
    expect(message).toMatch(new RegExp(`^late\\.yaml:${line}:\\d+: `))
    expect(message).toContain(words)
  })

  test.each(['5', '*name'])('refuses to merge %s, which has no keys', (merged) => {
    const rules = `  - { <<: ${merged}, when: request, then: [{ drop: after }] }`
    expect(messageOf(withRules(rules).replace('name: ', 'name: &name '))).toBe(
      'late.yaml: Merge sources must be maps or map aliases',
    )
  })

  test('refuses an unknown or too large alias', () => {
    expect(messageOf('title: x\nname: *late')).toMatch(/^late\.yaml: Unresolved alias .*: late$/)
    const ten = (name: string) => `[${new Array(10).fill(name)}]`
    const bomb = [...'abcdefg'].map((it, i, all) => `${it}: &${it} ${ten(`*${all[i - 1]}`)}`)
    expect(messageOf(['x: &undefined 1', ...bomb].join('\n'))).toBe(
      'late.yaml: Excessive alias count indicates a resource exhaustion attack',
    )
  })

  test('refuses too many keys', () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => `k${i}: 1`)
    expect(messageOf(keys.join('\n'))).toMatch(/\nand 9997 more$/)
    expect(messageOf([...keys, 'k7: 2'].join('\n'))).toBe(
      'late.yaml:10001:1: Invalid k7: it appears twice. Expected once.',
    )
  })

  test('truncates a long tag in the message', () => {
    const message = messageOf(`name: !${'x'.repeat(10_000)} y`)
    expect(message).toMatch(/^late\.yaml:1:7: Unresolved tag: !x+…$/)
    expect(message.length).toBeLessThan(300)
  })

  test('refuses a cyclic or too deep document', () => {
    const respond =
      '  - { when: request, then: [{ respond: { status: 200, body: &a { x: *a } } }] }'
    expect(messageOf(withRules(respond))).toBe('late.yaml: An alias refers to itself.')
    for (const levels of [100, 20_000]) {
      const deep = `title: ${'['.repeat(levels)}${']'.repeat(levels)}`
      expect(messageOf(deep)).toContain(': too many levels of nesting. Expected at most 64.')
    }
  })

  test.each(['""', '{a}', ':\n', '{a: 1}, '])('refuses too many %j', (part) => {
    expect(messageOf(part.repeat(100_001))).toContain(
      `late.yaml: ${invalid('file', inWords('more than 100000 words and signs'), 'at most as many')}`,
    )
  })

  test.each([
    ['rules', HEAD, '  - { when: request, limit: 1, then: [{ drop: after }] }\n'],
    [
      'expect',
      `${withRules(`  - when: transfer.created\n${STEP}`)}expect:\n`,
      '  - { users: {} }\n',
    ],
  ] as const)('has more %s than anybody reads', (field, head, item) => {
    expect(parseScenario(head + item.repeat(200), 'late.yaml')[field]).toHaveLength(200)
    expect(messageOf(head + item.repeat(201))).toMatch(
      new RegExp(`^late\\.yaml:\\d:1: ${invalid(field, inWords('201 items'), 'at most 200\\.$')}`),
    )
  })

  test.each([
    [
      '{ respond: { status: 200, headers: { content-length: "5" } } }',
      'none of connection, conten',
    ],
    [
      '{ respond: { status: 200, headers: { X-Request-Id: a } } }',
      'none of connection, content-len',
    ],
    [
      '{ respond: { status: 200, body: { ids: [1, 9007199254740993] } } }',
      partOf(invalid('respond.body.ids.1', 9007199254740992, 'a whole number from ')) +
        '-9007199254740991 to 9007199254740991; a body that is text keeps any',
    ],
    ['{ respond: { status: 200, headers: { Trailer: a } } }', 'none of connection, content-len'],
    ['{ respond: { status: 204, body: { a: 1 } } }', 'no body beside the status 204, 205 or 304'],
    ['{ respond: { status: 205, body: { a: 1 } } }', 'no body beside the status 204, 205 or 304'],
    ['{ respond: { status: 304, body: { a: 1 } } }', 'no body beside the status 204, 205 or 304'],
    [
      '{ respond: { status: 503 } }, { malform: html }',
      expected('delays, and one of respond, drop, hang'),
    ],
    [
      '{ throttle: { limit: 1, window: 1s } }, { throttle: { limit: 9, window: 1m } }',
      'a throttle beside nothing but a resp',
    ],
    [
      '{ respond: { status: 503, retry_after: rest } }',
      partOf(
        invalid('retry_after', 'rest', 'a duration; rest only in a rule with during and its for'),
      ),
    ],
    [
      '{ respond: { status: 503, retry_after: soon } }',
      partOf(invalid('retry_after', 'soon', 'rest, or a duration such as 500ms')),
    ],
    [
      '{ hold: { before: answer, for: 6m } }',
      partOf(invalid('hold.for', '6m', 'a duration such as 500ms')),
    ],
    [
      '{ hold: { before: command, for: 1s } }',
      partOf(invalid('hold.before', 'command', 'commit, a')),
    ],
    ['{ hold: { before: commit, for: 1s } }, { drop: before }', 'a hold before each of commit and'],
    [
      '{ hold: { before: answer, for: 1s } }, { respond: { status: 503 } }',
      'a hold before each of commit and answer',
    ],
    [
      '{ hold: { before: answer, for: 1s } }, { hold: { before: answer, for: 2s } }',
      'a hold before each of commit and answer',
    ],
    [
      '{ throttle: { limit: 1, window: 1s } }, { delay_ms: 5 }',
      'a throttle beside nothing but a resp',
    ],
    [
      '{ respond: { status: 503 } }, { drop: after }',
      expected('delays, and one of respond, drop, hang'),
    ],
    ['{ stale: 30s }', partOf(invalid('stale', '30s', 'stale only in a rule whose if names GET'))],
    ['{ stale: 1s }, { respond: { status: 503 } }', 'one stale, beside neither respond nor drop'],
    ['{ stale: 1s }, { stale: 2s }', 'one stale, beside neither respond nor drop'],
    [
      '{ trickle: { over: 6m } }',
      partOf(invalid('trickle.over', '6m', 'a duration such as 500ms')),
    ],
    [
      '{ trickle: { over: 0s } }',
      partOf(invalid('trickle.over', '0s', 'a duration such as 500ms')),
    ],
    ['{ trickle: { over: 1s } }, { drop: mid_body }', 'one trickle, beside neither drop, hang'],
    ['{ trickle: { over: 1s } }, { trickle: { over: 2s } }', 'one trickle, beside neither drop,'],
    [
      '{ throttle: { limit: 1, window: 1s } }, { trickle: { over: 1s } }',
      'a throttle beside nothing but a resp',
    ],
    [
      '{ throttle: { limit: 1, window: PT0S } }',
      partOf(
        invalid(
          'throttle.window',
          'PT0S',
          'a duration such as 500ms, 2s, 30m, 1h, 7d, or ISO 8601 such as PT30M or P1D, above zero',
        ),
      ),
    ],
    [
      '{ throttle: { limit: 1, window: 1s } }, { drop: after }',
      'a throttle beside nothing but a resp',
    ],
  ])('refuses the request steps %s', (steps, words) => {
    const message = messageOf(withRules(`  - { when: request, then: [${steps}] }\n`))
    expect(message).toContain(words)
  })

  test.each([
    [
      '{ after: payout.creatd, for: 1m }',
      partOf(invalid('during.after', 'payout.creatd', 'start, request, consent.created')),
    ],
    ['{ after: start, for: 0s }', partOf(invalid('during.for', '0s', 'a duration such as 500ms'))],
    [
      '{ after: start, form: 3s }',
      partOf(unknownField('during.form', 'after, from, for', didYouMean('for'))),
    ],
    ['{ for: 1m }', partOf(missing('during.after', 'start, request'))],
  ])('refuses the window %s', (during, words) => {
    const rules = `  - { when: request, during: ${during}, then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rules))).toContain(words)
  })

  test.each([
    [
      '{ operation: createPayout, body: { curency: NGN } }',
      partOf(
        unknownField(
          'if.body.curency',
          'user_id, currency, customer_payout_id, amount, recipient_details',
          didYouMean('currency'),
        ),
      ),
    ],
    [
      '{ operation: createPayout, body: { recipient_details: { bank: A } } }',
      partOf(unknownField('if.body.recipient_details.bank', undefined, didYouMean('bank_name'))),
    ],
    [
      '{ operation: [createPayout, initiateOfframp], body: { chain: A } }',
      partOf(unknownField('body.chain')),
    ],
    ['{ body: { curency: NGN } }', didYouMean('currency')],
    [
      '{ operation: listUsers, body: { user_id: A } }',
      'no condition on a body, which listUsers has',
    ],
    [
      '{ operation: createPayout, method: GET }',
      partOf(invalid('if.method', 'GET', 'POST, as createP')),
    ],
    [
      '{ operation: [listUsers], method: [GET, POST] }',
      partOf(invalid('if.method.1', 'POST', 'GET, HE')),
    ],
  ])('refuses the request condition %s', (conditions, words) => {
    const rules = `  - { when: request, if: ${conditions}, then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rules))).toContain(words)
    const expectation = `expect:\n  - { requests: ${conditions}, count: 0 }\n`
    expect(messageOf(withRules(then('{ move: FAILED }')) + expectation)).toContain(
      words.replace(/^if\./, ''),
    )
  })

  test.each([
    '{ operation: [createPayout, listUsers], method: GET }',
    '{ operation: [initiateOfframp, createCustodyWallet], body: { chain: A, account_id: B } }',
    '{ operation: null, body: { anything: 1 } }',
    '{ operation: createUser, body: { documents: { exists: true }, address: { city: A } } }',
    '{ method: GET, body: { currency: NGN } }',
    '{ operation: listUsers, method: HEAD }',
  ])('accepts the request condition %s', (conditions) => {
    const rules = `  - { when: request, if: ${conditions}, then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rules))).toBe('nothing was refused')
  })

  test.each([
    ['createPayout', '{ statu: X }', 'statu', didYouMean('status')],
    [
      'createPayout',
      '{ account_details: { bank_nam: X } }',
      'account_details.bank_nam',
      'bank_name',
    ],
    ['getOfframpAudit', '{ transactions: { Status: X } }', 'transactions.Status', 'status'],
    ['createPayout', '{ mesage: X }', 'mesage', didYouMean('message')],
    ['createPayout', '{ a.b: X }', 'a.b', 'Write a: { b: … }'],
  ])('refuses to patch %s with %s', (operation, patch, name, hint) => {
    const rules = `  - { when: request, if: { operation: ${operation} }, then: [{ patch: ${patch} }] }\n`
    const message = messageOf(withRules(rules))
    expect(message).toContain(`Unknown field "rules.0.then.0.patch.${name}". `)
    expect(message).toContain(hint)
  })

  test('refuses to patch a bare number', () => {
    const rules =
      '  - { when: request, if: { operation: [listUsers, getCryptoBalance] }, then: [{ patch: { a: 1 } }] }\n'
    expect(messageOf(withRules(rules))).toContain(
      invalid('rules.0.if.operation.1', 'getCryptoBalance', 'an operation to patch'),
    )
  })

  test('accepts a patch that adds new fields, and a rule below it for a bare number', () => {
    const rules = `  - { when: request, then: [{ patch: { id: 1, tax: { rate: 2 }, x: absent } }] }
  - { when: request, if: { operation: getCryptoBalance }, then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rules))).toBe('nothing was refused')
  })

  test.each([
    ['', ''],
    ['if: { operation: createPayout },', 'if: { operation: createPayout, body: { currency: A } },'],
    ['if: { operation: [createPayout, listUsers] },', 'if: { operation: listUsers }, limit: 3,'],
    [
      'if: { operation: createPayout, body: { amount: { gte: 10 } } },',
      'if: { operation: createPayout, body: { amount: [10, 20] } },',
    ],
    ['if: { headers: { A: { ne: x } } },', 'if: { headers: { A: y } },'],
    ['if: { user: { status: active } },', 'if: { user: { status: active, last_name: A } },'],
  ])('refuses a rule %j that shadows %j', (above, below) => {
    const rule = (conditions: string) =>
      `  - { when: request, ${conditions} then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rule(above) + rule(below)))).toContain(
      `late.yaml:5:5: ${invalid('rules.1', inWords('an object'), 'a rule that can fire: rules.0 matches')}`,
    )
  })

  test.each([
    ['limit: 1,', ''],
    ['skip: 1,', ''],
    ['chance: 0.5,', ''],
    ['during: { after: start, for: 1m },', ''],
    ['if: { operation: createPayout },', ''],
    ['if: { operation: createPayout },', 'if: { operation: [createPayout, listUsers] },'],
    ['if: { body: { amount: { gte: 10 } } },', 'if: { body: { amount: { gte: 5 } } },'],
    ['if: { body: { amount: { gte: 10 } } },', 'if: { body: { amount: 5 } },'],
    ['if: { body: { amount: 5 } },', 'if: { headers: { a: b } },'],
  ])('accepts a rule %j before %j', (above, below) => {
    const rule = (conditions: string) =>
      `  - { when: request, ${conditions} then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rule(above) + rule(below)))).toBe('nothing was refused')
  })

  test('accepts a rule below a throttle', () => {
    const rules = `  - { when: request, then: [{ throttle: { limit: 1, window: 1s } }] }
  - { when: request, then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rules))).toBe('nothing was refused')
  })

  test('refuses a shadowed event rule', () => {
    const rule = (status: string) =>
      `  - { when: transfer.moved, if: { status: ${status} }, then: [{ stop: true }] }\n`
    expect(messageOf(withRules(rule('[PENDING, FAILED]') + rule('FAILED')))).toContain(
      invalid('rules.1', inWords('an object')),
    )
    expect(messageOf(withRules(rule('FAILED') + rule('PENDING')))).toBe('nothing was refused')
  })

  test.each([
    ['request', 'nonsense.x', '{ drop: after }'],
    ['request', 'user.shoe_size', '{ drop: after }'],
    ['request', 'body.customer_payoutid', '{ drop: after }'],
    ['payout.created', 'nonsense', '{ stop: true }'],
    ['payout.created', 'user', '{ stop: true }'],
    ['payout.created', 'status.name', '{ stop: true }'],
  ])('refuses to count %s per %s', (when, per, step) => {
    const message = messageOf(withRules(`  - { when: ${when}, per: ${per}, then: [${step}] }\n`))
    expect(message).toContain(invalid('rules.0.per', per, 'the path of a field that if'))
  })

  test.each(['0', '"0.00"', '1e-30', '-5', '""'])('refuses a credit of %s', (amount) => {
    const text = `  - { when: payout.created, then: [{ credit: { amount: ${amount} } }] }\n`
    expect(messageOf(withRules(text))).toContain('credit.amount: ')
    expect(messageOf(withRules(text))).toContain(expected('an amount above zero such as 12.50'))
  })

  test('refuses a file above one mebibyte', () => {
    expect(messageOf(`# ${'x'.repeat(1_048_576)}`)).toBe(
      `late.yaml: ${invalid('file', inWords('1048578 characters'), 'at most 1048576')}.`,
    )
  })

  test('refuses a missing file', () => {
    expect(() => parseScenarioFile('/no/such/late.yaml')).toThrow(FileError)
    expect(() => parseScenarioFile('/no/such/late.yaml')).toThrow(
      '/no/such/late.yaml cannot be read: there is no such file. Expected a scenario, as a file in',
    )
  })

  test.each([
    ['in Latin-1', Buffer.from('name: late\ntitle: Café\n', 'latin1')],
    ['in UTF-16', Buffer.from('\ufeffname: late', 'utf16le')],
  ])('refuses a file that is %s', (_, bytes) => {
    const path = join(mkdtempSync(join(tmpdir(), 'sandramp-')), 'late.yaml')
    onTestFinished(() => rmSync(dirname(path), { recursive: true }))
    writeFileSync(path, bytes)
    expect(() => openScenario(path)).toThrow(
      `${path} cannot be read: it is not in UTF-8. Expected a scenario, as a file in YAML or JSON`,
    )
  })

  test('reports errors with the path, and puts only the file name in the source of rules', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sandramp-')), 'late.yaml')
    onTestFinished(() => rmSync(dirname(path), { recursive: true }))
    writeFileSync(path, `\ufeff${withRules(`  - when: transfer.created\n${STEP}`)}`)
    expect(openScenario(path)).toMatchObject({ file: path, rules: [{ source: 'late.yaml:4' }] })
    writeFileSync(path, 'name: late\n')
    expect(() => openScenario(path)).toThrow(`${path}:1:1: ${missing('title')}`)
  })

  test('refuses a folder', () => {
    expect(() => openScenario('.')).toThrow('. cannot be read: it is a folder. Expected a scen')
  })
})

describe('the bundled scenarios', () => {
  test('are valid and have the names of their files', () => {
    expect(bundledNames()).toContain('happy-path')
    for (const name of bundledNames()) expect(openScenario(name).name).toBe(name)
  })

  test('are listed, the closest first, for an unknown name', () => {
    expect(() => openScenario('happy-pat')).toThrow(FileError)
    expect(() => openScenario('happy-pat')).toThrow(
      /happy-pat\. Expected a file, or one of .*Did you mean "happy-path"\?/,
    )
    expect(() => openScenario('x/bank-rejects.yaml')).toThrow(didYouMean('bank-rejects'))
    expect(() => openScenario('happy-pat.yml')).toThrow(didYouMean('happy-path'))
    expect(() => openScenario('x/y.yaml')).not.toThrow('Did you mean')
    expect(() => openScenario('x/y.yaml')).toThrow('No scenario and no file is named x/y.yaml.')
    expect(() => openScenario('')).toThrow('No scenario and no file is named "". Expected a file')
  })
})
