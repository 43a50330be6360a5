import { assumptionIds, type ReadingLookup } from '../../assumptions/ids.js'
import type { Assumption } from '../../assumptions/register/assumption.js'
import { type AssumptionId, assumptions, concerns } from '../../assumptions/register/index.js'
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
  /** By status, the assumption about errors that the contract does not know; error.codes for all others. */
  readonly errorDoubts?: Readonly<Record<number, AssumptionId>>
  /** Whether the readings of the register concern it. */
  readonly hasReadings?: boolean
}

/** Statuses for a missing, wrong or insufficient key. */
const KEEPS_OUT = new Set([401, 403, 503])

/** The error codes of an operation in these readings, by status. */
export const codesByStatus = (
  operation: Operation,
  face: ApiErrors,
  read: ReadingLookup,
): [status: number, codes: ErrorCode[]][] => {
  const { isOpen, errors = [], id } = operation
  const gate = face.gateErrors.filter((code) => !isOpen || !KEEPS_OUT.has(statusForCode(code)))
  const byReading = face.hasReadings ? codesOfReadings(id, read) : []
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of new Set<ErrorCode>([...gate, ...errors, ...byReading, '5000'])) {
    const status = statusForCode(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  return [...byStatus].sort(([a], [b]) => a - b)
}

export const codesOfReadings = (operation: string, read: ReadingLookup): readonly ErrorCode[] =>
  assumptionIds
    .filter((id) => concerns(id, operation))
    .flatMap((id) => {
      const { readings }: Assumption = assumptions[id]
      return readings.find(({ name }) => name === read(id))?.codes ?? []
    })

export const provenanceOfErrors = (
  operation: Operation,
  face: ApiErrors,
  status: number,
  codes: readonly ErrorCode[],
): object => {
  const known = codes.every((code) => code in documentedErrors)
  const doubts = { ...face.errorDoubts, ...operation.errorDoubts }
  const doubt = doubts[status] ?? (known ? undefined : 'error.codes')
  return doubt === undefined
    ? { 'x-provenance': 'documented' }
    : { 'x-provenance': 'assumed', 'x-assumption': doubt }
}

export const describeCode = (code: ErrorCode): string =>
  code in documentedErrors
    ? documentedErrors[code as DocumentedCode].message
    : assumedErrors[code as AssumedCode].means
