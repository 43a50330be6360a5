import * as z from 'zod'
import { DURATION_PATTERN } from '../../kernel/time.js'
import { conditionShapes } from '../language/conditions.js'
import { type EventName, findSubject, isEvent } from '../language/events.js'
import { countedNouns, timedNouns } from '../language/expectations.js'
import type { Noun } from '../language/fields.js'
import { operationIds } from '../language/operations.js'
import {
  holdTime,
  REQUEST_ACTIONS,
  REST,
  retryAfter,
  throttleWindow,
} from '../language/request-steps.js'
import { scenarioFile } from '../language/scenario-file.js'
import { duration, SUBJECT_ACTIONS } from '../language/steps.js'
import { knownWords } from '../language/vocabulary.js'

import { findDescription } from './descriptions.js'

export interface Schema {
  description?: string
  properties?: Record<string, Schema>
  items?: Schema | boolean
  oneOf?: Schema[]
  anyOf?: Schema[]
  required?: string[]
  const?: unknown
  enum?: readonly unknown[]
  $ref?: string
  $defs?: Record<string, Schema>
  [keyword: string]: unknown
}

const DURATIONS = new Set<unknown>([duration, throttleWindow, holdTime])

/** The JSON Schema of scenario files for editors, derived from the zod schema. */
export const scenarioSchema = (): Schema => {
  const schema = z.toJSONSchema(scenarioFile, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const shape = conditionShapes.get(zodSchema)
      if (shape) Object.assign(jsonSchema, bare(z.toJSONSchema(shape, { io: 'input' })))
      if (DURATIONS.has(zodSchema)) jsonSchema.pattern = DURATION_PATTERN
      if (zodSchema === retryAfter) jsonSchema.pattern = `${DURATION_PATTERN}|^${REST}$`
    },
  }) as Schema
  const { rules, expect } = schema.properties ?? {}
  for (const rule of itemsOf(rules).oneOf ?? []) extendRule(rule)
  teachExpectation(itemsOf(expect))
  schema.anyOf = oneOf(['rules', 'expect'])
  const { $defs = {}, ...rest } = schema
  for (const definition of Object.values($defs)) describe(definition, [])
  describe(rest, [])
  return { ...dedupeSchema(rest, $defs), title: 'Sandramp scenario' }
}

const bare = ({ $schema: _, ...schema }: object & { $schema?: unknown }): object => schema

const itemsOf = (list: Schema | undefined): Schema =>
  typeof list?.items === 'object' ? list.items : {}

/** Adds what zod checks cannot express in JSON Schema: one action per step, and known words. */
const extendRule = ({ properties = {} }: Schema): void => {
  const when = String(properties.when?.const)
  const isRequest = !isEvent(when)
  const step = itemsOf(properties.then)
  const actions = isRequest ? REQUEST_ACTIONS : SUBJECT_ACTIONS
  step.oneOf = oneOf(actions.filter((it) => step.properties?.[it]))
  const { set_key, credit } = step.properties ?? {}
  if (set_key) set_key.oneOf = oneOf(['status', 'expires_at'])
  if (credit && !credit.required) credit.dependentRequired = { currency: ['amount'] }
  if (isRequest) {
    offerValues(properties.if, 'operation', operationIds)
    offerValues(properties.if?.properties?.user, 'status', knownWords('users').status)
  } else extendConditions(properties.if, findSubject(when as EventName).table)
}

const teachExpectation = (expectation: Schema): void => {
  expectation.oneOf = oneOf([...countedNouns, 'fired', 'audit'])
  const { properties = {} } = expectation
  const orders = [properties.before, properties.after, properties.any_after]
  for (const nouns of [properties, ...orders.map((it) => it?.properties)]) {
    for (const noun of timedNouns) {
      if (noun === 'requests') offerValues(nouns?.requests, 'operation', operationIds)
      else extendConditions(nouns?.[noun], noun)
    }
  }
  for (const others of orders) {
    if (others) others.oneOf = oneOf(timedNouns)
  }
}

/** Adds the values that fields of a record and of its user can have. */
const extendConditions = (conditions: Schema | undefined, noun: Noun): void => {
  for (const [field, words] of Object.entries(knownWords(noun)))
    offerValues(conditions, field, words)
  offerValues(conditions?.properties?.user, 'status', knownWords('users').status)
}

const oneOf = (names: readonly string[]): Schema[] => names.map((name) => ({ required: [name] }))

/** One of these words, a list of them, or operators. */
const offerValues = (
  conditions: Schema | undefined,
  field: string,
  words?: readonly string[],
): void => {
  if (!words || !conditions?.properties) return
  const one = { type: 'string', enum: [...words] }
  conditions.properties[field] = {
    anyOf: [one, { type: 'array', items: one, minItems: 1 }, { $ref: '#/$defs/Condition/anyOf/2' }],
  }
}

const describe = (schema: Schema, path: readonly string[]): void => {
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const here = [...path, name]
    const description = findDescription(here)
    if (description !== undefined) field.description = description
    describe(field, here)
  }
  if (typeof schema.items === 'object') describe(schema.items, path)
  for (const part of [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])]) describe(part, path)
}

/** Moves repeated parts into `$defs`, which halves the text. */
const dedupeSchema = (schema: Schema, $defs: Readonly<Record<string, Schema>>): Schema => {
  const seen = new Map<string, number>()
  walk(schema, '', (part) => {
    const text = JSON.stringify(part)
    seen.set(text, (seen.get(text) ?? 0) + 1)
    return part
  })
  const names = new Map<string, string>()
  const hoisted: Record<string, Schema> = {}
  const short = walk(schema, '', (part, name, text) => {
    if ((seen.get(text) ?? 0) < 2) return part
    const known = names.get(text) ?? freeName(name, { ...$defs, ...hoisted })
    names.set(text, known)
    hoisted[known] = part
    return { $ref: `#/$defs/${known}` }
  })
  return { ...short, $defs: { ...$defs, ...hoisted } }
}

const freeName = (name: string, taken: object): string => {
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}_${n}`
    if (!Object.hasOwn(taken, free)) return free
  }
}

type Change = (part: Schema, name: string, text: string) => Schema

/**
 * Rebuilds a schema from the inside out. `change` receives each object schema with its original
 * text.
 */
const walk = (schema: Schema, name: string, change: Change): Schema => {
  const inner = (it: Schema, key = name) => walk(it, key, change)
  const { properties, items, oneOf, anyOf } = schema
  const built: Schema = { ...schema }
  if (properties) {
    built.properties = Object.fromEntries(
      Object.entries(properties).map(([key, field]) => [key, inner(field, key)]),
    )
  }
  if (typeof items === 'object') built.items = inner(items)
  if (oneOf) built.oneOf = oneOf.map((it) => inner(it))
  if (anyOf) built.anyOf = anyOf.map((it) => inner(it))
  return properties && name !== '' ? change(built, name, JSON.stringify(schema)) : built
}
