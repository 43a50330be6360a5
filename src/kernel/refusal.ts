import { AppError, type ErrorDetails } from '../lib/app-error.js'
import type { StatedRow } from './row.js'

/**
 * Why a command was refused, without any notion of HTTP:
 * - `unknown`: the input names a missing record
 * - `rule`: the input breaks a rule about money, status or identity
 * - `illegal`: the status does not allow this transition
 * - `taken`: the record exists already
 * - `foreign`: the input names a record of somebody else, or an inactive one
 * - `full`: the world or its tenant has no room for it
 */
export type RefusalCode = 'unknown' | 'rule' | 'illegal' | 'taken' | 'foreign' | 'full'

/** The kernel rolls the command back and journals the refusal. */
export class Refusal extends AppError<RefusalCode> {
  override readonly name = 'Refusal'

  constructor(
    code: RefusalCode,
    problem: string | ErrorDetails,
    /** The dotted path of the input field that it is about, when there is one. */
    field?: string,
    /** The record whose status does not allow it. */
    readonly record?: StatedRow,
  ) {
    super(code, typeof problem === 'string' ? { problem, ...(field && { field }) } : problem)
  }
}

export const notFound = (field: string, problem: string) => new Refusal('unknown', problem, field)
export const ruleViolation = (field: string | undefined, problem: string) =>
  new Refusal('rule', problem, field)
export const alreadyExists = (field: string, problem: string) =>
  new Refusal('taken', problem, field)
export const illegalTransition = (problem: string) => new Refusal('illegal', problem)

export const invalidInput = (field: string, received: unknown, expected: string, hint?: string) =>
  new Refusal('rule', { field, received, expected, hint })
