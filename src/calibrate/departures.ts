import { groupBy } from '../lib/group-by.js'
import type { Contract, Route, Schema } from './contract.js'
import { type Exchange, getField, listedUsers } from './exchange.js'

/** One way in which an answer departs from its schema. */
export interface Departure {
  readonly kind: 'status' | 'field' | 'missing' | 'type' | 'value' | 'code'
  /** Dotted, with [] for items of a list. */
  readonly path: string
  readonly value: string
}

type Report = (departure: Departure) => void

const PREFIX = '#/components/schemas/'

const resolve = ({ components }: Contract, schema: Schema | undefined): Schema =>
  (schema?.$ref ? components.schemas[schema.$ref.slice(PREFIX.length)] : schema) ?? {}

/** Lists the departures of an answer from the contract. One without JSON departs by its status only. */
export const createComparer = (contract: Contract, routes: readonly Route[]) => {
  const responses = new Map(routes.map((it) => [it.operation, it.responses]))
  const { ApiError, User } = contract.components.schemas
  return ({ operation, status, answer }: Exchange): readonly Departure[] => {
    const found: Departure[] = []
    if (operation === undefined || status === 0) return found
    const report: Report = (departure) => found.push(departure)
    const known = responses.get(operation) ?? {}
    if (!Object.hasOwn(known, status)) report({ kind: 'status', path: '', value: String(status) })
    if (answer === undefined) return found
    // The list of users has two forms.
    if (operation === 'listUsers' && status < 300)
      for (const user of listedUsers(answer)) compareToSchema(contract, User, user, '[]', report)
    else {
      const { content } = known[status] ?? known[200] ?? {}
      const schema = status >= 400 ? ApiError : content?.['application/json']?.schema
      compareToSchema(contract, schema, answer, '', report)
    }
    return found
  }
}

const typeOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value

/** The contract has more values than it shows for a field that it describes by an observed one. */
const isNewWord = (schema: Schema, value: unknown): boolean => {
  if (typeof value !== 'string' || !/^[A-Za-z_]+$/.test(value)) return false
  const { example, description = '' } = schema
  const words = /[Ee]numerated: ([\w, ]+)/.exec(description)?.[1]?.split(', ')
  if (words)
    return !words.includes(value) && !/names paused/.test(description.replace(value, 'paused'))
  return (
    schema['x-provenance'] === 'observed' &&
    typeof example === 'string' &&
    !description.includes(value) &&
    value !== example
  )
}

const fitsType = ({ type: types }: Schema, type: string): boolean =>
  types === undefined ||
  types === type ||
  (types === 'integer' && type === 'number') ||
  (typeof types !== 'string' && types.includes(type))

/** Evidence relies on the types of the contract; a field that is null or absent has no other type. */
export const isUnreadable = ({ kind, path, value }: Departure): boolean =>
  kind === 'type' && !(value.startsWith('null ') && path !== '' && !path.endsWith('[]'))

const compareToSchema = (
  contract: Contract,
  given: Schema | undefined,
  value: unknown,
  path: string,
  report: Report,
): void => {
  const schema = resolve(contract, given)
  const { enum: words, items, properties, required = [] } = schema
  const type = typeOf(value)
  if (!fitsType(schema, type)) {
    const expected = [schema.type].flat().join(' or ')
    report({ kind: 'type', path, value: `${type} instead of ${expected}` })
    return
  }
  if ((words && !words.includes(value)) || isNewWord(schema, value))
    report({ kind: 'value', path, value: String(value) })
  if (Array.isArray(value))
    for (const item of value) compareToSchema(contract, items, item, `${path}[]`, report)
  if (type !== 'object' || !properties) return
  const fields = value as Readonly<Record<string, unknown>>
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  for (const [name, field] of Object.entries(fields)) {
    if (Object.hasOwn(properties, name))
      compareToSchema(contract, properties[name], field, at(name), report)
    else report({ kind: 'field', path: at(name), value: typeOf(field) })
  }
  for (const name of required)
    if (!Object.hasOwn(fields, name)) report({ kind: 'missing', path: at(name), value: 'absent' })
}

/** Something that the contract does not have, and how often it was seen. */
export interface NewFact extends Departure {
  readonly operation: string
  readonly count: number
  readonly first: Exchange
  /** The sandbox has a reading that does the same. */
  readonly isOurs: boolean
}

/** Codes of keys, which the contract has; all others are readings. */
const CONTRACT_CODES = /^(?:4030|4100|4101|4102|4103|4300)$/

/** Departures that some reading of the sandbox has too, as `kind path value`. */
const OURS =
  /^(?:status {2}409|code code 4\d\d .*|value .*status (?:PAYOUT_(?:PENDING|FAILED|INITIATED|REJECTED|RETURNED)|PENDING|[a-z_]+|(?:PENDING|FUNDS_RECEIVED|(?:CONVERSION|PAYMENT)_[A-Z]+|FAILED|CANCELLED)|paused)|type (?:.*\.)?(?:fiat_amount|target_amount|destination_amount|exchange_rate|fees) null instead of number|missing \w+_at absent)$/

export interface Departing {
  readonly x: Exchange
  readonly departures: readonly Departure[]
}

export const findNewFacts = (answers: readonly Departing[]): NewFact[] => {
  const seen = answers.flatMap(({ x, departures }) =>
    [...departures, ...findCode(x)].map((it) => ({ ...it, operation: x.operation ?? '', x })),
  )
  const name = ({ kind, path, value }: Departure) => `${kind} ${path} ${value}`
  const groups = groupBy(seen, (it) => `${it.operation} ${name(it)}`)
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (!first) return []
    const { x, ...fact } = first
    return { ...fact, count: more.length + 1, first: x, isOurs: OURS.test(name(fact)) }
  })
}

const findCode = ({ operation, status, answer }: Exchange): Departure[] => {
  if (operation === undefined || status < 400) return []
  const code = getField(answer, 'code')
  if (code === undefined || CONTRACT_CODES.test(String(code))) return []
  return [{ kind: 'code', path: 'code', value: `${status} ${code}` }]
}
