import * as z from 'zod'
import { DURATION_PATTERN } from '../../kernel/time.js'
import { toCamelCase, toSnakeCase } from '../../lib/text.js'
import type { FaultKind } from './define.js'
import { moves } from './moves.js'
import { faults } from './registry.js'

/** An argument of a word: the value of the fault, or a field of it. */
export interface Argument {
  readonly field: string | undefined
  readonly name: string
  /** Its type in the test kit. */
  readonly type: string
  /** Its form on the command line. */
  readonly form: string
}

/** A method of the test kit, and a flag of the command line. */
export interface FaultWord {
  readonly name: string
  readonly about: string
  /** The word of a step. */
  readonly word: string
  /** The test kit takes these without a name, and the others as options. */
  readonly positional: readonly Argument[]
  readonly options: readonly Argument[]
  /** For the command line: nothing needs to follow it. */
  readonly isComplete: boolean
}

type Schema = z.core.JSONSchema.BaseSchema

/** The arguments of a word follow from its schema. */
const toWord = (name: string, about: string, schema: z.ZodType, leads?: readonly string[]) => {
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const { properties, required = [] } = json
  const word = { name, about, word: toSnakeCase(name), isComplete: leads !== undefined }
  if (!properties) return { ...word, positional: [toArgument(undefined, json)], options: [] }
  const all = Object.entries(properties).map(([field, it]) => toArgument(field, it as Schema))
  const isPositional = ({ field = '' }: Argument) => (leads ?? required).includes(field)
  const positional = all.filter(isPositional)
  return {
    ...word,
    // A parameter cannot have this name.
    positional: positional.map((it) => (it.name === 'for' ? { ...it, name: 'time' } : it)),
    options: all.filter((it) => !isPositional(it)),
  }
}

/** The words of a fault; its field is one, too. */
const toWords = ({ field, schema, about, words = [] }: FaultKind): FaultWord[] => {
  const own = words.map((it) =>
    it.value === undefined
      ? toWord(it.name, it.about, schema)
      : toWord(it.name, it.about, z.object({}), []),
  )
  const isNamed = own.some(({ word }) => word === field)
  return isNamed ? own : [...own, toWord(toCamelCase(field), about, schema)]
}

const toArgument = (field: string | undefined, schema: Schema): Argument => {
  const { enum: words, type, anyOf } = schema
  const name = field === undefined ? 'value' : toCamelCase(field)
  const isTime = (it: Schema) => it.pattern?.includes(DURATION_PATTERN)
  if (isTime(schema) || anyOf?.some((it) => isTime(it as Schema)))
    return { field, name: field ? name : 'time', type: 'Time', form: '<duration>' }
  if (words) {
    const type = words.map((it) => `'${it}'`).join(' | ')
    return { field, name, type, form: words.join('|') }
  }
  if (type === 'integer') return { field, name, type: 'number', form: `<${name}>` }
  if (type === 'string') return { field, name, type, form: `<${name}>` }
  const isRecord = type === 'object'
  return {
    field,
    name,
    type: isRecord ? 'Readonly<Record<string, unknown>>' : 'unknown',
    form: '<json>',
  }
}

/** The words of all faults, and before them those of moves. */
export const faultWords: readonly FaultWord[] = [
  ...moves.map((it) => toWord(toCamelCase(it.field), it.about, it.schema, it.leads ?? [])),
  ...(faults as readonly FaultKind[]).flatMap(toWords),
]
