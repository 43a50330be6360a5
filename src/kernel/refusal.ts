/**
 * Why a command was refused, without any notion of HTTP:
 * - `unknown`: something that the input names does not exist
 * - `rule`: the input breaks a rule about money, status or identity
 * - `illegal`: the status table does not allow this move from where the record is
 * - `taken`: what the input would make is there already
 * - `foreign`: the input names something that may not be used: it is somebody else's, or not active
 */
export type RefusalCode = 'unknown' | 'rule' | 'illegal' | 'taken' | 'foreign'

/** A typed "no" of a command. The kernel undoes what the command wrote and journals the refusal. */
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
