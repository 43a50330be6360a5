import * as z from 'zod'
import { DURATION_PATTERN } from '../../kernel/time.js'
import type { FaultKind, Word } from './define.js'
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

export interface FaultWord extends Word {
  readonly field: string
  readonly required: readonly Argument[]
  readonly optional: readonly Argument[]
}

type Schema = z.core.JSONSchema.BaseSchema

/** The arguments of a word follow from the schema of its fault. */
const toWord = ({ field, schema }: FaultKind, word: Word): FaultWord => {
  if (word.value !== undefined) return { ...word, field, required: [], optional: [] }
  const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })
  const { properties, required = [] } = json
  if (!properties) return { ...word, field, required: [toArgument(undefined, json)], optional: [] }
  const all = Object.entries(properties).map(([name, it]) => toArgument(name, it as Schema))
  const isRequired = (it: Argument) => required.includes(it.field ?? '')
  return {
    ...word,
    field,
    required: all.filter(isRequired),
    optional: all.filter((it) => !isRequired(it)),
  }
}

const toArgument = (field: string | undefined, schema: Schema): Argument => {
  const { enum: words, type, anyOf } = schema
  const name = field?.replace(/_\w/g, (it) => it.charAt(1).toUpperCase()) ?? 'value'
  const isTime = (it: Schema) => it.pattern?.includes(DURATION_PATTERN)
  if (isTime(schema) || anyOf?.some((it) => isTime(it as Schema)))
    return {
      field,
      name: field === undefined || field === 'for' ? 'time' : name,
      type: 'Time',
      form: '<duration>',
    }
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

/** The words of all faults: methods of the test kit and flags of the command line. */
export const faultWords: readonly FaultWord[] = (faults as readonly FaultKind[]).flatMap((kind) =>
  (kind.words ?? []).map((word) => toWord(kind, word)),
)
