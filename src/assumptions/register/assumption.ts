import type { ErrorCode } from '../../contract/errors.js'

/** One plausible interpretation: a short name of its own, and what it means in a sentence. */
export interface Reading<Name extends string = string> {
  readonly name: Name
  readonly means: string
  /** Error codes that its operations answer in this reading, besides those that they answer in any. */
  readonly codes: readonly ErrorCode[]
}

/** Something that the contract leaves open, and how the sandbox reads it. */
export interface Assumption<
  Names extends readonly [string, ...string[]] = readonly [string, ...string[]],
> {
  /** What is open, as a question. */
  readonly question: string
  /** The operations it touches, by OpenAPI operation id; empty for all of them. */
  readonly operations: readonly string[]
  /** Those of them that it touches only where another question is not read by its default. */
  readonly otherwise?: readonly string[]
  /** All readings, the default first. */
  readonly readings: { readonly [Place in keyof Names]: Reading<Names[Place]> }
  /** What the default rests on. */
  readonly basis: string
}

export const reading = <Name extends string>(
  name: Name,
  means: string,
  ...codes: readonly ErrorCode[]
): Reading<Name> => ({ name, means, codes })

/** What most defaults rest on: a client that works here then works there too. */
export const STRICTER = 'The contract is silent; this is the stricter reading.'
export const SILENT = 'The contract is silent; this is the more common choice.'
