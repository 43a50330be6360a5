import type { Context } from 'hono'
import * as z from 'zod'
import { type Notice, toastAfter } from '../activity/control-sentences.js'
import { findTakenBack, takenBackText } from '../activity/ways-back.js'
import { Readings } from '../assumptions/use.js'
import { type ApiError, badRequest } from '../http/operation/api-error.js'
import type { Operation } from '../http/operation/operation.js'
import { findZeros } from '../http/pipeline/checks.js'
import type { createOnce } from '../http/pipeline/pipeline-context.js'
import { readText } from '../http/pipeline/read-body.js'
import { newRequestId } from '../http/pipeline/response-headers.js'
import { illegalTransition } from '../kernel/refusal.js'
import type { Problem } from '../lib/app-error.js'
import { issueProblems } from '../lib/zod-errors.js'
import { isSameCause } from '../worlds/undo-history.js'
import { type PageContext, readTurn, type SentForm, type Toast } from './page-context.js'

export type Values = ReadonlyMap<string, readonly string[]>

const MAX_FORM_BYTES = 4 * 1024 * 1024

export const readForm = async (c: Context): Promise<Values> => {
  const types = ['application/x-www-form-urlencoded']
  const text = await readText(c, { limit: MAX_FORM_BYTES, types })
  const values = new Map<string, string[]>()
  for (const [name, value] of new URLSearchParams(text ?? '')) {
    if (value.trim() !== '') values.set(name, [...(values.get(name) ?? []), value])
  }
  return values
}

export type FieldSchema = z.core.JSONSchema.BaseSchema

const schemas = new WeakMap<z.ZodType, FieldSchema>()

/** A field with the value that the example of the body gives it. */
export const fieldSchema = ({ body: whole, query }: Operation, name: string): FieldSchema => {
  const input = query && name in query.shape ? query : whole
  if (!input) return {}
  const root = schemas.get(input) ?? z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' })
  schemas.set(input, root)
  // Schemas with an id are referenced.
  const resolve = (at: FieldSchema = {}): FieldSchema =>
    at.$ref ? (root.$defs?.[at.$ref.slice(at.$ref.lastIndexOf('/') + 1)] ?? {}) : at
  const find = (at: FieldSchema, part: string): FieldSchema => ({
    example: Object(at.example)[part],
    ...resolve(Object(at.properties?.[part])),
  })
  return name.split('.').reduce(find, resolve(root))
}

const toValue = ({ type, anyOf = [] }: FieldSchema, texts: readonly string[]): unknown => {
  const [text = ''] = texts
  if (type === 'array') return texts.flatMap((it) => it.split(/\r?\n/)).filter((it) => it !== '')
  if (type === 'number' || type === 'integer') return Number(text)
  if (text === 'null' && anyOf.some((it) => it.type === 'null')) return null
  return text
}

const withField = (
  object: object,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): object => ({
  ...object,
  [name]: rest.length === 0 ? value : withField(Object(Object(object)[name]), rest, value),
})

const toInput = (operation: Operation, values: Iterable<readonly [string, readonly string[]]>) => {
  const input = { params: {}, query: {}, body: {} }
  for (const [name, texts] of values) {
    const part = (['params', 'query'] as const).find((it) => name in (operation[it]?.shape ?? {}))
    const value = part ? texts[0] : toValue(fieldSchema(operation, name), texts)
    input[part ?? 'body'] = withField(input[part ?? 'body'], name.split('.'), value)
  }
  return input
}

/** A text, or JSON of the fields. The last of several with one name counts: it replaces a choice. */
const toText = (values: Values): string =>
  values.get('text')?.[0] ??
  JSON.stringify(
    Object.fromEntries([...values].map(([name, it]) => [name, parseField(it.at(-1) ?? '')])),
  )

export const parseField = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

const MAX_ENTRIES = 100

/** A field of the button in a toast, which takes back its own action only. */
export const TURN = 'turn'

export interface ActionRun {
  readonly operation: Operation
  readonly values: Values
  readonly once: ReturnType<typeof createOnce>
}

export const runAction = async (
  ctx: PageContext,
  c: Context,
  { operation, values, once }: ActionRun,
): Promise<Notice & Toast> => {
  const { sandbox, live, scope } = ctx
  const { [TURN]: turn, ...own } = Object.fromEntries(values)
  const given = toInput(operation, Object.entries(own))
  const problems: Problem[] = []
  const parse = (schema: z.ZodType | undefined, input: unknown): unknown => {
    const result = schema?.safeParse(input)
    if (result?.error) problems.push(...issueProblems(result.error.issues, input))
    return result?.data
  }
  const text = operation.text && (await operation.text.read(toText(values), sandbox))
  const input = {
    params: parse(operation.params, given.params),
    query: parse(operation.query, given.query),
    body: parse(operation.body, text ?? given.body),
  }
  problems.push(...findZeros(input.params, input.query, input.body))
  if (problems.length > 0) throw badRequest(problems)
  if (turn && turn[0] !== readTurn(live))
    throw illegalTransition('something else happened since, so that Undo would take it back, too')
  const world = live.current()
  const before = live.history.newest?.n ?? 0
  const seq = live.journal.newest
  const request = newRequestId()
  const cause = { kind: 'control', request, operation: operation.id, by: 'console' } as const
  const readings = new Readings(world.tables.readings)
  const call = { sandbox, live, scope, world, cause, readings, request: c.req, once, ...input }
  const to = operation.id === 'undo' ? Object(input.body).to : undefined
  const taken = to === undefined ? undefined : takenBackText(findTakenBack(ctx, to))
  const reply = await operation.handle(call as Parameters<Operation['handle']>[0])
  const result = reply instanceof Response ? undefined : reply.body
  const { undone, redone = undone } = Object(result)
  const entry = redone
    ? live.journal.all().findLast((it) => isSameCause(it.cause, redone))
    : live.journal.oldestAfter(seq, MAX_ENTRIES).findLast((it) => it.cause === cause)
  const isUndoable = (live.history.newest?.n ?? 0) > before
  const notice = toastAfter(live.world.tables, operation.id, result, { entry, taken }, isUndoable)
  return { ...notice, turn: readTurn(live) }
}

/** An error inside a list, or inside a text, belongs to its field. */
export const toSentForm = ({ operation, values }: ActionRun, { problems }: ApiError): SentForm => {
  const errors = new Map<string, string>()
  for (const { field, message } of problems) {
    const name = values.has('text') ? 'text' : field?.split('.')[0]
    if (name !== undefined) errors.set(name, `${errors.get(name) ?? ''} ${message}`.trim())
  }
  const last = [...values].map(([name, texts]) => [name, texts.at(-1) ?? ''] as const)
  return { operation: operation.id, values: Object.fromEntries(last), errors }
}
