import { describe, expect, it } from 'vitest'
import { AnswersFileError, parseAnswersFile, readAnswersFile } from './answers-file.js'

const ANSWER = 'said_by: Support, when: 2026-05-04'

describe('parseSettled', () => {
  it('reads answers by id', () => {
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

  it('reads a list, and JSON', () => {
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

  it.each<[string, string, ...string[]]>([
    ['nothing', '', 'a.yaml:1:1: nothing came; accepted: answers by id, such as payout.repeat:'],
    ['a word', 'yes', 'a.yaml:1:1: "yes" came'],
    ['broken YAML', 'payout.fee: {', 'a.yaml:1:14: '],
    ['two documents', 'a: 1\n---\nb: 2', 'a second document begins'],
    [
      'an unknown id',
      `payout.fee: { reading: on_top, ${ANSWER} }\npayout.repeet: { reading: replay, ${ANSWER} }`,
      'a.yaml:2:1: "payout.repeet" is the id of no assumption; did you mean payout.repeat?',
    ],
    [
      'an unknown id before what is missing',
      'payout.repeet: {}',
      'a.yaml:1:1: "payout.repeet" is the id of no assumption; did you mean payout.repeat?',
    ],
    [
      'an unknown id in a list before what is missing',
      '- { id: payout.repeet }',
      'a.yaml:1:9: "payout.repeet" is the id of no assumption; did you mean payout.repeat?',
    ],
    [
      'an unknown reading',
      `payout.repeat:\n  reading: conflicts\n  said_by: S\n  when: 2026-05-04`,
      'a.yaml:2:12: payout.repeat.reading: "conflicts" came; accepted: current, replay, conflict, second',
      'did you mean conflict?',
    ],
    [
      'null without quotes',
      `transfer.unreached: { reading: null, ${ANSWER} }`,
      'a.yaml:1:32: transfer.unreached.reading: null came; accepted: the name of a reading; the one named null in quotes',
    ],
    [
      'an unknown field',
      `payout.fee: { reading: on_top, sayd_by: S, when: 2026-05-04 }`,
      'a.yaml:1:32: payout.fee.sayd_by: no such field',
      'did you mean said_by?',
    ],
    [
      'a missing field',
      'payout.fee: { reading: on_top, when: 2026-05-04 }',
      'a.yaml:1:13: payout.fee.said_by: nothing came; accepted: who said so',
    ],
    [
      'a date that is none',
      'payout.fee: { reading: on_top, said_by: S, when: 2026-02-30 }',
      'a.yaml:1:50: payout.fee.when: "2026-02-30" came; accepted: a date such as 2026-05-04',
    ],
    [
      'a link of another kind',
      `payout.fee: { reading: on_top, ${ANSWER}, link: "javascript:alert(1)" }`,
      'payout.fee.link: "javascript:alert(1)" came; accepted: an address that begins with http',
    ],
    [
      'no object',
      'payout.fee: on_top',
      'a.yaml:1:13: payout.fee: "on_top" came; accepted: an object',
    ],
    [
      'an id twice in a list',
      `- { id: payout.fee, reading: on_top, ${ANSWER} }\n- { id: payout.fee, reading: deducted, ${ANSWER} }`,
      'a.yaml:2:9: 1.id: payout.fee is there twice',
    ],
    [
      'an id twice in a map',
      `payout.fee: { reading: on_top, ${ANSWER} }\npayout.fee: {}`,
      'a.yaml:2:',
    ],
    [
      'a list without ids',
      `- { reading: on_top, ${ANSWER} }`,
      '0.id: nothing came; accepted: the id',
    ],
    ['an inherited name', `constructor: { reading: on_top, ${ANSWER} }`, 'id of no assumption'],
    ['too many complaints', 'a.b: 1\nb.c: 1\nc.d: 1\nd.e: 1\ne.f: 1\nf.g: 1', '\nand 1 more'],
  ])('refuses %s', (_, text, ...words) => {
    expect(() => parseAnswersFile(text, 'a.yaml')).toThrow(AnswersFileError)
    for (const word of words) expect(() => parseAnswersFile(text, 'a.yaml')).toThrow(word)
  })
})

describe('readSettled', () => {
  it('tells which file is not there, and what is one reading', () => {
    expect(() => readAnswersFile('no-such.yaml')).toThrow(
      'no-such.yaml cannot be read: there is no such file; accepted: a file of answers in YAML or JSON',
    )
    expect(() => readAnswersFile('payout.fee=on_top')).toThrow('is chosen with --reading')
  })
})
