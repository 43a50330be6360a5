import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import { readText } from '../http/pipeline/read-body.js'
import type { Instant } from '../kernel/time.js'
import type { Page, PageContext } from './page-context.js'
import type { OperationInput } from './run-operation.js'

/** The fields of a form, without empty ones. */
export type Fields = Readonly<Record<string, string>>

export interface Call {
  readonly ctx: PageContext
  readonly params: Readonly<Record<string, string>>
  readonly fields: Fields
  /** The world's time before the action. */
  readonly startedAt: Instant
  /** Runs the action's control operation and returns the body of its response. */
  readonly run: (input: OperationInput) => Promise<unknown>
}

/**
 * The message for the page of the form or for the page at `to`; what that page shows once; or a page that
 * replaces both, such as one with the errors of the form.
 */
export type Outcome =
  | string
  | { readonly to: string; readonly message?: string; readonly shownOnce?: Child }
  | Page

export interface Action {
  /** Starts with `/console/`. */
  readonly path: string
  /** Id of the control operation. The journal shows it as the cause. */
  readonly operation: string
  readonly act: (call: Call) => Outcome | Promise<Outcome>
}

/** An action whose form is the body of a control operation. */
export const formAction = <Result>({
  path,
  operation,
  toInput = ({ fields }) => ({ body: fields }),
  conclude,
}: Pick<Action, 'path' | 'operation'> & {
  /** The input of the operation, if the body is not the form. */
  readonly toInput?: (call: Call) => OperationInput
  readonly conclude: (call: Call, result: Result) => Outcome
}): Action => ({
  path,
  operation,
  act: async (call) => {
    const result = await call.run({ params: call.params, ...toInput(call) })
    return conclude(call, result as Result)
  },
})

/** More than the longest scenario, in the encoding of forms. */
const MAX_FORM_BYTES = 4 * 1024 * 1024
const FORM_TYPES = ['application/x-www-form-urlencoded']

export const readForm = async (c: Context): Promise<Fields> => {
  const text = await readText(c, { limit: MAX_FORM_BYTES, types: FORM_TYPES })
  const pairs = [...new URLSearchParams(text ?? '')]
  return Object.fromEntries(pairs.filter(([, value]) => value.trim() !== ''))
}
