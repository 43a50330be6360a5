/** openapi/contract.json: what the contract says, without any reading. */
export interface Contract {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface ContractOperation {
  readonly operationId: OperationId
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly example?: unknown
  readonly description?: string
  readonly 'x-provenance'?: string
}

export type OperationId =
  | 'createPayout'
  | 'createCustodyWallet'
  | 'initiateOfframp'
  | 'createUser'
  | 'createConsent'
  | 'listUsers'
  | 'getOfframpAudit'
  | 'getTransferAudit'
  | 'getTotalCustodyBalances'
  | 'getTransferStatus'
  | 'getCryptoBalance'

export interface Route {
  readonly operation: OperationId
  readonly method: string
  readonly path: RegExp
}

/** Routes without parameters come first: the audit of a user has the form of a balance. */
export const listRoutes = ({ paths }: Contract): Route[] =>
  Object.entries(paths)
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId }]) => ({
        operation: operationId,
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      })),
    )

/** One way in which an answer departs from its schema. */
export interface Departure {
  readonly kind: 'status' | 'field' | 'missing' | 'type' | 'value' | 'code'
  /** Dotted, with [] for items of a list. */
  readonly path: string
  readonly value: string
}

type Report = (departure: Departure) => void

const resolve = ({ components }: Contract, schema: Schema | undefined): Schema => {
  const name = schema?.$ref?.split('/').at(-1)
  return (name === undefined ? schema : components.schemas[name]) ?? {}
}

const findResponses = ({ paths }: Contract, id: OperationId): ContractOperation['responses'] =>
  Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .find(({ operationId }) => operationId === id)?.responses ?? {}

export const hasStatus = (contract: Contract, id: OperationId, status: number): boolean =>
  Object.hasOwn(findResponses(contract, id), status)

const jsonOf = (content: Content | undefined): Schema | undefined =>
  content?.['application/json']?.schema

/** Undefined where the contract shows no body. Every item of a list of users is a user. */
export const answerSchema = (
  contract: Contract,
  id: OperationId,
  status: number,
): Schema | undefined => {
  if (id === 'listUsers' && status < 300) return undefined
  const responses = findResponses(contract, id)
  if (status >= 400) return contract.components.schemas.ApiError
  return jsonOf((responses[status] ?? responses[200])?.content)
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

/** Calls `report` for each departure of a value from a schema. */
export const compareToSchema = (
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
