/**
 * Why a command was refused, without any notion of HTTP:
 * - `unknown`: the input names a missing record
 * - `rule`: the input breaks a rule about money, status or identity
 * - `illegal`: the status does not allow this transition
 * - `taken`: the record exists already
 * - `foreign`: the input names a record of somebody else, or an inactive one
 */
export type RefusalCode = 'unknown' | 'rule' | 'illegal' | 'taken' | 'foreign'

/** The kernel rolls the command back and journals the refusal. */
export class Refusal extends Error {
  override readonly name = 'Refusal'

  constructor(
    readonly code: RefusalCode,
    message: string,
    /** The dotted path of the input field that it is about, when there is one. */
    readonly field?: string,
  ) {
    super(field ? `${field}: ${message}` : message)
  }
}

export const notFound = (field: string, message: string) => new Refusal('unknown', message, field)
export const ruleViolation = (field: string | undefined, message: string) =>
  new Refusal('rule', message, field)
export const alreadyExists = (field: string, message: string) =>
  new Refusal('taken', message, field)
export const illegalTransition = (message: string) => new Refusal('illegal', message)
