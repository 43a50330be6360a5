import { MAX_QUOTED, quote } from './text.js'

/** The parts of a message. Only this file builds messages from them. */
export interface ErrorDetails {
  /** A dotted path, or the name of an option, flag, header or parameter. */
  readonly field?: string
  /** The rejected value, or `inWords(...)` for a value that is too long or too secret to show. */
  readonly received?: unknown
  /** Completes the sentence "Expected …". */
  readonly expected?: string
  /** A whole sentence without its full stop. */
  readonly hint?: string | undefined
  /** Replaces "got <value>" where the value alone does not explain the error. */
  readonly problem?: string
}

/** A fault in the input, mostly in one field. */
export interface Problem extends ErrorDetails {
  /** The whole sentence. */
  readonly message: string
}

type Details = ErrorDetails | readonly Problem[] | string

/** An error for the caller, not a bug. Programs read its code and its problems. */
export class AppError<Code extends string = string> extends Error {
  /**
   * Node prints the name of the class itself, which the minified build shortens. An error that reaches users of the
   * library therefore sets a static `name` too.
   */
  override readonly name: string = 'AppError'
  readonly problems: readonly Problem[]
  /** The parts of the first problem. */
  readonly field: string | undefined
  readonly received: unknown
  readonly expected: string | undefined
  readonly hint: string | undefined

  /** A string is the whole message. */
  constructor(
    readonly code: Code,
    details: Details,
  ) {
    const problems = toProblems(details)
    super(joinMessages(problems.map(({ message }) => message)))
    this.problems = problems
    const [first] = problems
    this.field = first?.field
    this.received = first?.received
    this.expected = first?.expected
    this.hint = first?.hint
  }
}

const toProblems = (details: Details): readonly Problem[] => {
  if (typeof details === 'string') return [{ problem: details, message: details }]
  return isList(details) ? details : [toProblem(details)]
}

const isList = (details: ErrorDetails | readonly Problem[]): details is readonly Problem[] =>
  Array.isArray(details)

export const toProblem = (details: ErrorDetails): Problem => ({
  ...details,
  message: formatError(details),
})

const MAX_MESSAGES = 8

/** Counts the messages beyond the limit instead of writing them. */
export const joinMessages = (lines: readonly string[], write = (line: string) => line): string => {
  const more = lines.length - MAX_MESSAGES
  const shown = lines.slice(0, MAX_MESSAGES).map((line) => write(line))
  return shown.join(' | ') + (more > 0 ? ` | and ${more} more` : '')
}

export const errorClass = <Code extends string>(name: string, code: Code) =>
  class extends AppError<Code> {
    static override readonly name = name
    override readonly name = name

    constructor(details: Details) {
      super(code, details)
    }
  }

export const invalidValue = (
  field: string,
  received: unknown,
  expected: string,
  hint?: string,
): AppError<'invalid'> => new AppError('invalid', { field, received, expected, hint })

/** `Invalid <field>: got <value>. Expected <form>. <Hint.>` */
export const formatInvalid = (
  field: string,
  received: unknown,
  expected: string,
  hint?: string,
): string => formatError({ field, received, expected, hint })

export const formatError = ({ problem, field, received, expected, hint }: ErrorDetails): string =>
  toSentences([
    formatProblem(problem, field, received),
    expected === undefined ? undefined : `Expected ${expected}`,
    hint,
  ])

const formatProblem = (
  problem: string | undefined,
  field: string | undefined,
  received: unknown,
): string => {
  if (problem !== undefined) return field ? `Invalid ${field}: ${problem}` : problem
  const name = field || 'value'
  return received === undefined
    ? `Missing ${name}`
    : `Invalid ${name}: got ${describeValue(received)}`
}

/** `Unknown query parameter "statu". Did you mean "status"? Allowed: page, size.` */
export const formatUnknown = (
  kind: string,
  name: string,
  allowed?: string,
  hint?: string,
): string =>
  toSentences([
    `Unknown ${kind} ${quote(name, MAX_NAME)}`,
    hint,
    allowed === undefined ? undefined : `Allowed: ${allowed}`,
  ])

/** `page was sent 2 times. Expected once.` */
export const formatRepeated = (name: string, times: number): string =>
  formatError({ problem: `${name} was sent ${times} times`, expected: 'once' })

/** No known field has a longer path. */
export const MAX_NAME = 200

const toSentences = (parts: readonly (string | undefined)[]): string =>
  parts
    .filter((part) => part !== undefined)
    .map((part) => (/[.?!]$/.test(part) ? part : `${part}.`))
    .join(' ')

class Words {
  constructor(readonly text: string) {}
}

/** Messages show this text instead of the value: `inWords('an image of 9 bytes')`. */
export const inWords = (text: string): unknown => new Words(text)

export const describeValue = (value: unknown): string => {
  if (value instanceof Words) return value.text
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return value.length > 0 ? 'an array' : 'an empty array'
  if (typeof value === 'string') return quote(value, MAX_QUOTED)
  if (typeof value === 'function') return 'a function'
  if (value instanceof Date) return String(value)
  if (typeof value === 'object' && value !== null) return 'an object'
  // JSON.parse returns Infinity for a number that is too large.
  if (value === Number.POSITIVE_INFINITY) return 'a number beyond 1e308'
  return typeof value === 'bigint' ? `${value}n` : String(value)
}
