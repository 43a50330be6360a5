import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  didYouMean,
  got,
  invalid,
  inWords,
  missing,
  partOf,
} from '../../../test/support/invalid.js'
import { FileError } from '../../lib/read-file.js'
import { bundledNames, openScenario } from './bundled.js'
import {
  type ParseOptions,
  parseScenario,
  parseScenarioFile,
  ScenarioError,
} from './parse-scenario.js'

const HEAD = 'name: late\ntitle: A late one\nrules:\n'
const STEP = '    then:\n      - { move: FAILED }\n'

/** A scenario whose rules begin in line 4. */
const withRules = (rules: string): string => HEAD + rules

const messageOf = (text: string, options?: ParseOptions): string => {
  try {
    parseScenario(text, 'late.yaml', options)
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

/** Every file has wrong rules or expectations only, and a file of the same name their messages. */
describe('the wrong files', () => {
  const folder = fileURLToPath(new URL('./wrong/', import.meta.url))
  const files = readdirSync(folder).filter((name) => name.endsWith('.yaml'))

  test.each(files)('%s is refused with the messages beside it', async (file) => {
    const message = messageOf(readFileSync(join(folder, file), 'utf8'), { most: 1_000 })
    const beside = join(folder, file.replace('.yaml', '.txt'))
    await expect(`${message.replaceAll('late.yaml:', '')}\n`).toMatchFileSnapshot(beside)
  })

  test('each rule and expectation has a message', () => {
    for (const file of files.filter((it) => it !== 'between-rules.yaml')) {
      const text = readFileSync(join(folder, file), 'utf8')
      const field = text.includes('expect:') ? 'expect' : 'rules'
      const items = text.slice(text.indexOf(`${field}:`)).match(/^ {2}- /gm) ?? []
      const message = messageOf(text, { most: 1_000 })
      const named = [...message.matchAll(new RegExp(`\\b${field}\\.(\\d+)`, 'g'))]
      expect(new Set(named.map(([, index]) => Number(index)))).toEqual(new Set(items.keys()))
    }
  })
})

const rule = (conditions: string) => `{ when: request, ${conditions} then: [{ drop: after }] }`

describe('parseScenario accepts', () => {
  test.each([
    '{ when: transfer.created, then: [{ move: FUNDS_RECEIVED }, { move: CANCELLED }] }',
    `{ when: transfer.created, then: [${[
      'FUNDS_RECEIVED',
      'CONVERSION_PROCESSED',
      'PAYMENT_SUBMITTED',
      'PAYMENT_PROCESSED',
      'FAILED',
    ].map((status) => `{ move: ${status} }`)}] }`,
    rule('if: { operation: [createPayout, listUsers], method: GET },'),
    rule(
      'if: { operation: [initiateOfframp, createCustodyWallet], body: { chain: A, account_id: B } },',
    ),
    rule('if: { operation: null, body: { anything: 1 } },'),
    rule('if: { operation: createUser, body: { documents: { exists: true } } },'),
    rule('if: { method: GET, body: { currency: NGN } },'),
    rule('if: { operation: listUsers, method: HEAD },'),
  ])('%s', (text) => expect(messageOf(withRules(`  - ${text}\n`))).toBe('nothing was refused'))
})

describe('parseScenario', () => {
  test('reports at most five errors', () => {
    const message = messageOf(withRules(`  - ${rule('limit: 0,')}\n`.repeat(7)))
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
    [
      'name: [late\ntitle: A late one',
      2,
      'this line has another indentation, or a bracket is open',
    ],
    [
      'name: late\n\ttitle: A late one',
      2,
      'Invalid YAML: a tab indents this line. Expected spaces.',
    ],
    ['name: late\nname: later', 2, 'Invalid YAML: "name" appears twice. Expected once.'],
    ['name: late\ntitle: x\n"title": y', 3, '"title" appears twice'],
    [
      'name: late\ntitle: !env TITLE',
      2,
      'this tag has no meaning here. Expected a value without a tag.',
    ],
    ['name: late\ntitle: !!js/function x', 2, 'this tag has no meaning here'],
    ['name: late\n title: x\nrules: []', 1, 'a field begins inside a value'],
    ['name: late\ntitle: it: is', 2, 'a field begins inside a value'],
    [
      'name: late\ntitle x\nrules: []',
      2,
      'this line has no field. Expected a line such as name: value.',
    ],
    ['name: late\ntitle: "x\nrules: []\n\n', 5, 'a character is missing'],
    ['name: late\ntitle: 1e400', 2, got(null, 'text')],
    [
      'name: late\n---\nname: later',
      2,
      'Invalid YAML: a second document begins here. Expected one document per file.',
    ],
    ['name: late\ntitle: "x" y', 2, 'this text does not fit here'],
    ['name: late\ntitle: @x', 2, 'text begins with a reserved character'],
    ['name: late\ntitle: "\\q"', 2, 'this escape is unknown. Expected two backslashes for one.'],
    ['name: late\nrules: [\n  - a ]', 3, 'a block begins inside brackets'],
  ])('refuses the document %j', (text, line, words) => {
    const message = messageOf(text)
    expect(message).toMatch(new RegExp(`^late\\.yaml:${line}:\\d+: `))
    expect(message).toContain(words)
  })

  test.each(['5', '*name'])('refuses to merge %s, which has no keys', (merged) => {
    const rules = `  - { <<: ${merged}, when: request, then: [{ drop: after }] }`
    expect(messageOf(withRules(rules).replace('name: ', 'name: &name '))).toBe(
      'late.yaml:4:7: Invalid YAML: << merges a plain value. Expected an object, or a list of them.',
    )
  })

  test('refuses an unknown or too large alias', () => {
    expect(messageOf('title: x\nname: *late')).toBe(
      'late.yaml:2:7: Invalid YAML: the alias has no anchor. Expected an anchor before it.',
    )
    const ten = (name: string) => `[${new Array(10).fill(name)}]`
    const bomb = [...'abcdefg'].map((it, i, all) => `${it}: &${it} ${ten(`*${all[i - 1]}`)}`)
    expect(messageOf(['x: &undefined 1', ...bomb].join('\n'))).toBe(
      'late.yaml:1:1: Invalid YAML: aliases repeat too much. Expected at most 100 repetitions.',
    )
  })

  test('refuses a cyclic or too deep document', () => {
    const respond =
      '  - { when: request, then: [{ respond: { status: 200, body: &a { x: *a } } }] }'
    expect(messageOf(withRules(respond))).toBe(
      'late.yaml:4:69: Invalid YAML: an alias refers to itself. Expected an anchor that ends before it.',
    )
    for (const [levels, column] of [
      [100, 1],
      [20_000, 135],
    ] as const) {
      const deep = `title: ${'['.repeat(levels)}${']'.repeat(levels)}`
      expect(messageOf(deep)).toBe(
        `late.yaml:1:${column}: Invalid YAML: too many levels of nesting. Expected at most 64.`,
      )
    }
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

  test('are suggested for an unknown name, only the closest ones', () => {
    expect(() => openScenario('happy-pat')).toThrow(FileError)
    expect(() => openScenario('happy-pat')).toThrow(
      /happy-pat\. Expected a file, or a name that .* lists\. Did you mean "happy-path"\?$/,
    )
    expect(() => openScenario('x/bank-rejects.yaml')).toThrow(didYouMean('bank-rejects'))
    expect(() => openScenario('happy-pat.yml')).toThrow(didYouMean('happy-path'))
    expect(() => openScenario('x/y.yaml')).not.toThrow('Did you mean')
    expect(() => openScenario('x/y.yaml')).toThrow('No scenario and no file is named x/y.yaml.')
    expect(() => openScenario('')).toThrow('No scenario and no file is named "". Expected a file')
  })
})
