import type { Cause, RuleCause } from '../kernel/entry.js'
import type { Row } from '../kernel/row.js'
import { readRecord, valueIn } from '../scenarios/evaluate/field-access.js'
import { findRule } from '../scenarios/language/catalogue.js'
import {
  type Condition,
  type Conditions,
  isNested,
  isOperators,
  type Operators,
} from '../scenarios/language/conditions.js'
import type { FieldReader } from '../scenarios/language/match.js'
import type { View } from './view.js'

const VERBS: Readonly<Record<keyof Operators, (value: unknown) => string>> = {
  eq: (it) => `is ${it}`,
  ne: (it) => `is not ${it}`,
  lt: (it) => `is below ${it}`,
  lte: (it) => `is at most ${it}`,
  gt: (it) => `is above ${it}`,
  gte: (it) => `is at least ${it}`,
  in: (it) => `is one of ${[it].flat().join(', ')}`,
  matches: (it) => `matches ${it}`,
  starts_with: (it) => `begins with ${it}`,
  ends_with: (it) => `ends in ${it}`,
  exists: (it) => (it ? 'is there' : 'is missing'),
}

/** Why a rule acted on a record; null for a rule without conditions. */
export interface Because {
  /** Its conditions, such as `account number ends in 01`. */
  readonly words: string | null
  /** The values that met them, such as `0000000001`. */
  readonly value: string | null
}

/** Undefined if no rule did it. */
export const findBecause = (
  { sandbox, tables }: Pick<View, 'sandbox' | 'tables'>,
  cause: Cause | RuleCause,
  record: Row,
): Because | undefined => {
  if (cause.kind !== 'rule' && cause.kind !== 'timer') return undefined
  const { scenario, rule } = cause
  const conditions = findRule(sandbox.catalogue, tables, `${scenario}/${rule}`)?.if ?? {}
  const found = describeConditions(conditions, readRecord(tables, record), '')
  if (found.length === 0) return { words: null, value: null }
  const values = found.map(([, value]) => value).join(', ')
  return { words: found.map(([text]) => text).join(', and '), value: values }
}

type Found = readonly [words: string, value: string]

const describeConditions = (
  conditions: Conditions,
  reader: FieldReader,
  path: string,
): readonly Found[] =>
  Object.entries(conditions).flatMap(([name, condition]) => {
    const place = `${path}${name}`
    // It has changed since.
    if (place === 'status') return []
    if (isNested(condition)) return describeConditions(condition, reader, `${place}.`)
    const value = valueIn(reader, place)
    return [[`${fieldWords(name)} ${describeOperators(condition)}`, String(value)] as const]
  })

/** `account number` for `recipient_account_number`. */
const fieldWords = (name: string): string => name.replace(/^recipient_/, '').replaceAll('_', ' ')

const describeOperators = (condition: Condition): string => {
  if (Array.isArray(condition)) return VERBS.in(condition)
  if (typeof condition !== 'object' || condition === null || !isOperators(condition))
    return VERBS.eq(condition)
  return Object.entries(condition)
    .map(([operator, value]) => VERBS[operator as keyof Operators](value))
    .join(' and ')
}
