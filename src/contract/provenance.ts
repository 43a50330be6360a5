import type * as z from 'zod'
import type { AssumptionId } from './assumptions/index.js'

/** The contract states it. */
export const documented = <S extends z.ZodType>(
  schema: S,
  description: string,
  example?: unknown,
): S => schema.meta({ description, ...exampleOf(example), 'x-provenance': 'documented' })

/** The contract shows a value of it without stating a rule. */
export const observed = <S extends z.ZodType>(
  schema: S,
  description: string,
  example?: unknown,
  assumption?: AssumptionId,
): S =>
  schema.meta({
    description,
    ...exampleOf(example),
    'x-provenance': 'observed',
    ...(assumption ? { 'x-assumption': assumption } : {}),
  })

/** The contract is silent; the register says what is assumed. */
export const assumed = <S extends z.ZodType>(
  schema: S,
  assumption: AssumptionId,
  description: string,
  example?: unknown,
): S =>
  schema.meta({
    description,
    ...exampleOf(example),
    'x-provenance': 'assumed',
    'x-assumption': assumption,
  })

const exampleOf = (example: unknown) => (example === undefined ? {} : { example })
