import * as z from 'zod'
import { isPattern, LONGEST_PATTERN } from './patterns.js'

/** Text that compares as a number. */
export const DECIMAL = /^-?\d{1,40}(\.\d{1,40})?$/

export const scalar = z.union([z.string(), z.number(), z.boolean(), z.null()])
export const scalars = z.array(scalar).min(1)
export const comparable = z.union([z.number(), z.string()])

export const figure = z.union([z.number(), z.string().regex(DECIMAL)])
export const figures = z.array(figure).min(1)

const LOWEST_STATUS = 100
const HIGHEST_STATUS = 599
/** Null stands for a connection that was cut. */
export const httpStatus = z.int().min(LOWEST_STATUS).max(HIGHEST_STATUS).nullable()
export const httpStatuses = z.array(httpStatus).min(1)

/** What an operator takes, and that in words. */
type Operand = readonly [z.ZodType, string]

const ANYTHING = {
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
} as const satisfies Record<string, Operand>

export type Operator = keyof typeof ANYTHING
const OPERATORS = Object.keys(ANYTHING) as Operator[]
export const isOperator = (key: string): key is Operator => Object.hasOwn(ANYTHING, key)

/** What a field compares with: by itself or in a list, what its operators take, and all that in words. */
export interface Operands {
  readonly value: z.ZodType
  readonly by: Partial<Record<Operator, Operand>>
  readonly forms: string
}

const formsOf = (value: string, operators: readonly Operator[], such = ''): string =>
  `${value}, a list of at least one of them, or operators${such}: ${operators.join(', ')}`

export const anyOperands: Operands = {
  value: z.union([scalar, scalars]),
  by: ANYTHING,
  forms: formsOf('a string, a number, true, false or null', OPERATORS),
}

const FIGURE = 'a number, as 12.5 or "12.50"'
/** What amounts compare with: with anything else, a condition on one would never be right. */
export const amountOperands: Operands = {
  value: z.union([figure, figures]),
  by: {
    ...ANYTHING,
    eq: [figure, FIGURE],
    ne: [figure, FIGURE],
    lt: [figure, FIGURE],
    lte: [figure, FIGURE],
    gt: [figure, FIGURE],
    gte: [figure, FIGURE],
    in: [figures, `a list of at least one of ${FIGURE}`],
  },
  forms: formsOf(FIGURE, OPERATORS),
}

const STATUS = `an HTTP status as a number from ${LOWEST_STATUS} to ${HIGHEST_STATUS}, or null for a connection that was cut`
const BOUND = 'a number such as 500'
const bound = z.number()
const STATUS_BY = {
  eq: [httpStatus, STATUS],
  ne: [httpStatus, STATUS],
  lt: [bound, BOUND],
  lte: [bound, BOUND],
  gt: [bound, BOUND],
  gte: [bound, BOUND],
  in: [httpStatuses, `a list of at least one of ${STATUS}`],
  exists: ANYTHING.exists,
} as const satisfies Partial<Record<Operator, Operand>>
/** What the status of an answer compares with: it is a number, and no text is ever equal to it. */
export const statusOperands: Operands = {
  value: z.union([httpStatus, httpStatuses]),
  by: STATUS_BY,
  forms: formsOf(STATUS, Object.keys(STATUS_BY) as Operator[], ' such as { gte: 500 }'),
}
