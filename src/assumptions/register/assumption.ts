import type { ErrorCode } from '../../contract/errors.js'

/**
 * The cost of a wrong guess. `high`: money moves twice or is lost. `medium`: a client takes the
 * wrong branch. `low`: only a shape differs, or the service accepts more.
 */
export const RISKS = ['high', 'medium', 'low'] as const
export type Risk = (typeof RISKS)[number]

export interface Reading<Name extends string = string> {
  readonly name: Name
  readonly means: string
  /** Errors that only this reading returns. */
  readonly codes: readonly ErrorCode[]
}

export interface Assumption<
  Names extends readonly [string, ...string[]] = readonly [string, ...string[]],
> {
  readonly question: string
  /** OpenAPI operation ids; empty for all operations. */
  readonly operations: readonly string[]
  /** Operations that it concerns only under another reading of another question. */
  readonly otherwise?: readonly string[]
  readonly readings: { readonly [Place in keyof Names]: Reading<Names[Place]> }
  /** Why the default is the default. */
  readonly basis: string
  readonly risk: Risk
  /** Completes "If the service reads it otherwise, …". */
  readonly consequence: string
}

/** The highest risk first. */
export const compareByRisk = (a: { readonly risk: Risk }, b: { readonly risk: Risk }): number =>
  RISKS.indexOf(a.risk) - RISKS.indexOf(b.risk)

export const reading = <Name extends string>(
  name: Name,
  means: string,
  ...codes: readonly ErrorCode[]
): Reading<Name> => ({ name, means, codes })

/** The usual basis: a client that passes here also passes against a laxer service. */
export const STRICTER = 'The contract is silent; this is the stricter reading.'
export const SILENT = 'The contract is silent; this is the more common choice.'
