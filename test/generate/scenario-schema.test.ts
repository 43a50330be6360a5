import { readdirSync, readFileSync } from 'node:fs'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import type { Schema } from '../../src/scenarios/docs/json-schema.js'
import { parseScenario, ScenarioError } from '../../src/scenarios/language/parse-scenario.js'

const folder = new URL('../../scenarios/', import.meta.url)
const read = (file: string) => readFileSync(new URL(file, folder), 'utf8')
const schema = JSON.parse(read('scenario.schema.json')) as Schema

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats(ajv)
const validate = ajv.compile(schema)
const files = readdirSync(folder).filter((file) => file.endsWith('.yaml'))

describe.each(files)('scenarios/%s', (file) => {
  test('begins with the schema comment for editors and matches the schema', () => {
    expect(read(file)).toMatch(/^# yaml-language-server: \$schema=\.\/scenario\.schema\.json\n/)
    validate(parse(read(file)))
    expect(validate.errors).toBeNull()
  })
})

const rule = (more: object) => ({
  name: 'a',
  title: 'b',
  rules: [{ when: 'transfer.created', ...more }],
})
const step = (then: object, when = 'transfer.created') => rule({ when, then: [then] })
const asked = (conditions: object) => rule({ if: conditions, then: [{ stop: true }] })
const expecting = (...expectations: object[]) => ({ ...step({ stop: true }), expect: expectations })

describe('the schema and the parser reject', () => {
  test.each([
    ['a file without rules', { name: 'a', title: 'b', rules: [] }],
    ['a file without rules and expectations', { name: 'a', title: 'b' }],
    ['a name with spaces', { ...step({ stop: true }), name: 'a b' }],
    ['an unknown field', { ...step({ stop: true }), titel: 'b' }],
    ['an unknown event', step({ stop: true }, 'transfer.exploded')],
    ['no steps', rule({ then: [] })],
    ['an unknown status', step({ move: 'FAILLED' })],
    ['the status of another record', step({ move: 'active' })],
    ['a move of a record without status', step({ move: 'FAILED' }, 'wallet.created')],
    ['a step without an action', step({ after: '2s' })],
    ['a step with two actions', step({ move: 'FAILED', stop: true })],
    [
      'two changes of a key at once',
      step({ set_key: { status: 'suspended', expires_at: '1s' } }, 'payout.created'),
    ],
    [
      'the amount of a payout in another currency',
      step({ credit: { currency: 'EUR' } }, 'payout.created'),
    ],
    ['an empty change of a key', step({ set_key: {} }, 'payout.created')],
    ['an amount compared with a word', asked({ fees: { gte: 'many' } })],
    ['a list with a word among amounts', asked({ fees: [1, 'many'] })],
    ['a word as an expected amount', expecting({ payouts: { amount: { lt: 'much' } } })],
    ['no reasons', step({ move: 'rejected', rejection_reasons: [] }, 'user.created')],
    [
      'too many requirements',
      step({ move: 'incomplete', requirements: Array(51).fill('a') }, 'user.created'),
    ],
    ['a duration without its unit', step({ after: '2', move: 'FAILED' })],
    ['a step about a request at an event', step({ drop: 'after' })],
    ['a step about a record at a request', step({ move: 'FAILED' }, 'request')],
    ['two faults in one step', step({ drop: 'after', malform: 'html' }, 'request')],
    ['an unknown status in a condition', asked({ status: 'FAILLED' })],
    ['an unknown user status', asked({ user: { status: 'actve' } })],
    ['an unknown kind', asked({ kind: 'onramp' })],
    ['an unknown match', expecting({ deposits: { matched: 'unmached' } })],
    ['the status of a response as text', expecting({ requests: { status: '5xx' } })],
    ['the beginning of a status', expecting({ requests: { status: { starts_with: '5' } } })],
    ['an unknown field in a condition', asked({ target_curency: 'EUR' })],
    ['an unknown operator', asked({ fees: { above: 1 } })],
    ['an empty list', asked({ fees: [] })],
    [
      'an unknown operation',
      rule({ when: 'request', if: { operation: 'payOut' }, then: [{ drop: 'after' }] }),
    ],
    ['a chance above one', rule({ chance: 2, then: [{ stop: true }] })],
    ['a limit of zero', rule({ limit: 0, then: [{ stop: true }] })],
    [
      'a line break in a header',
      step({ respond: { status: 200, headers: { a: 'b\nc' } } }, 'request'),
    ],
    ['an expectation without a subject', expecting({ count: 1 })],
    ['an expectation of two subjects', expecting({ payouts: {}, users: {} })],
    ['an audit that is not clean', expecting({ audit: 'dirty' })],
  ])('%s', (_, file) => {
    expect(validate(file)).toBe(false)
    expect(() => parseScenario(JSON.stringify(file), 'a')).toThrow(ScenarioError)
  })
})

test('every field has a description', () => {
  const silent: string[] = []
  const walk = (part: Schema, path: string): void => {
    for (const [name, field] of Object.entries(part.properties ?? {})) {
      const target = field.$ref ? schema.$defs?.[field.$ref.replace('#/$defs/', '')] : undefined
      if (!field.description && !target?.description) silent.push(`${path}.${name}`)
      walk(field, `${path}.${name}`)
    }
    if (typeof part.items === 'object') walk(part.items, `${path}[]`)
    for (const one of [...(part.oneOf ?? []), ...(part.anyOf ?? [])]) walk(one, path)
  }
  walk(schema, '')
  for (const [name, definition] of Object.entries(schema.$defs ?? {})) walk(definition, name)
  expect([...new Set(silent)]).toEqual([])
})
