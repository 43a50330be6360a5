import { describe, expect, test } from 'vitest'
import { didYouMean, invalid, missing, unknownField } from '../../test/support/invalid.js'
import { AnswersFileError, parseAnswersFile, readAnswersFile } from './answers-file.js'

const ANSWER = 'said_by: Support, when: 2026-05-04'

describe('parseSettled', () => {
  test('reads answers by id', () => {
    const text = `payout.repeat:
  reading: replay
  said_by: Support
  when: 2026-05-04T10:00:00+02:00
  link: https://example.com/tickets/1
  note: by mail
payout.fee: { reading: on_top, said_by: Support, when: "2026-05-04" }
`
    expect([...parseAnswersFile(text, 'answers.yaml')]).toEqual([
      [
        'payout.repeat',
        {
          reading: 'replay',
          said_by: 'Support',
          when: '2026-05-04T10:00:00+02:00',
          link: 'https://example.com/tickets/1',
          note: 'by mail',
        },
      ],
      ['payout.fee', { reading: 'on_top', said_by: 'Support', when: '2026-05-04' }],
    ])
  })

  test('reads a list, and JSON', () => {
    const list = `- { id: payout.fee, reading: deducted, ${ANSWER} }`
    const json = JSON.stringify([
      { id: 'payout.fee', reading: 'deducted', said_by: 'Support', when: '2026-05-04' },
    ])
    const expected = [
      ['payout.fee', { reading: 'deducted', said_by: 'Support', when: '2026-05-04' }],
    ]
    expect([...parseAnswersFile(list, 'a.yaml')]).toEqual(expected)
    expect([...parseAnswersFile(json, 'a.json')]).toEqual(expected)
  })

  test.each<[string, string, ...string[]]>([
    ['nothing', '', `a.yaml:1:1: ${missing('value', 'answers by id, such as payout.repeat:')}`],
    ['a word', 'yes', `a.yaml:1:1: ${invalid('value', 'yes')}`],
    ['broken YAML', 'payout.fee: {', 'a.yaml:1:14: '],
    ['two documents', 'a: 1\n---\nb: 2', 'a second document begins here'],
    [
      'an unknown id',
      `payout.fee: { reading: on_top, ${ANSWER} }\npayout.repeet: { reading: replay, ${ANSWER} }`,
      'a.yaml:2:1: Unknown assumption "payout.repeet". Did you mean "payout.repeat"?',
    ],
    [
      'an unknown id before what is missing',
      'payout.repeet: {}',
      'a.yaml:1:1: Unknown assumption "payout.repeet". Did you mean "payout.repeat"?',
    ],
    [
      'an unknown id in a list before what is missing',
      '- { id: payout.repeet }',
      'a.yaml:1:9: Unknown assumption "payout.repeet". Did you mean "payout.repeat"?',
    ],
    [
      'an unknown reading',
      `payout.repeat:\n  reading: conflicts\n  said_by: S\n  when: 2026-05-04`,
      `a.yaml:2:12: ${invalid('payout.repeat.reading', 'conflicts', 'current, replay, conflict, second')}`,
      didYouMean('conflict'),
    ],
    [
      'null without quotes',
      `transfer.unreached: { reading: null, ${ANSWER} }`,
      `a.yaml:1:32: ${invalid('transfer.unreached.reading', null, 'the name of a reading; the one named null in quotes')}`,
    ],
    [
      'an unknown field',
      `payout.fee: { reading: on_top, sayd_by: S, when: 2026-05-04 }`,
      `a.yaml:1:32: ${unknownField('payout.fee.sayd_by')}`,
      didYouMean('said_by'),
    ],
    [
      'a missing field',
      'payout.fee: { reading: on_top, when: 2026-05-04 }',
      `a.yaml:1:13: ${missing('payout.fee.said_by', 'the person who said so')}`,
    ],
    [
      'a date that is none',
      'payout.fee: { reading: on_top, said_by: S, when: 2026-02-30 }',
      `a.yaml:1:50: ${invalid('payout.fee.when', '2026-02-30', 'a date such as 2026-05-04')}`,
    ],
    [
      'a link of another kind',
      `payout.fee: { reading: on_top, ${ANSWER}, link: "javascript:alert(1)" }`,
      invalid('payout.fee.link', 'javascript:alert(1)', 'an address that begins with http'),
    ],
    [
      'no object',
      'payout.fee: on_top',
      `a.yaml:1:13: ${invalid('payout.fee', 'on_top', 'an object')}`,
    ],
    [
      'an id twice in a list',
      `- { id: payout.fee, reading: on_top, ${ANSWER} }\n- { id: payout.fee, reading: deducted, ${ANSWER} }`,
      'a.yaml:2:9: Invalid 1.id: payout.fee appears twice. Expected once.',
    ],
    [
      'an id twice in a map',
      `payout.fee: { reading: on_top, ${ANSWER} }\npayout.fee: {}`,
      'a.yaml:2:',
    ],
    ['a list without ids', `- { reading: on_top, ${ANSWER} }`, missing('0.id', 'the id')],
    [
      'an inherited name',
      `constructor: { reading: on_top, ${ANSWER} }`,
      'Unknown assumption "constructor"',
    ],
    ['too many problems', 'a.b: 1\nb.c: 1\nc.d: 1\nd.e: 1\ne.f: 1\nf.g: 1', '\nand 1 more'],
  ])('refuses %s', (_, text, ...words) => {
    expect(() => parseAnswersFile(text, 'a.yaml')).toThrow(AnswersFileError)
    for (const word of words) expect(() => parseAnswersFile(text, 'a.yaml')).toThrow(word)
  })
})

describe('readSettled', () => {
  test('names the missing file and shows the form of an answer', () => {
    expect(() => readAnswersFile('no-such.yaml')).toThrow(
      'no-such.yaml cannot be read: there is no such file. Expected a file of answers in YAML or JSON',
    )
    expect(() => readAnswersFile('payout.fee=on_top')).toThrow(
      'Choose a single reading with --reading.',
    )
  })
})
