import type * as z from 'zod'
import type { AssumptionId } from '../assumptions/ids.js'

/** The contract states it. The register lists what is open about it. */
export const documented = <S extends z.ZodType>(
  schema: S,
  description: string,
  example?: unknown,
  assumption?: AssumptionId,
): S => withProvenance(schema, 'documented', description, example, assumption)

/** The contract shows a value without a rule. */
export const observed = <S extends z.ZodType>(
  schema: S,
  description: string,
  example: unknown,
  assumption?: AssumptionId,
): S => withProvenance(schema, 'observed', description, example, assumption)

/** The contract is silent; the register has the assumption. */
export const assumed = <S extends z.ZodType>(
  schema: S,
  assumption: AssumptionId,
  description: string,
  example: unknown,
): S => withProvenance(schema, 'assumed', description, example, assumption)

const withProvenance = <S extends z.ZodType>(
  schema: S,
  provenance: 'documented' | 'observed' | 'assumed',
  description: string,
  example: unknown,
  assumption: AssumptionId | undefined,
): S =>
  schema.meta({
    ...keptMeta(schema),
    description,
    ...(example !== undefined && { example }),
    'x-provenance': provenance,
    ...(assumption && { 'x-assumption': assumption }),
  })

const KEPT = ['id', 'pattern', 'x-contract-pattern']

/**
 * A part keeps its name, so that documents can refer to it, and patterns that the schema cannot
 * express.
 */
const keptMeta = (schema: z.ZodType): object =>
  Object.fromEntries(Object.entries(schema.meta() ?? {}).filter(([name]) => KEPT.includes(name)))
