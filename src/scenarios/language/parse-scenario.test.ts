import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FileError } from '../../lib/read-file.js'
import { openScenario, shippedNames } from './bundled.js'
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
      expect: [],
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

describe('a scenario with anchors', () => {
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

  it('is read as if it were written out, merge keys too', () => {
    expect(parseScenario(text, 'late.yaml').rules).toMatchObject([
      { when: 'payout.created', limit: 1, source: 'late.yaml:5' },
      { when: 'payout.created', if: { currency: 'NGN' }, limit: 2, source: 'late.yaml:9' },
      { if: { currency: 'NGN', amount: 5 }, source: 'late.yaml:11' },
    ])
  })

  it('tells of what is wrong with a part that was merged where it was merged', () => {
    expect(messageOf(text.replace('NGN', '[]'))).toContain('late.yaml:6:28: rules.0.if.currency: ')
    expect(messageOf(text.replace('NGN', '[]'))).toContain('late.yaml:9:5: rules.1.if.currency: ')
  })
})

describe('a scenario that cannot be used', () => {
  it.each(['-1s', '-P1D', '99999999d'])('is suggested nothing for the duration %s', (after) => {
    const steps = `    then:\n      - { move: FAILED, after: "${after}" }\n`
    const read = () => parseScenario(withRules(`  - when: transfer.created\n${steps}`), 'late.yaml')
    expect(read).toThrow(/^late\.yaml:6:32: rules\.0\.then\.0\.after: [^;]*; accepted: [^;]*$/)
  })

  const rule = (text: string) => `  - ${text.trim().replaceAll('\n', '\n    ')}\n`
  const then = (step: string) => rule(`when: transfer.created\nthen:\n  - ${step}`)
  const iff = (conditions: string) =>
    rule(`when: transfer.created\nif: ${conditions}\nthen:\n  - { move: FAILED }`)

  it.each([
    [
      rule('when: transfer.exploded'),
      '4:11: rules.0.when: "transfer.exploded" came; accepted: requ',
    ],
    [rule('if: {}'), '4:5: rules.0.when: nothing came; accepted: request, consent.created, '],
    [rule('when: nothing\nthen: []'), eventNames.join(', ')],
    [
      rule('when: transfer.created\nunless: 1\nthen: [{ move: FAILED }]'),
      '5:5: rules.0.unless: no such field; accepted: when, if, skip, limit, per, chance, during, then',
    ],
    [
      iff('{ sorce_amount: 1 }'),
      '5:11: rules.0.if.sorce_amount: no such field; accepted: id, kind',
    ],
    [iff('{ sorce_amount: 1 }'), '; did you mean source_amount?'],
    [
      iff('{ account: { bank: 1 } }'),
      '5:22: rules.0.if.account.bank: no such field; accepted: id, ',
    ],
    [
      iff('{ source_amount: { gtee: 1 } }'),
      '5:28: rules.0.if.source_amount.gtee: no such field; acc',
    ],
    [iff('{ source_amount: { gtee: 1 } }'), '; did you mean gte?'],
    [
      iff('{ source_amount: { gte: [1] } }'),
      '5:33: rules.0.if.source_amount.gte: an array came; acc',
    ],
    [
      iff('{ source_amount: [] }'),
      'source_amount: an empty array came; accepted: a number, as 12.5',
    ],
    [iff('{ source_amount: {} }'), 'source_amount: an object came; accepted: a number, as 12.5'],
    [
      iff('{ id: 12345678901234567890 }'),
      'id: the number 12345678901234567000 came; accepted: a string, a number of at most 15 digits, ',
    ],
    [
      iff('{ reason: [] }'),
      'reason: an empty array came; accepted: a string, a number of at most 15 digits, ',
    ],
    [
      iff('{ reason: {} }'),
      'reason: an object came; accepted: a string, a number of at most 15 digits, ',
    ],
    [
      iff('{ source_amount: { gte: abc } }'),
      '5:33: rules.0.if.source_amount.gte: "abc" came; accepted: a number, as 12.5 or "12.50"',
    ],
    [
      iff('{ fees: { in: [1, many] } }'),
      'rules.0.if.fees.in: an array came; accepted: a list of at least one of a number, as 12.5',
    ],
    [iff('{ exchange_rate: good }'), 'exchange_rate: "good" came; accepted: a number, as 12.5'],
    [
      then('{ credit: { currency: ZZZ, amount: 1 } }'),
      'credit.currency: "ZZZ" came; accepted: an ISO 4217 code in upper case such as NGN',
    ],
    [
      then('{ credit: { currency: EUR, amount: "1.001" } }'),
      'credit.amount: "1.001" came; accepted: an amount above zero in EUR, of at most 13 digits before ' +
        'the point and 2 after it',
    ],
    [then('{ credit: { currency: JPY, amount: 0.5 } }'), 'amount: the number 0.5 came; accepted: '],
    [
      then('{ credit: { currency: EUR, amount: 12345678901234 } }'),
      'amount: the number 12345678901234 came; accepted: an amount above zero in EUR, ',
    ],
    [
      rule('when: payout.created\nthen:\n  - { credit: { currency: EUR, amount: "1.001" } }'),
      'credit.amount: "1.001" came; accepted: an amount above zero in EUR, ',
    ],
    [
      rule('when: payout.created\nthen:\n  - { credit: { currency: EUR } }'),
      'credit.amount: nothing came; accepted: an amount above zero such as 12.50, in EUR; {} gives',
    ],
    [
      then('{ deposit: { address: a, amount: "0.0000000000000000001" } }'),
      'deposit.amount: "0.0000000000000000001" came; accepted: an amount above zero such as 12.50, of at most 15',
    ],
    [
      then('{ deposit: { address: a, amount: 1e-19 } }'),
      'deposit.amount: the number 1e-19 came; accepted: an amount above zero such as 12.50, of at most 15',
    ],
    [
      rule('when: user.created\nthen:\n  - { move: rejected, rejection_reasons: [] }'),
      'rejection_reasons: an empty array came; accepted: a list of 1 to 20, each text of 1 to 255 characters, or an',
    ],
    [
      rule('when: user.created\nthen:\n  - { move: incomplete, requirements: [] }'),
      'requirements: an empty array came; accepted: a list of 1 to 50, each text of 1 to 255 characters',
    ],
    [
      then('{ deposit: { address: a, amount: 1234567890123456 } }'),
      'deposit.amount: the number 1234567890123456 came; accepted: an amount above zero such as',
    ],
    [
      then('{ set_key: { status: suspended, expires_at: 1h } }'),
      'accepted: either status or expires_at',
    ],
    [
      then('{ set_key: { expires_at: 2932897d } }'),
      'set_key.expires_at: "2932897d" came; accepted: at most 2932896d',
    ],
    [
      iff('{ reason: { matches: "(" } }'),
      '"(" came; accepted: a regular expression in the syntax of',
    ],
    [
      iff(`{ reason: { matches: "${'a'.repeat(201)}" } }`),
      'accepted: a regular expression in the syn',
    ],
    [iff('{ status: PENDIN }'), '5:19: rules.0.if.status: "PENDIN" came; accepted: PENDING, '],
    [
      iff('{ status: [PENDING, PENDIN] }'),
      '5:29: rules.0.if.status.1: "PENDIN" came; accepted: PEND',
    ],
    [
      iff('{ status: { ne: PENDIN } }'),
      '5:25: rules.0.if.status.ne: "PENDIN" came; accepted: PEND',
    ],
    [iff('{ status: { eq: PENDIN } }'), 'status.eq: "PENDIN" came; accepted: PENDING, '],
    [iff('{ status: { in: [FAILED, PENDIN] } }'), '5:34: rules.0.if.status.in.1: "PENDIN" came; '],
    [iff('{ status: { in: PENDING } }'), 'status.in: "PENDING" came; accepted: a list of at least'],
    [
      rule(
        'when: transfer.moved\nif: { status: { in: [FAILED] } }\nthen:\n  - { move: CANCELLED }',
      ),
      'then.0.move: "CANCELLED" came; accepted: no move: FAILED is final',
    ],
    [
      rule('when: request\nif: { operation: { ne: createPayot } }\nthen: [{ drop: after }]'),
      'if.operation.ne: "createPayot" came; accepted: createPayout, ',
    ],
    [
      rule('when: request\nif: { method: [GET, post] }\nthen: [{ drop: after }]'),
      'rules.0.if.method.1: "post" came; accepted: a method in upper case such as GET',
    ],
    [
      rule('when: request\nif: { path: [payout] }\nthen: [{ drop: after }]'),
      'rules.0.if.path.0: "payout" came; accepted: a path such as /payment/api/v1/payout, without its',
    ],
    [
      rule('when: request\nif: { path: [/a, /a?b=1] }\nthen: [{ drop: after }]'),
      'rules.0.if.path.1: "/a?b=1" came; accepted: a path such as /payment/api/v1/payout, without its',
    ],
    [
      rule('when: request\nif: { user: { status: activ } }\nthen: [{ drop: after }]'),
      'rules.0.if.user.status: "activ" came; accepted: under_review, active, ',
    ],
    [
      iff('{ source_amount: { gt: 100, lt: "99.5" } }'),
      'rules.0.if.source_amount.lt: "99.5" came; accepted: more than the gt, 100',
    ],
    [iff('{ kind: onramp }'), '5:17: rules.0.if.kind: "onramp" came; accepted: offramp, bank'],
    [iff('{ user: { status: activ } }'), '5:27: rules.0.if.user.status: "activ" came; accepted: u'],
    [
      rule('when: deposit.received\nif: { matched: wallt }\nthen: [{ stop: true }]'),
      'rules.0.if.matched: "wallt" came; accepted: offramp, wallet, unmatched; did you mean wallet?',
    ],
    [
      then('{ move: FUNDS_RECEIVD }'),
      '6:17: rules.0.then.0.move: "FUNDS_RECEIVD" came; accepted: P',
    ],
    [then('{ move: FUNDS_RECEIVD }'), '; did you mean FUNDS_RECEIVED?'],
    [then('{ move: failed }'), '"failed" came; accepted: PENDING, '],
    [
      then('{ after: 2s }'),
      '6:9: rules.0.then.0: an object came; accepted: exactly one of move, cred',
    ],
    [
      then('{ move: FAILED, stop: true }'),
      'accepted: exactly one of move, credit, deposit, set_key',
    ],
    [
      then('{ move: FAILED, after: soon }'),
      'then.0.after: "soon" came; accepted: a duration such a',
    ],
    [
      then('{ move: FAILED, after: 2 }'),
      'after: the number 2 came; accepted: a duration such as 500',
    ],
    [then('{ move: FAILED, after: -2s }'), 'after: "-2s" came; accepted: a duration such as'],
    [
      then('{ move: FAILED, after: 2932897d }'),
      'after: "2932897d" came; accepted: at most 2932896d',
    ],
    [
      then('{ move: FAILED, reason: "" }'),
      'reason: "" came; accepted: text of 1 to 255 characters',
    ],
    [
      then('{ stop: true }\n  - { move: FAILED }'),
      '7:9: rules.0.then.1: an object came; accepted: nothing behind stop, after which nothing happens',
    ],
    [then('{ stop: true, reason: x }'), 'reason: "x" came; accepted: it only beside move'],
    [
      rule('when: user.created\nthen:\n  - { move: active, rejection_reasons: [No] }'),
      'rejection_reasons: an array came; accepted: it only beside move: rejected',
    ],
    [
      rule('when: user.created\nthen:\n  - { move: rejected, requirements: [identity] }'),
      'requirements: an array came; accepted: it only beside move: incomplete',
    ],
    [then('{ after: 1s, after_reads: 1, move: FAILED }'), 'accepted: either after or after_reads'],
    [then('{ after_reads: 0, move: FAILED }'), 'accepted: a whole number from 1 to 1000'],
    [then('{ deposit: { amount: 5 } }'), 'then.0.deposit.address: nothing came; accepted: text'],
    [then('{ set_key: {} }'), 'set_key: an object came; accepted: either status or expires_at'],
    [
      rule('when: wallet.created\nthen:\n  - { move: active }'),
      '6:11: rules.0.then.0.move: no such field; accepted: after, credit, deposit, set_key, stop',
    ],
    [
      rule('when: payout.created\nthen: [{ after_reads: 2, move: PAYOUT_FAILED }]'),
      'after_reads: no such field; accepted: after, move, reason, credit, ',
    ],
    [
      rule('when: payout.created\nlimit: 0\nchance: 2\nthen: []'),
      [
        '5:12: rules.0.limit: the number 0 came; accepted: a whole number from 1 to 1000000',
        'late.yaml:6:13: rules.0.chance: the number 2 came; accepted: a number above 0, up to 1',
        'late.yaml:7:11: rules.0.then: an empty array came; accepted: a list of at least one step',
      ].join('\n'),
    ],
    [
      rule('when: request\nif: { operation: createPayot }\nthen: [{ drop: after }]'),
      '; did you mean createPayout?',
    ],
    [
      rule(
        'when: request\nif: { body: { tnc_data: { accepted_at: { gt: {} } } } }\nthen: [{ drop: after }]',
      ),
      '5:50: rules.0.if.body.tnc_data.accepted_at.gt: an object came; accepted: a number, or a string such as',
    ],
    [
      rule('when: request\nthen: [{ respond: { status: 200, headers: { "x y": a } } }]'),
      'headers.x y: "a" came; accepted: a header name of A-Z, a-z, 0-9 and -',
    ],
    [
      rule('when: request\nthen: [{ respond: { status: 200, headers: { x: "a\\r\\nb" } } }]'),
      'headers.x: "a\\r\\nb" came; accepted: a value of visible characters, without line breaks',
    ],
    [
      rule('when: request\nthen: [{ throttle: { limit: 1, window: 0s } }]'),
      'throttle.window: "0s" came; accepted: a duration such as 500ms, 2s, 30m, 1h, 7d, or ISO 8601 such as PT30M or P1D, above zero',
    ],
    [
      rule('when: request\nthen: [{ respond: { status: 503, code: "5030", body: { a: 1 } } }]'),
      'respond.code: "5030" came; accepted: it only in an error body: with a status from 400, and no body of your own',
    ],
    [
      rule('when: request\nthen: [{ respond: { status: 200, message: hi } }]'),
      'respond.message: "hi" came; accepted: it only in an error body',
    ],
    [
      rule('when: request\nif: null\nthen: [{ drop: after }]'),
      'rules.0.if: null came; accepted: an object of conditions, {} for any',
    ],
    [
      rule('when: request\nthen: [{ delay_ms: 300001 }]'),
      'accepted: milliseconds from 0 to 300000, or two of them as [least, most]',
    ],
    [
      rule('when: request\nthen: [{ delay_ms: [5, 2] }]'),
      'accepted: milliseconds from 0 to 300000, or two of them as [least, most]',
    ],
    [
      rule('when: request\nthen: [{ drop: middle }]'),
      '"middle" came; accepted: before, after, mid_body',
    ],
  ])('has %j', (rules, words) => {
    const message = messageOf(withRules(rules))
    expect(message).toMatch(/^late\.yaml:\d+:\d+: /)
    expect(message).toContain(words)
  })

  it.each([
    ['request', 'delay', 'delay_ms'],
    ['transfer.created', 'mov', 'move'],
  ])('has a step of %s that is misspelt, and is told so once', (when, action, meant) => {
    const message = messageOf(withRules(rule(`when: ${when}\nthen:\n  - { ${action}: 5 }`)))
    expect(message).toMatch(/^[^\n]* no such field; accepted: [^\n]*$/)
    expect(message).toContain(`did you mean ${meant}?`)
  })

  it.each([
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
  ])(
    'moves what comes with %s to %j, which the status table never allows',
    (event, moves, words) => {
      const steps = moves.map((move) => `      - { move: ${move} }\n`).join('')
      const message = messageOf(withRules(`  - when: ${event}\n    then:\n${steps}`))
      const place = moves.length - 1
      expect(message).toContain(`late.yaml:${6 + place}:17: rules.0.then.${place}.move: "`)
      expect(message).toContain(`accepted: ${words}`)
    },
  )

  it.each([
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
  ])('is not one that moves a transfer to %j', (moves) => {
    const steps = moves.map((move) => `      - { move: ${move} }\n`).join('')
    const text = withRules(`  - when: transfer.created\n    then:\n${steps}`)
    expect(messageOf(text)).toBe('nothing was refused')
  })

  it.each([
    ['- { payout: {} }', 'expect.0.payout: no such field; accepted: requests, consents, '],
    ['- { payouts: { state: X } }', 'expect.0.payouts.state: no such field; accepted: id, '],
    [
      '- { payouts: {}, count: -1 }',
      'expect.0.count: the number -1 came; accepted: a whole number',
    ],
    [
      '- { payouts: { status: { ne: PAYOUT_FAILD } } }',
      'payouts.status.ne: "PAYOUT_FAILD" came; accepted: PAYOUT_PENDING, PAYOUT_PROCESSED, PAYOUT_FAILED',
    ],
    ['- { requests: { method: get } }', 'requests.method: "get" came; accepted: a method in upper'],
    ['- { audit: dirty }', 'expect.0.audit: "dirty" came; accepted: clean'],
    [
      '- { audit: clean, count: 1 }',
      'expect.0.count: the number 1 came; accepted: nothing beside audit',
    ],
    [
      '- { payouts: {}, reached: DONE }',
      'reached: "DONE" came; accepted: PAYOUT_PENDING, PAYOUT_PRO',
    ],
    ['- { deposits: {}, reached: DONE }', 'accepted: nothing beside what has no status of its own'],
    ['- { payouts: {}, unique: ammount }', 'unique: "ammount" came; accepted: the path of a field'],
    ['- { payouts: {}, distinct: user }', 'distinct: "user" came; accepted: the path of a field'],
    ['- { payouts: {}, sum: { id: 1 } }', 'accepted: amount, rail_fee'],
    ['- { payouts: {}, sum: { amount: much } }', 'sum.amount: "much" came; accepted: a number'],
    ['- { users: {}, sum: { id: 1 } }', 'accepted: nothing beside what has no amount'],
    [
      '- { fired: late/7 }',
      'fired: "late/7" came; accepted: the name of a scenario, or one of its',
    ],
    ['- { fired: Late }', 'fired: "Late" came; accepted: a scenario such as flaky-gateway'],
    ['- { fired: late, payouts: {} }', 'payouts: an object came; accepted: nothing beside fired'],
    ['- { balances: {}, after: { users: {} } }', 'accepted: nothing beside balances'],
    [
      '- { users: {}, after: { balances: {} } }',
      'after.balances: no such field; accepted: requests',
    ],
    ['- { requests: {}, payouts: {} }', 'expect.0: an object came; accepted: exactly one of requ'],
    ['- { payouts: {}, before: {} }', 'expect.0.before: an object came; accepted: exactly one of '],
  ])('expects %s', (expectations, words) => {
    const text = withRules(`${then('{ move: FAILED }')}expect:\n  ${expectations}\n`)
    expect(messageOf(text)).toContain(words)
  })

  it('tells no more than five things at once', () => {
    const message = messageOf(withRules(then('{ move: x }').repeat(7)))
    expect(message.split('\n')).toHaveLength(6)
    expect(message).toMatch(/\nand 2 more$/)
  })

  it.each([
    ['', 1, 'nothing came; accepted: an object'],
    ['# name: late', 1, 'nothing came; accepted: an object'],
    ['null', 1, 'null came; accepted: an object'],
    ['late', 1, '"late" came; accepted: an object'],
    ['- late', 1, 'an array came; accepted: an object'],
    ['name: late\ntitle: A late one\nrules: { when: request }', 3, 'a list of at least one rule'],
    [
      'name: late\ntitle: A late one\nrules: []',
      3,
      'rules: an empty array came; accepted: a list of at least one rule',
    ],
    [
      'name: A Late One\ntitle: x\nrules: [1]',
      1,
      'name: "A Late One" came; accepted: a name of a-z',
    ],
    [`name: late\nrules:\n  - when: x\n${STEP}`, 1, 'title: nothing came; accepted: '],
    ['name: [late\ntitle: A late one', 2, 'Flow sequence'],
    ['name: late\n\ttitle: A late one', 2, 'a tab came as indentation; accepted: spaces'],
    ['name: late\nname: later', 2, 'name: it comes once more; accepted: once'],
    ['name: late\ntitle: x\n"title": y', 3, 'title: it comes once more; accepted: once'],
    ['name: late\ntitle: !env TITLE', 2, 'the tag !env came; accepted: no tag of your own'],
    ['name: late\ntitle: !!js/function x', 2, 'the tag !!js/function came; accepted: no tag of'],
    ['name: late\n title: x\nrules: []', 2, 'it goes on with the value above it, being indented'],
    [
      'name: late\r\ntitle: x\r\n   why: y',
      3,
      'accepted: the keys of an object one below the other',
    ],
    ['name: late\ntitle: it: is', 2, 'one more colon came in a line; accepted: a text that holds'],
    [
      'name: late\ntitle x\nrules: []',
      2,
      'no colon stands behind this key; accepted: a key, a col',
    ],
    ['name: late\ntitle: "x\nrules: []\n\n', 2, 'a quote opens that is never closed'],
    ["name: late\ntitle: x\nwhy: 'y\nrules: []", 3, 'a quote opens that is never closed'],
    ['name: late\ntitle: 1e400', 2, '1e400 came; accepted: a number of up to 1e308'],
    ['name: late\ntitle: [-.inf, .nan]', 2, '-.inf came; accepted: a number of up to 1e308'],
    ['name: late\n---\nname: later', 2, 'a second document begins; accepted: one to a file'],
  ])('is %j', (text, line, words) => {
    const message = messageOf(text)
    expect(message).toMatch(new RegExp(`^late\\.yaml:${line}:\\d+: `))
    expect(message).toContain(words)
  })

  it.each(['5', '*name'])('merges %s, which has no keys', (merged) => {
    const rules = `  - { <<: ${merged}, when: request, then: [{ drop: after }] }`
    expect(messageOf(withRules(rules).replace('name: ', 'name: &name '))).toBe(
      `late.yaml:4:7: <<: ${merged} came; accepted: an object, or an alias of one`,
    )
  })

  it('has an alias of nothing, or of too much', () => {
    expect(messageOf('title: x\nname: *late')).toBe(
      'late.yaml:2:7: no anchor &late stands before the alias *late',
    )
    const ten = (name: string) => `[${new Array(10).fill(name)}]`
    const bomb = [...'abcdefg'].map((it, i, all) => `${it}: &${it} ${ten(`*${all[i - 1]}`)}`)
    expect(messageOf(['x: &undefined 1', ...bomb].join('\n'))).toMatch(
      /^late\.yaml: its aliases stand for too much; accepted: at most 4194304 characters /,
    )
    expect(messageOf(`name: &a x\ntitle: [${new Array(1_001).fill('*a')}]`)).toMatch(
      /^late\.yaml:2:\d+: an alias too many; accepted: 1000 in a file$/,
    )
  })

  it('has more keys than could be compared with one another', () => {
    const keys = Array.from({ length: 10_000 }, (_, i) => `k${i}: 1`)
    expect(messageOf(keys.join('\n'))).toMatch(/\nand 9997 more$/)
    expect(messageOf([...keys, 'k7: 2'].join('\n'))).toBe(
      'late.yaml:10001:1: k7: it comes once more; accepted: once',
    )
  })

  it('has a tag that nobody would read to its end', () => {
    const message = messageOf(`name: !${'x'.repeat(10_000)} y`)
    expect(message).toMatch(/^late\.yaml:1:7: the tag !x+… came; accepted: no tag of your own$/)
    expect(message.length).toBeLessThan(300)
  })

  it('is no tree, or too deep a one', () => {
    const respond =
      '  - { when: request, then: [{ respond: { status: 200, body: &a { x: *a } } }] }'
    expect(messageOf(withRules(respond))).toBe('late.yaml:4:69: the alias *a leads back to itself')
    for (const levels of [100, 20_000]) {
      const deep = `title: ${'['.repeat(levels)}${']'.repeat(levels)}`
      expect(messageOf(deep)).toContain(': it is nested too deeply; accepted: 64 levels')
    }
  })

  it.each(['""', '{a}', ':\n', '{a: 1}, '])('is of more %j than are read', (part) => {
    expect(messageOf(part.repeat(100_001))).toBe(
      'late.yaml: it has more than 100000 words and signs; accepted: at most as many',
    )
  })

  it.each([
    ['rules', HEAD, '  - { when: request, limit: 1, then: [{ drop: after }] }\n'],
    [
      'expect',
      `${withRules(`  - when: transfer.created\n${STEP}`)}expect:\n`,
      '  - { users: {} }\n',
    ],
  ] as const)('has more %s than anybody reads', (field, head, item) => {
    expect(parseScenario(head + item.repeat(200), 'late.yaml')[field]).toHaveLength(200)
    expect(messageOf(head + item.repeat(201))).toMatch(
      new RegExp(`^late\\.yaml:\\d:1: ${field}: 201 came; accepted: at most 200$`),
    )
  })

  it.each([
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
      'respond.body.ids.1: the number 9007199254740992 came; accepted: a whole number from ' +
        '-9007199254740991 to 9007199254740991; a body that is text keeps any',
    ],
    ['{ respond: { status: 200, headers: { Trailer: a } } }', 'none of connection, content-len'],
    ['{ respond: { status: 204, body: { a: 1 } } }', 'no body beside the status 204, 205 or 304'],
    ['{ respond: { status: 205, body: { a: 1 } } }', 'no body beside the status 204, 205 or 304'],
    ['{ respond: { status: 304, body: { a: 1 } } }', 'no body beside the status 204, 205 or 304'],
    [
      '{ respond: { status: 503 } }, { malform: html }',
      'accepted: delays, and one of respond, drop, hang',
    ],
    [
      '{ throttle: { limit: 1, window: 1s } }, { throttle: { limit: 9, window: 1m } }',
      'a throttle beside nothing but a resp',
    ],
    [
      '{ respond: { status: 503, retry_after: rest } }',
      'retry_after: "rest" came; accepted: a duration; rest only in a rule with during and its for',
    ],
    [
      '{ respond: { status: 503, retry_after: soon } }',
      'retry_after: "soon" came; accepted: rest, or a duration such as 500ms',
    ],
    [
      '{ hold: { before: answer, for: 6m } }',
      'hold.for: "6m" came; accepted: a duration such as 500ms',
    ],
    ['{ hold: { before: command, for: 1s } }', 'hold.before: "command" came; accepted: commit, a'],
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
      'accepted: delays, and one of respond, drop, hang',
    ],
    ['{ stale: 30s }', 'stale: "30s" came; accepted: stale only in a rule whose if names GET'],
    ['{ stale: 1s }, { respond: { status: 503 } }', 'one stale, beside neither respond nor drop'],
    ['{ stale: 1s }, { stale: 2s }', 'one stale, beside neither respond nor drop'],
    ['{ trickle: { over: 6m } }', 'trickle.over: "6m" came; accepted: a duration such as 500ms'],
    ['{ trickle: { over: 0s } }', 'trickle.over: "0s" came; accepted: a duration such as 500ms'],
    ['{ trickle: { over: 1s } }, { drop: mid_body }', 'one trickle, beside neither drop, hang'],
    ['{ trickle: { over: 1s } }, { trickle: { over: 2s } }', 'one trickle, beside neither drop,'],
    [
      '{ throttle: { limit: 1, window: 1s } }, { trickle: { over: 1s } }',
      'a throttle beside nothing but a resp',
    ],
    [
      '{ throttle: { limit: 1, window: PT0S } }',
      'throttle.window: "PT0S" came; accepted: a duration such as 500ms, 2s, 30m, 1h, 7d, or ISO 8601 such as PT30M or P1D, above zero',
    ],
    [
      '{ throttle: { limit: 1, window: 1s } }, { drop: after }',
      'a throttle beside nothing but a resp',
    ],
  ])('asks of a request: %s', (steps, words) => {
    const message = messageOf(withRules(`  - { when: request, then: [${steps}] }\n`))
    expect(message).toContain(words)
  })

  it.each([
    [
      '{ after: payout.creatd, for: 1m }',
      'during.after: "payout.creatd" came; accepted: start, request, consent.created',
    ],
    ['{ after: start, for: 0s }', 'during.for: "0s" came; accepted: a duration such as 500ms'],
    ['{ after: start, form: 3s }', 'during.form: no such field; accepted: after, from, for'],
    ['{ for: 1m }', 'during.after: nothing came; accepted: start, request'],
  ])('is in force during %s', (during, words) => {
    const rules = `  - { when: request, during: ${during}, then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rules))).toContain(words)
  })

  it.each([
    [
      '{ operation: createPayout, body: { curency: NGN } }',
      'if.body.curency: no such field; accepted: user_id, currency, customer_payout_id, amount, ' +
        'recipient_details; did you mean currency?',
    ],
    [
      '{ operation: createPayout, body: { recipient_details: { bank: A } } }',
      'if.body.recipient_details.bank: no such field; accepted: bank_name, account_holder_name, rec',
    ],
    ['{ operation: [createPayout, initiateOfframp], body: { chain: A } }', 'body.chain: no such'],
    ['{ body: { curency: NGN } }', 'did you mean currency?'],
    [
      '{ operation: listUsers, body: { user_id: A } }',
      'no condition on a body, which listUsers has',
    ],
    [
      '{ operation: createPayout, method: GET }',
      'if.method: "GET" came; accepted: POST, as createP',
    ],
    [
      '{ operation: [listUsers], method: [GET, POST] }',
      'if.method.1: "POST" came; accepted: GET, HE',
    ],
  ])('asks a request for %s', (conditions, words) => {
    const rules = `  - { when: request, if: ${conditions}, then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rules))).toContain(words)
    const expectation = `expect:\n  - { requests: ${conditions}, count: 0 }\n`
    expect(messageOf(withRules(then('{ move: FAILED }')) + expectation)).toContain(
      words.replace(/^if\./, ''),
    )
  })

  it.each([
    '{ operation: [createPayout, listUsers], method: GET }',
    '{ operation: [initiateOfframp, createCustodyWallet], body: { chain: A, account_id: B } }',
    '{ operation: null, body: { anything: 1 } }',
    '{ operation: createUser, body: { documents: { exists: true }, address: { city: A } } }',
    '{ method: GET, body: { currency: NGN } }',
    '{ operation: listUsers, method: HEAD }',
  ])('does not ask a request for %s', (conditions) => {
    const rules = `  - { when: request, if: ${conditions}, then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rules))).toBe('nothing was refused')
  })

  it.each([
    ['', ''],
    ['if: { operation: createPayout },', 'if: { operation: createPayout, body: { currency: A } },'],
    ['if: { operation: [createPayout, listUsers] },', 'if: { operation: listUsers }, limit: 3,'],
    [
      'if: { operation: createPayout, body: { amount: { gte: 10 } } },',
      'if: { operation: createPayout, body: { amount: [10, 20] } },',
    ],
    ['if: { headers: { A: { ne: x } } },', 'if: { headers: { A: y } },'],
    ['if: { user: { status: active } },', 'if: { user: { status: active, last_name: A } },'],
  ])('has a rule %j that another below it never gets past: %j', (above, below) => {
    const rule = (conditions: string) =>
      `  - { when: request, ${conditions} then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rule(above) + rule(below)))).toContain(
      'late.yaml:5:5: rules.1: an object came; accepted: a rule that can have its turn: rules.0, above',
    )
  })

  it.each([
    ['limit: 1,', ''],
    ['skip: 1,', ''],
    ['chance: 0.5,', ''],
    ['during: { after: start, for: 1m },', ''],
    ['if: { operation: createPayout },', ''],
    ['if: { operation: createPayout },', 'if: { operation: [createPayout, listUsers] },'],
    ['if: { body: { amount: { gte: 10 } } },', 'if: { body: { amount: { gte: 5 } } },'],
    ['if: { body: { amount: { gte: 10 } } },', 'if: { body: { amount: 5 } },'],
    ['if: { body: { amount: 5 } },', 'if: { headers: { a: b } },'],
  ])('does not have a rule %j that leaves the one below it a turn: %j', (above, below) => {
    const rule = (conditions: string) =>
      `  - { when: request, ${conditions} then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rule(above) + rule(below)))).toBe('nothing was refused')
  })

  it('has a throttle above another rule, which lets some requests pass to it', () => {
    const rules = `  - { when: request, then: [{ throttle: { limit: 1, window: 1s } }] }
  - { when: request, then: [{ drop: after }] }\n`
    expect(messageOf(withRules(rules))).toBe('nothing was refused')
  })

  it('has a rule about records that another one shadows', () => {
    const rule = (status: string) =>
      `  - { when: transfer.moved, if: { status: ${status} }, then: [{ stop: true }] }\n`
    expect(messageOf(withRules(rule('[PENDING, FAILED]') + rule('FAILED')))).toContain(
      'rules.1: an',
    )
    expect(messageOf(withRules(rule('FAILED') + rule('PENDING')))).toBe('nothing was refused')
  })

  it.each([
    ['request', 'nonsense.x', '{ drop: after }'],
    ['request', 'user.shoe_size', '{ drop: after }'],
    ['request', 'body.customer_payoutid', '{ drop: after }'],
    ['payout.created', 'nonsense', '{ stop: true }'],
    ['payout.created', 'user', '{ stop: true }'],
    ['payout.created', 'status.name', '{ stop: true }'],
  ])('counts %s for each %s', (when, per, step) => {
    const message = messageOf(withRules(`  - { when: ${when}, per: ${per}, then: [${step}] }\n`))
    expect(message).toContain(`rules.0.per: "${per}" came; accepted: the path of a field that if`)
  })

  it.each(['0', '"0.00"', '1e-30', '-5', '""'])('credits %s', (amount) => {
    const text = `  - { when: payout.created, then: [{ credit: { amount: ${amount} } }] }\n`
    expect(messageOf(withRules(text))).toContain('credit.amount: ')
    expect(messageOf(withRules(text))).toContain('accepted: an amount above zero such as 12.50')
  })

  it('is longer than a mebibyte', () => {
    expect(messageOf(`# ${'x'.repeat(1_048_576)}`)).toBe(
      'late.yaml: 1048578 characters came; accepted: at most 1048576',
    )
  })

  it('is not there', () => {
    expect(() => parseScenarioFile('/no/such/late.yaml')).toThrow(FileError)
    expect(() => parseScenarioFile('/no/such/late.yaml')).toThrow(
      '/no/such/late.yaml cannot be read: there is no such file; accepted: a scenario, as a file in',
    )
  })

  it.each([
    ['in Latin-1', Buffer.from('name: late\ntitle: Café\n', 'latin1')],
    ['in UTF-16', Buffer.from('\ufeffname: late', 'utf16le')],
  ])('is %s', (_, bytes) => {
    const path = join(mkdtempSync(join(tmpdir(), 'sandramp-')), 'late.yaml')
    onTestFinished(() => rmSync(dirname(path), { recursive: true }))
    writeFileSync(path, bytes)
    expect(() => openScenario(path)).toThrow(
      `${path} cannot be read: it is not in UTF-8; accepted: a scenario, as a file in YAML or JSON`,
    )
  })

  it('is told of by its path, and tells no more than its name of itself', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'sandramp-')), 'late.yaml')
    onTestFinished(() => rmSync(dirname(path), { recursive: true }))
    writeFileSync(path, `\ufeff${withRules(`  - when: transfer.created\n${STEP}`)}`)
    expect(openScenario(path)).toMatchObject({ file: path, rules: [{ source: 'late.yaml:4' }] })
    writeFileSync(path, 'name: late\n')
    expect(() => openScenario(path)).toThrow(`${path}:1:1: title: nothing came`)
  })

  it('is a folder', () => {
    expect(() => openScenario('.')).toThrow('. cannot be read: it is a folder; accepted: a scen')
  })
})

describe('the shipped scenarios', () => {
  it('can be used, under the names of their files', () => {
    expect(shippedNames()).toContain('happy-path')
    for (const name of shippedNames()) expect(openScenario(name).name).toBe(name)
  })

  it('are named, with the nearest, when another is asked for', () => {
    expect(() => openScenario('happy-pat')).toThrow(FileError)
    expect(() => openScenario('happy-pat')).toThrow(
      /happy-pat; accepted: a file, or one of .*did you mean happy-path\?/,
    )
    expect(() => openScenario('x/bank-rejects.yaml')).toThrow(/did you mean bank-rejects\?$/)
    expect(() => openScenario('happy-pat.yml')).toThrow(/did you mean happy-path\?$/)
    expect(() => openScenario('x/y.yaml')).not.toThrow(/did you mean/)
    expect(() => openScenario('x/y.yaml')).toThrow('no scenario and no file is named x/y.yaml')
    expect(() => openScenario('')).toThrow('no scenario and no file is named ""; accepted: a file')
  })
})
