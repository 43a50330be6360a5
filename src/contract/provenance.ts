import type * as z from 'zod'
import type { AssumptionId } from '../assumptions/ids.js'

/**
 * A description says what the contract says of a field. The document of the sandbox adds the chosen
 * readings of the assumptions, and has the first one as `x-assumption`.
 */

/** The contract states it. The register lists what is open about it. */
export const documented = <S extends z.ZodType>(
  schema: S,
  description: string,
  example?: unknown,
  ...assumptions: readonly AssumptionId[]
): S => withProvenance(schema, 'documented', description, example, assumptions)

/** The contract shows a value without a rule. */
export const observed = <S extends z.ZodType>(
  schema: S,
  description: string,
  example: unknown,
  ...assumptions: readonly AssumptionId[]
): S => withProvenance(schema, 'observed', description, example, assumptions)

/** The contract is silent; the register may have the assumption. */
export const assumed = <S extends z.ZodType>(
  schema: S,
  description: string,
  example: unknown,
  ...assumptions: readonly AssumptionId[]
): S => withProvenance(schema, 'assumed', description, example, assumptions)

const withProvenance = <S extends z.ZodType>(
  schema: S,
  provenance: 'documented' | 'observed' | 'assumed',
  description: string,
  example: unknown,
  assumptions: readonly AssumptionId[],
): S =>
  schema.meta({
    ...keptMeta(schema),
    description,
    ...(example !== undefined && { example }),
    'x-provenance': provenance,
    ...(assumptions.length > 0 && { 'x-assumption': assumptions[0], 'x-open': assumptions }),
  })

/** The contract's own keywords of a field, for its document, where the sandbox says more. */
export const inContract = <S extends z.ZodType>(
  schema: S,
  own: {
    readonly enum?: readonly string[]
    readonly pattern?: string
    readonly isOptional?: true
    readonly isRequired?: true
  },
): S => schema.meta({ ...schema.meta(), 'x-contract': own })

const KEPT = ['id', 'pattern', 'x-contract']

/**
 * A part keeps its name, so that documents can refer to it, and patterns that the schema cannot
 * express.
 */
const keptMeta = (schema: z.ZodType): object =>
  Object.fromEntries(Object.entries(schema.meta() ?? {}).filter(([name]) => KEPT.includes(name)))
