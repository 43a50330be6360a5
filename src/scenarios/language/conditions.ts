import * as z from 'zod'
import { DECIMAL, emptyRange } from './comparison.js'
import { isPattern, MAX_PATTERN } from './patterns.js'

/** Conditions of rules and expectations: their types, operators and schemas. */

export type Scalar = string | number | boolean | null

/** Comparisons of a field. */
export interface Operators {
  readonly eq?: Scalar
  readonly ne?: Scalar
  readonly lt?: number | string
  readonly lte?: number | string
  readonly gt?: number | string
  readonly gte?: number | string
  readonly in?: readonly Scalar[]
  readonly matches?: string
  readonly starts_with?: string
  readonly ends_with?: string
  readonly exists?: boolean
}
type Operator = keyof Operators

export type Condition = Scalar | readonly Scalar[] | Operators | Conditions
export interface Conditions {
  readonly [field: string]: Condition
}

/**
 * The kind of a field: a plain value, an amount, a currency, token or chain (in any case), headers,
 * query parameters, a status of a response, any content, or nested fields.
 */
export type Kind =
  | 'value'
  | 'amount'
  | 'asset'
  | 'headers'
  | 'query'
  | 'http_status'
  | 'any'
  | Fields

export interface Field {
  readonly kind: Kind
  readonly description: string
  /** All texts that the field can have. */
  readonly words?: readonly [string, ...string[]] | undefined
}
export interface Fields {
  readonly [name: string]: Field
}

const ORDERED = '; amounts compare as decimals, date-times as instants'
export const OPERATORS: Readonly<Record<Operator, string>> = {
  eq: 'Equal to',
  ne: 'Different, or absent in an existing object',
  lt: `Below${ORDERED}`,
  lte: `At most${ORDERED}`,
  gt: `Above${ORDERED}`,
  gte: `At least${ORDERED}`,
  in: 'Any of these',
  matches: 'Contains a match of this regular expression (RE2 syntax)',
  starts_with: 'Begins with this text',
  ends_with: 'Ends with this text',
  exists: 'Whether it exists and is not null, in an existing object',
}
const isOperator = (key: string): key is Operator => Object.hasOwn(OPERATORS, key)

/** Distinguishes operators from conditions on fields of an object. */
export const isOperators = (value: object): value is Operators => {
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every(isOperator)
}

const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || Array.isArray(value)

export const isNested = (condition: Condition): condition is Conditions =>
  !isPlain(condition) && !isOperators(condition as object)

interface Literal {
  readonly place: readonly PropertyKey[]
  readonly value: unknown
}

/** Values that a condition accepts: alone, in a list, or by `eq` or `in`. */
export const acceptedLiterals = (condition: Condition | undefined): Literal[] => {
  if (condition === undefined) return []
  if (Array.isArray(condition)) return condition.map((value, i) => ({ place: [i], value }))
  if (typeof condition !== 'object' || condition === null) return [{ place: [], value: condition }]
  if (!isOperators(condition)) return []
  const { eq, in: any } = condition
  // Runs on conditions that may still be malformed.
  const listed = Array.isArray(any) ? any : []
  return [
    ...(eq === undefined ? [] : [{ place: ['eq'], value: eq }]),
    ...listed.map((value, i) => ({ place: ['in', i], value })),
  ]
}

/** Places of texts in a condition, also of those that it excludes, that its field can never have. */
export const unknownTexts = (
  condition: Condition | undefined,
  isWord: (text: string) => boolean,
): (readonly PropertyKey[])[] => {
  const { ne } = Object(condition) as Operators
  const isExcluding = ne !== undefined && isOperators(condition as object)
  return [...acceptedLiterals(condition), ...(isExcluding ? [{ place: ['ne'], value: ne }] : [])]
    .filter(({ value }) => typeof value === 'string' && !isWord(value))
    .map(({ place }) => place)
}

/** The schema of an operator's value, and its description. */
type Operand = readonly [z.ZodType, string]

/** The values of a field, alone and with operators, and their description. */
interface Operands {
  readonly one: z.ZodType
  readonly list: z.ZodType
  readonly by: Partial<Record<Operator, Operand>>
  readonly forms: string
}

/** Numbers with all digits: an unquoted long account number would lose its last ones. */
const exact = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
const SCALAR = 'a string, a number of at most 15 digits, true, false or null'
const TEXT: Operand = [z.string().min(1), 'text']
const TEXTS: Operands['by'] = {
  matches: [
    z.string().refine(isPattern),
    `a regular expression in the syntax of RE2, at most ${MAX_PATTERN} characters`,
  ],
  starts_with: TEXT,
  ends_with: TEXT,
}

/** `same` is a value to be equal to, `order` one to be above or below. */
const operandsOf = (
  same: Operand,
  order: Operand,
  list: string,
  texts = TEXTS,
  such = '',
): Operands => {
  const [one, form] = same
  const values = z.array(one).min(1)
  const by: Operands['by'] = {
    ...{ eq: same, ne: same, lt: order, lte: order, gt: order, gte: order },
    in: [values, list],
    ...texts,
    exists: [z.boolean(), 'true or false'],
  }
  const operators = Object.keys(by).join(', ')
  const forms = `${form}, a list of at least one of them, or operators${such}: ${operators}`
  return { one, list: values, by, forms }
}

const anyOperands = operandsOf(
  [z.union([z.string(), exact, z.boolean(), z.null()]), SCALAR],
  [z.union([z.number(), z.string()]), 'a number, or a string such as a date-time'],
  'a list of at least one value',
)

