import * as z from 'zod'
import { strict } from '../yaml/strict.js'
import type { Fields } from './fields.js'
import { isPattern, LONGEST_PATTERN } from './patterns.js'

export type Scalar = string | number | boolean | null

/** What a field is compared with when a plain value is not enough. */
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
export type Operator = keyof Operators

/** One field's condition: a value, a list of which any will do, operators, or fields of its own. */
export type Condition = Scalar | readonly Scalar[] | Operators | Conditions
export interface Conditions {
  readonly [field: string]: Condition
}

/** Text that compares as a number. */
export const DECIMAL = /^-?\d{1,40}(\.\d{1,40})?$/

const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
const scalars = z.array(scalar).min(1)
const comparable = z.union([z.number(), z.string()])

const figure = z.union([z.number(), z.string().regex(DECIMAL)])
const figures = z.array(figure).min(1)

const OPERANDS = {
  eq: [scalar, 'a string, a number, true, false or null'],
  ne: [scalar, 'a string, a number, true, false or null'],
  lt: [comparable, 'a number, or a string such as a date-time'],
  lte: [comparable, 'a number, or a string such as a date-time'],
  gt: [comparable, 'a number, or a string such as a date-time'],
  gte: [comparable, 'a number, or a string such as a date-time'],
  in: [scalars, 'a list of at least one value'],
  matches: [
    z.string().refine(isPattern),
    `a regular expression in the syntax of RE2, at most ${LONGEST_PATTERN} characters`,
  ],
  starts_with: [z.string().min(1), 'text'],
  ends_with: [z.string().min(1), 'text'],
  exists: [z.boolean(), 'true or false'],
} as const satisfies Record<Operator, readonly [z.ZodType, string]>

const OPERATORS = Object.keys(OPERANDS) as Operator[]
const isOperator = (key: string): key is Operator => Object.hasOwn(OPERANDS, key)

const FORMS =
  `a string, a number, true, false or null, a list of at least one of them, or operators: ` +
  OPERATORS.join(', ')

const FIGURE = 'a number, as 12.5 or "12.50"'
/** What amounts compare with: with anything else, a condition on one would never be right. */
const FIGURE_OPERANDS: Partial<Record<Operator, readonly [z.ZodType, string]>> = {
  eq: [figure, FIGURE],
  ne: [figure, FIGURE],
  lt: [figure, FIGURE],
  lte: [figure, FIGURE],
  gt: [figure, FIGURE],
  gte: [figure, FIGURE],
  in: [figures, `a list of at least one of ${FIGURE}`],
}
const FIGURE_FORMS = `${FIGURE}, a list of at least one of them, or operators: ${OPERATORS.join(', ')}`

/** Whether an object compares with operators, rather than naming fields of an object. */
export const isOperators = (value: object): value is Operators => {
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every(isOperator)
}

type Refuse = (path: readonly PropertyKey[], message: string, isKey?: boolean) => void

const checkScalars = (value: unknown, refuse: Refuse): boolean => {
  if (Array.isArray(value)) {
    if (!scalars.safeParse(value).success) refuse([], FORMS)
    return true
  }
  if (typeof value === 'object' && value !== null) return false
  if (!scalar.safeParse(value).success) refuse([], FORMS)
  return true
}

const checkOperators = (
  value: object,
  refuse: Refuse,
  operands: typeof FIGURE_OPERANDS = OPERANDS,
  forms = FORMS,
): void => {
  const entries = Object.entries(value)
  if (entries.length === 0) refuse([], forms)
  for (const [key, operand] of entries) {
    if (!isOperator(key)) {
      refuse([key], OPERATORS.join(', '), true)
      continue
    }
    const [shape, accepted] = operands[key] ?? OPERANDS[key]
    if (!shape.safeParse(operand).success) refuse([key], accepted)
  }
}

/** Checks a condition on anything at all, which may have fields of its own. */
const checkOpen = (value: unknown, refuse: Refuse): void => {
  if (checkScalars(value, refuse)) return
  const object = value as object
  if (Object.keys(object).length === 0 || isOperators(object)) checkOperators(object, refuse)
  else {
    for (const [key, inner] of Object.entries(object)) {
      checkOpen(inner, (path, ...rest) => refuse([key, ...path], ...rest))
    }
  }
}

const checkValue = (value: unknown, refuse: Refuse): void => {
  if (!checkScalars(value, refuse)) checkOperators(value as object, refuse)
}

const checkAmount = (value: unknown, refuse: Refuse): void => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    if (!z.union([figure, figures]).safeParse(value).success) refuse([], FIGURE_FORMS)
    return
  }
  checkOperators(value, refuse, FIGURE_OPERANDS, FIGURE_FORMS)
}

const checked = (check: (value: unknown, refuse: Refuse) => void, id: string) =>
  z
    .unknown()
    .superRefine((value, context) => {
      check(value, (path, message, isKey = false) => {
        context.addIssue({ code: 'custom', path: [...path], message, params: { isKey } })
      })
    })
    .meta({ id })

const onValue = checked(checkValue, 'Condition')
const onAmount = checked(checkAmount, 'AmountCondition')
const onAnything = checked(checkOpen, 'OpenCondition')

/** A condition for each field that there is, and no other. */
export const conditionsOn = (fields: Fields): z.ZodType<Conditions> => {
  const shape = Object.entries(fields).map(([name, kind]) => [name, conditionOn(kind).optional()])
  return strict(Object.fromEntries(shape)) as unknown as z.ZodType<Conditions>
}

const conditionOn = (kind: Fields[string]): z.ZodType => {
  if (kind === 'value' || kind === 'asset') return onValue
  if (kind === 'amount') return onAmount
  return typeof kind === 'object' ? conditionsOn(kind) : onAnything
}

const operatorShape = z
  .strictObject({
    eq: scalar,
    ne: scalar,
    lt: comparable,
    lte: comparable,
    gt: comparable,
    gte: comparable,
    in: scalars,
    matches: z.string().meta({ description: 'A regular expression in the syntax of RE2' }),
    starts_with: z.string(),
    ends_with: z.string(),
    exists: z.boolean(),
  })
  .partial()

const figureShape = operatorShape.extend(
  z
    .strictObject({
      eq: figure,
      ne: figure,
      lt: figure,
      lte: figure,
      gt: figure,
      gte: figure,
      in: figures,
    })
    .partial().shape,
)

/** What the JSON Schema says in place of checks that it cannot hold. */
export const conditionShapes = new Map<unknown, z.ZodType>([
  [onValue, z.union([scalar, scalars, operatorShape])],
  [onAmount, z.union([figure, figures, figureShape])],
  [onAnything, z.union([scalar, scalars, operatorShape, z.record(z.string(), z.unknown())])],
])
