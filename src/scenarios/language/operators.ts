import * as z from 'zod'
import { isPattern, MAX_PATTERN } from './patterns.js'

/** Text that compares as a number. */
export const DECIMAL = /^-?\d{1,40}(\.\d{1,40})?$/

/** Numbers with all digits: an unquoted long account number would lose its last ones. */
const exact = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)
export const scalar = z.union([z.string(), exact, z.boolean(), z.null()])
export const scalars = z.array(scalar).min(1)
export const comparable = z.union([z.number(), z.string()])

export const figure = z.union([z.number(), z.string().regex(DECIMAL)])
export const figures = z.array(figure).min(1)

const MIN_STATUS = 100
const MAX_STATUS = 599
export const httpStatus = z.int().min(MIN_STATUS).max(MAX_STATUS).nullable()
export const httpStatuses = z.array(httpStatus).min(1)

/** Comparison operators with the schema of their values. */
export const comparisonShape = <Same, Order, List>(same: Same, order: Order, list: List) => ({
  eq: same,
  ne: same,
  lt: order,
  lte: order,
  gt: order,
  gte: order,
  in: list,
})

/** The schema of an operator's value, and its description. */
type Operand = readonly [z.ZodType, string]

const operand = (schema: z.ZodType, accepted: string): Operand => [schema, accepted]

const SCALAR = 'a string, a number of at most 15 digits, true, false or null'
const ANYTHING = {
  ...comparisonShape(
    operand(scalar, SCALAR),
    operand(comparable, 'a number, or a string such as a date-time'),
    operand(scalars, 'a list of at least one value'),
  ),
  matches: [
    z.string().refine(isPattern),
    `a regular expression in the syntax of RE2, at most ${MAX_PATTERN} characters`,
  ],
  starts_with: [z.string().min(1), 'text'],
  ends_with: [z.string().min(1), 'text'],
  exists: [z.boolean(), 'true or false'],
} as const satisfies Record<string, Operand>

export type Operator = keyof typeof ANYTHING
const OPERATORS = Object.keys(ANYTHING) as Operator[]
export const isOperator = (key: string): key is Operator => Object.hasOwn(ANYTHING, key)

/** The values of a field, alone and with operators, and their description. */
export interface Operands {
  readonly value: z.ZodType
  readonly by: Partial<Record<Operator, Operand>>
  readonly forms: string
}

const listForms = (value: string, operators: readonly Operator[], such = ''): string =>
  `${value}, a list of at least one of them, or operators${such}: ${operators.join(', ')}`

export const anyOperands: Operands = {
  value: z.union([scalar, scalars]),
  by: ANYTHING,
  forms: listForms(SCALAR, OPERATORS),
}

const FIGURE = 'a number, as 12.5 or "12.50"'
/** A condition on an amount with any other value would never hold. */
export const amountOperands: Operands = {
  value: z.union([figure, figures]),
  by: {
    ...ANYTHING,
    ...comparisonShape(
      operand(figure, FIGURE),
      operand(figure, FIGURE),
      operand(figures, `a list of at least one of ${FIGURE}`),
    ),
  },
  forms: listForms(FIGURE, OPERATORS),
}

const STATUS = `an HTTP status as a number from ${MIN_STATUS} to ${MAX_STATUS}, or null for a connection that was cut`
const STATUS_BY = {
  ...comparisonShape(
    operand(httpStatus, STATUS),
    operand(z.number(), 'a number such as 500'),
    operand(httpStatuses, `a list of at least one of ${STATUS}`),
  ),
  exists: ANYTHING.exists,
} as const satisfies Partial<Record<Operator, Operand>>
/** A status is a number and never equals text. */
export const statusOperands: Operands = {
  value: z.union([httpStatus, httpStatuses]),
  by: STATUS_BY,
  forms: listForms(STATUS, Object.keys(STATUS_BY) as Operator[], ' such as { gte: 500 }'),
}
