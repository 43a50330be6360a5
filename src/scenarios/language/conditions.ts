import * as z from 'zod'
import type { Fields } from './fields.js'
import {
  amountOperands,
  anyOperands,
  comparable,
  comparisonShape,
  figure,
  figures,
  httpStatus,
  httpStatuses,
  isOperator,
  type Operands,
  scalar,
  scalars,
  statusOperands,
} from './operators.js'
import { emptyRange } from './ranges.js'

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

export type Condition = Scalar | readonly Scalar[] | Operators | Conditions
export interface Conditions {
  readonly [field: string]: Condition
}

/** Distinguishes operators from conditions on fields of an object. */
export const isOperators = (value: object): value is Operators => {
  const keys = Object.keys(value)
  return keys.length > 0 && keys.every(isOperator)
}

type Refuse = (path: readonly PropertyKey[], message: string, isKey?: boolean) => void

const isPlain = (value: unknown): boolean =>
  typeof value !== 'object' || value === null || Array.isArray(value)

/** Validates a condition on one value. */
const checkValue = (value: unknown, refuse: Refuse, operands: Operands): void => {
  const { by, forms } = operands
  if (isPlain(value)) {
    if (!operands.value.safeParse(value).success) refuse([], forms)
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

const withCheck = (check: (value: unknown, refuse: Refuse) => void, id: string) =>
  z
    .unknown()
    .superRefine((value, context) => {
      check(value, (path, message, isKey = false) => {
        context.addIssue({ code: 'custom', path: [...path], message, params: { isKey } })
      })
    })
    .meta({ id })

const comparedWith = (operands: Operands, id: string) =>
  withCheck((value, refuse) => checkValue(value, refuse, operands), id)

const onValue = comparedWith(anyOperands, 'Condition')
export const onAmount = comparedWith(amountOperands, 'AmountCondition')
const onHttpStatus = comparedWith(statusOperands, 'HttpStatusCondition')
const onAnything = withCheck(checkOpen, 'OpenCondition')

const CONDITIONS = 'an object of conditions, {} for any'

/** Accepts a condition for each of these fields only. */
export const conditionsOn = (fields: Fields): z.ZodType<Conditions> => {
  const shape = Object.entries(fields).map(([name, kind]) => [name, conditionOn(kind).optional()])
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

const conditionOn = (kind: Fields[string]): z.ZodType => {
  if (kind === 'value' || kind === 'asset') return onValue
  if (kind === 'amount') return onAmount
  if (kind === 'http_status') return onHttpStatus
  return typeof kind === 'object' ? conditionsOn(kind) : onAnything
}

const operatorShape = z
  .strictObject({
    ...comparisonShape(scalar, comparable, scalars),
    matches: z.string().meta({ description: 'A regular expression in the syntax of RE2' }),
    starts_with: z.string(),
    ends_with: z.string(),
    exists: z.boolean(),
  })
  .partial()

const figureShape = operatorShape.extend(comparisonShape(figure, figure, figures)).partial()

const httpStatusShape = operatorShape
  .pick({ exists: true })
  .extend(comparisonShape(httpStatus, z.number(), httpStatuses))
  .partial()

/** The JSON Schema in place of checks that it cannot express. */
export const conditionShapes = new Map<unknown, z.ZodType>([
  [onValue, z.union([scalar, scalars, operatorShape])],
  [onAmount, z.union([figure, figures, figureShape])],
  [onHttpStatus, z.union([httpStatus, httpStatuses, httpStatusShape])],
  [onAnything, z.union([scalar, scalars, operatorShape, z.record(z.string(), z.unknown())])],
])
