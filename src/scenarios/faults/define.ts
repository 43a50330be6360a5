import type * as z from 'zod'
import type { JsonResponse } from '../../history/log-record.js'
import type { RuleCount } from '../../kernel/rules.js'
import type { Instant } from '../../kernel/time.js'

/** The places of a request where a fault acts, in order. Only waits add up. */
export const SLOTS = ['wait', 'before', 'asOf', 'replace', 'after', 'alter', 'send'] as const
export type Slot = (typeof SLOTS)[number]

/** How a connection ends without the whole response: `half` sends half of its body. */
export type Ending = 'cut' | 'half' | 'hang' | 'reset'

interface Hold {
  readonly hold_ms: number
}

export type ErrorBody = (details: { readonly code: string; readonly message: string }) => object

/**
 * The work of a fault in each slot that it fills. The pipeline waits, runs and sends. Times are real, but
 * `asOf` is an age in world time.
 */
export interface Effect {
  readonly wait?: Hold
  readonly before?: Hold | Ending
  readonly asOf?: number
  readonly replace?: (errorBody: ErrorBody) => JsonResponse
  readonly after?: Hold
  readonly alter?: (sent: JsonResponse) => JsonResponse
  readonly send?: { readonly over_ms: number } | Ending
}

/** The rule that fires. */
interface Firing {
  /** A random number from 0 to below 1. */
  readonly draw: () => number
  /** The rest of its window, or of its throttle. */
  readonly rest_ms: number
}

/** Returns the count to keep, and how long the rule fires; undefined if it does not. */
export type Quota = (
  count: RuleCount,
  now: Instant,
) => { readonly kept: RuleCount; readonly rest_ms?: number }

/** A name of a fault for the next call: a method of the test kit, a flag of the command line. */
export interface Word {
  readonly name: string
  readonly about: string
  /** Without one, the caller gives the value. */
  readonly value?: unknown
}

/** A fault. The values of its functions are those of its schema. */
export interface FaultKind<F extends string = string, S extends z.ZodType = z.ZodType> {
  readonly field: F
  readonly schema: S
  readonly about: string
  /** Values as a scenario file writes them, for the reference. */
  readonly examples: readonly string[]
  /** Two steps of a rule that fill one slot collide. */
  fills(value: z.output<S>): readonly Slot[]
  effect(value: z.output<S>, firing: Firing): Effect
  /** Its part of a diagram. */
  sentence(value: z.output<S>): string
  /** Choices of the console: how the next call reads with a value, and a note. */
  choices?(
    isPayout: boolean,
  ): readonly (readonly [value: z.output<S>, text: string, note: string])[]
  readonly words?: readonly Word[]
  /** Decides whether its rule fires. */
  quota?(value: z.output<S>): Quota
  /** The only fields that may be beside it. */
  readonly beside?: readonly string[]
  /** Whether it needs the number of matches of its rule. */
  isCounted?(value: z.output<S>): boolean
  /** Only for operations that change nothing. */
  readonly isForReads?: true
}

export const defineFault = <const F extends string, S extends z.ZodType>(
  kind: FaultKind<F, S>,
): FaultKind<F, S> => kind

/** The slots of a fault that ends the request before or after its operation, and its effect. */
export const endSlots = (side: string): readonly Slot[] =>
  side === 'before' ? SLOTS : ['alter', 'send']

export const endRequest = (side: string, how: Ending): Effect =>
  side === 'before' ? { before: how } : { send: how }
