import { assumptionIds } from '../../assumptions/ids.js'
import type { Assumption } from '../../assumptions/register/assumption.js'
import { assumptions, concerns } from '../../assumptions/register/index.js'
import type { Readings } from '../../assumptions/use.js'
import {
  type AssumedCode,
  assumedErrors,
  type DocumentedCode,
  documentedErrors,
  type ErrorCode,
  statusForCode,
} from '../../contract/errors.js'
import type { Operation } from './operation.js'

export interface ApiErrors {
  /** Error codes of the pipeline, which every operation has. */
  readonly gateErrors: readonly ErrorCode[]
  /** Whether the readings of the register concern it. */
  readonly hasReadings?: boolean
}

/** Statuses for a missing, wrong or insufficient key. */
const KEEPS_OUT = new Set([401, 403, 503])

/** The error codes of an operation in these readings, by status. */
export const codesByStatus = (
  operation: Operation,
  face: ApiErrors,
  chosen: Readings,
): [status: number, codes: ErrorCode[]][] => {
  const { isOpen, errors = [], id } = operation
  const gate = face.gateErrors.filter((code) => !isOpen || !KEEPS_OUT.has(statusForCode(code)))
  const byReading = face.hasReadings ? codesOfReadings(id, chosen) : []
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set<ErrorCode>([...gate, ...errors, ...byReading, '5000'])) {
    const status = statusForCode(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([a], [b]) => a - b)
}

export const codesOfReadings = (operation: string, chosen: Readings): readonly ErrorCode[] =>
  assumptionIds
    .filter((id) => concerns(id, operation))
    .flatMap((id) => {
      const { readings }: Assumption = assumptions[id]
      return readings.find(({ name }) => name === chosen.of(id))?.codes ?? []
    })

export const provenanceOfErrors = (
  { contradictedStatus }: Operation,
  status: number,
  codes: readonly ErrorCode[],
): object => {
  if (status === contradictedStatus) return { 'x-provenance': 'assumed' }
  return codes.every((code) => code in documentedErrors)
    ? { 'x-provenance': 'documented' }
    : { 'x-provenance': 'assumed', 'x-assumption': 'error.codes' }
}

export const describeCode = (code: ErrorCode): string =>
  code in documentedErrors
    ? documentedErrors[code as DocumentedCode].message
    : assumedErrors[code as AssumedCode].means
