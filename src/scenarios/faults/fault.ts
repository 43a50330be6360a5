import * as z from 'zod'
import { toSnakeCase } from '../../lib/text.js'
import { exactlyOne, strict } from '../../lib/yaml/strict.js'
import type { Effect, FaultKind, Quota, Slot } from './define.js'
import { faults } from './registry.js'
import { TOO_MANY } from './throttle.js'
import { MAX_DELAY_MS } from './timing.js'

type Fields = {
  readonly [K in (typeof faults)[number] as K['field']]: z.ZodOptional<K['schema']>
}
const kinds: readonly FaultKind[] = faults
const fields = Object.fromEntries(
  kinds.map(({ field, schema, about }) => [field, schema.optional().describe(about)]),
) as Fields

/** Words that are no field. One with a value of its own is `true`, others take what their field takes. */
const words = kinds.flatMap(({ field, schema, words = [] }) =>
  words
    .map(({ name, value, about }) => ({ word: toSnakeCase(name), field, schema, value, about }))
    .filter(({ word }) => !Object.hasOwn(fields, word)),
)

export const REQUEST_ACTIONS = Object.keys(fields) as (keyof Fields)[]

/** All fields and words of a step about a request. */
export const stepFields: Readonly<Record<string, z.ZodOptional>> = {
  ...fields,
  ...Object.fromEntries(
    words.map(({ word, schema, value, about }) => {
      const taken = value === undefined ? schema : z.literal(true, 'true')
      return [word, taken.optional().describe(about)]
    }),
  ),
}

export type RequestStep = z.output<z.ZodObject<Fields>>

/** A step with the field in place of the word. */
const toField = (step: Readonly<Record<string, unknown>>): RequestStep =>
  Object.fromEntries(
    Object.entries(step).map(([name, given]) => {
      const { field = name, value = given } = words.find(({ word }) => word === name) ?? {}
      return [field, value]
    }),
  )

export const requestStep = strict(stepFields)
  .superRefine((step, { issues, addIssue }) => {
    const done = Object.keys(stepFields).filter((action) => step[action] !== undefined)
    if (done.length === 1 || (done.length === 0 && issues.length > 0)) return
    addIssue({ code: 'custom', message: `exactly one of ${REQUEST_ACTIONS.join(', ')}` })
  })
  .meta(exactlyOne(Object.keys(stepFields)))
  .transform(toField)

/** The faults of steps, one a step, each with its value and the place of the step. */
const faultsOf = (steps: readonly RequestStep[]) =>
  steps.flatMap((step, i) =>
    kinds.flatMap((kind) => {
      const value: unknown = step[kind.field as keyof RequestStep]
      return value === undefined ? [] : [{ kind, value, i }]
    }),
  )

/** Why these steps of a rule do not go together, as the sentence after "Expected". */
export const findCollision = (steps: readonly RequestStep[]): string | undefined => {
  const all = faultsOf(steps)
  for (const { kind } of all) {
    const { field, beside } = kind
    const others = all.filter((it) => it.kind !== kind).map((it) => it.kind.field)
    const isAlone = others.length + 1 === all.length && others.every((it) => beside?.includes(it))
    if (beside && !isAlone) return `one ${field}, beside nothing but a ${beside.join(' or ')}`
  }
  const filled = new Map<Slot, string>()
  for (const { kind, value } of all) {
    const { field } = kind
    const slots = kind.fills(value).filter((slot) => slot !== 'wait')
    for (const slot of slots) {
      const other = filled.get(slot)
      if (other === undefined) continue
      const both = other === field ? `two ${field} steps` : `${other} and ${field}`
      return `one step for the slot ${slot}, which ${both} fill`
    }
    for (const slot of slots) filled.set(slot, field)
  }
  return undefined
}

/** The place of a step that only operations without a change can have. */
export const findForReads = (
  steps: readonly RequestStep[],
): { i: number; field: string } | undefined => {
  const [found] = faultsOf(steps).filter(({ kind }) => kind.isForReads)
  return found && { i: found.i, field: found.kind.field }
}

export const hasCountedStep = (steps: readonly RequestStep[]): boolean =>
  faultsOf(steps).some(({ kind, value }) => kind.isCounted?.(value))

export const quotaOf = (steps: readonly RequestStep[]): Quota | undefined => {
  for (const { kind, value } of faultsOf(steps)) if (kind.quota) return kind.quota(value)
  return undefined
}

/** A line of a diagram. A quota ends it, and has its own response if no step is beside it. */
export const describeSteps = (steps: readonly RequestStep[]): string => {
  const all = faultsOf(steps)
  const [quota] = all.filter(({ kind }) => kind.quota)
  const others = all.filter((it) => it !== quota)
  const shown =
    quota && others.length === 0
      ? faultsOf([{ respond: { status: TOO_MANY.respond.status } }])
      : others
  const words = shown.map(({ kind, value }) => kind.sentence(value)).join(', ')
  return quota ? `${words} ${quota.kind.sentence(quota.value)}` : words
}

/** Steps that the console offers for the next call, each with its words and a note. */
export const listChoices = (isPayout: boolean) =>
  kinds.flatMap(({ field, choices }) =>
    (choices?.(isPayout) ?? []).map(
      ([value, text, note]) => [{ [field]: value }, text, note] as const,
    ),
  )

/** The fault of a rule on one request. */
export interface Fault {
  /** `<scenario>/<rule>` */
  readonly rule: string
  readonly source: string
  readonly effect: Effect
}

/** `draw` returns the random number of a step. No two steps fill one slot, and waits add up. */
export const effectOf = (
  steps: readonly RequestStep[],
  rest_ms: number,
  draw: (nth: number) => number,
): Effect => {
  const effects = faultsOf(steps).map(({ kind, value, i }) =>
    kind.effect(value, { rest_ms, draw: () => draw(i) }),
  )
  const wait_ms = effects.reduce((sum, { wait }) => sum + (wait?.hold_ms ?? 0), 0)
  return Object.assign({}, ...effects, { wait: { hold_ms: Math.min(wait_ms, MAX_DELAY_MS) } })
}
