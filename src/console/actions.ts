import type { Context } from 'hono'
import type { Child } from 'hono/jsx'
import type * as z from 'zod'
import { badRequest } from '../http/api-error.js'
import { readText } from '../http/body.js'
import type { Cause } from '../kernel/entry.js'
import { formatIssues } from '../lib/zod-errors.js'
import type { Page, PageContext } from './page-context.js'

/** The fields of a form. Those that were left empty are not there. */
export type Fields = Readonly<Record<string, string>>

/** What an action gets: a world to act on, and itself as the cause. */
export interface Call {
  readonly ctx: PageContext
  readonly params: Readonly<Record<string, string>>
  readonly fields: Fields
  readonly cause: Cause
}

/**
 * What an action came to: a sentence for the page that it was started from, or for another one; what it has
 * made, which that one shows once; or a page of its own, for what was refused.
 */
export type Outcome =
  | string
  | { readonly to: string; readonly told?: string; readonly made?: Child }
  | Page

export interface Action {
  /** Below `/console/`. */
  readonly path: string
  /** The operation of the control face that does the same: the journal names it. */
  readonly operation: string
  readonly act: (call: Call) => Outcome | Promise<Outcome>
}

/** More than the longest scenario, in the encoding of forms. */
const MAX_FORM_BYTES = 4 * 1024 * 1024
const FORM_TYPES = ['application/x-www-form-urlencoded']

export const readForm = async (c: Context): Promise<Fields> => {
  const text = await readText(c, { limit: MAX_FORM_BYTES, types: FORM_TYPES })
  const pairs = [...new URLSearchParams(text ?? '')]
  return Object.fromEntries(pairs.filter(([, value]) => value.trim() !== ''))
}

/** The fields as a schema reads them; refuses others in the words of the service. */
export const checked = <S extends z.ZodType>(schema: S, fields: Fields): z.output<S> => {
  const result = schema.safeParse(fields)
  if (result.success) return result.data
  throw badRequest(formatIssues(result.error.issues, fields))
}