const FIGURE = 'a number, as 12.5 or "12.50"'
const figure: Operand = [z.union([z.number(), z.string().regex(DECIMAL)]), FIGURE]
/** A condition on an amount with any other value would never hold. */
const amountOperands = operandsOf(figure, figure, `a list of at least one of ${FIGURE}`)

const STATUS = 'an HTTP status as a number from 100 to 599, or null for a connection that was cut'
/** A status is a number and never equals text. */
const statusOperands = operandsOf(
  [z.int().min(100).max(599).nullable(), STATUS],
  [z.number(), 'a number such as 500'],
  `a list of at least one of ${STATUS}`,
  {},
  ' such as { gte: 500 }',
)

type Refuse = (path: readonly PropertyKey[], message: string, isKey?: boolean) => void

const checkValue = (value: unknown, refuse: Refuse, { one, list, by, forms }: Operands): void => {
  if (isPlain(value)) {
    if (!(Array.isArray(value) ? list : one).safeParse(value).success) refuse([], forms)
    return
  }
  const entries = Object.entries(value as object)
  if (entries.length === 0) refuse([], forms)
  let isSound = true
  for (const [key, operand] of entries) {
    const [shape, accepted] = (isOperator(key) && by[key]) || []
    if (shape?.safeParse(operand).success) continue
    isSound = false
    if (shape) refuse([key], accepted ?? forms)
    else refuse([key], Object.keys(by).join(', '), true)
  }
  const empty = isSound ? emptyRange(value as Operators) : undefined
  if (empty) refuse([empty.upper], empty.accepted)
}

/** Validates a condition on a value of any shape. */
const checkOpen = (value: unknown, refuse: Refuse): void => {
  const object = isPlain(value) ? undefined : (value as object)
  if (!object || Object.keys(object).length === 0 || isOperators(object)) {
    checkValue(value, refuse, anyOperands)
    return
  }
  for (const [key, inner] of Object.entries(object)) {
    checkOpen(inner, (path, ...rest) => refuse([key, ...path], ...rest))
  }
}

const withCheck = (check: (value: unknown, refuse: Refuse) => void) =>
  z.unknown().superRefine((value, context) => {
    check(value, (path, message, isKey = false) => {
      context.addIssue({ code: 'custom', path: [...path], message, params: { isKey } })
    })
  })

const comparedWith = (operands: Operands, id: string) =>
  withCheck((value, refuse) => checkValue(value, refuse, operands)).meta({ id })

const onValue = comparedWith(anyOperands, 'Condition')
export const onAmount = comparedWith(amountOperands, 'AmountCondition')
const onHttpStatus = comparedWith(statusOperands, 'HttpStatusCondition')
const onAnything = withCheck(checkOpen).meta({ id: 'OpenCondition' })

/** Readings change the statuses that the service returns, such as PAYOUT_RETURNED, but not those of records. */
export const listWords = (field: string, words: readonly string[]): string =>
  words.join(', ') +
  (['status', 'shown'].includes(field) ? ', as records name it under every reading' : '')

const onWords = (field: string, words: readonly [string, ...string[]]) => {
  const accepted = listWords(field, words)
  const condition = withCheck((value, refuse) => {
    checkValue(value, refuse, anyOperands)
    const unknown = unknownTexts(value as Condition, (text) => words.includes(text))
    for (const place of unknown) refuse(place, accepted)
  })
  const one = z.enum(words)
  conditionShapes.set(condition, [one, z.array(one).min(1), operators])
  return condition
}

const operatorsIn = ({ by }: Operands) =>
  z.strictObject(
    Object.fromEntries(
      Object.entries(by).map(([key, [schema]]) => [
        key,
        schema.optional().describe(OPERATORS[key as Operator]),
      ]),
    ),
  )

const operators = operatorsIn(anyOperands).meta({ id: 'Operators' })

/** The forms of conditions for JSON Schema, which cannot express their checks. */
export const conditionShapes = new Map<unknown, readonly z.ZodType[]>([
  [onValue, [anyOperands.one, anyOperands.list, operators]],
  [onAmount, [amountOperands.one, amountOperands.list, operatorsIn(amountOperands)]],
  [onHttpStatus, [statusOperands.one, statusOperands.list, operatorsIn(statusOperands)]],
  [onAnything, [onValue, z.record(z.string(), z.unknown())]],
])

const CONDITIONS = 'an object of conditions, {} for any'

export const conditionsOn = (fields: Fields): z.ZodType<Conditions> => {
  const shape = Object.entries(fields).map(([name, field]) => [
    name,
    conditionOn(name, field).optional().describe(field.description),
  ])
  const error = (issue: { readonly code?: string }) =>
    issue.code === 'unrecognized_keys' ? Object.keys(fields).join(', ') : CONDITIONS
  return z.strictObject(Object.fromEntries(shape), { error }).superRefine((given, { addIssue }) => {
    // An unset variable: a condition without a value could never be met.
    for (const [name, condition] of Object.entries(given)) {
      if (condition !== undefined) continue
      addIssue({ code: 'custom', path: [name], message: 'a condition, or the field left out' })
    }
  }) as unknown as z.ZodType<Conditions>
}

const conditionOn = (name: string, { kind, words }: Field): z.ZodType => {
  if (words) return onWords(name, words)
  if (kind === 'value' || kind === 'asset') return onValue
  if (kind === 'amount') return onAmount
  if (kind === 'http_status') return onHttpStatus
  return typeof kind === 'object' ? conditionsOn(kind) : onAnything
}
