import { closest, distance } from 'fastest-levenshtein'

/** A fault in the input, mostly in one field. The control API and the kit write its message. */
export interface Problem {
  readonly field?: string
  readonly received?: unknown
  readonly expected?: string
  readonly hint?: string | undefined
  /** The whole sentence. */
  readonly message: string
}

/** An error of the control API, or of the way to it. */
export class SandboxError extends Error {
  static override readonly name = 'SandboxError'
  override readonly name = 'SandboxError'
  readonly problems: readonly Problem[]
  /** The parts of the first problem. */
  readonly field: string | undefined
  readonly received: unknown
  readonly expected: string | undefined
  readonly hint: string | undefined

  /** `code` is that of the response; without one, `unreachable`, `version` or `invalid`. */
  constructor(
    readonly code: string,
    message: string,
    problems: readonly Problem[] = [{ message }],
    readonly status?: number,
  ) {
    super(message)
    this.problems = problems
    const [first] = problems
    this.field = first?.field
    this.received = first?.received
    this.expected = first?.expected
    this.hint = first?.hint
  }
}

export const invalid = (field: string, received: unknown, expected: string): SandboxError => {
  const fault =
    received === undefined
      ? `Missing ${field}`
      : `Invalid ${field}: got ${JSON.stringify(received)}`
  const message = `${fault}. Expected ${expected}.`
  return new SandboxError('invalid', message, [{ field, received, expected, message }])
}

/** Refuses a misspelt name, which would have no effect. */
export const assertKnown = (
  kind: 'fault' | 'field' | 'option',
  name: string,
  allowed: readonly string[],
  path = '',
): void => {
  if (allowed.includes(name)) return
  const near = closest(name, allowed)
  const isNear = distance(name, near) <= Math.max(2, name.length / 3)
  const hint = isNear ? ` Did you mean "${near}"?` : ''
  const message = `Unknown ${kind} "${path}${name}".${hint} Allowed: ${allowed.join(', ')}.`
  throw new SandboxError('invalid', message)
}

/** A surplus argument would have no effect. */
export const assertNoSurplus = (method: string, given: readonly unknown[], most: number): void => {
  const surplus = given.findIndex((it, i) => i >= most && it !== undefined)
  if (surplus < 0) return
  const expected = most === 0 ? 'no argument' : `at most ${most}`
  throw invalid(`argument ${surplus + 1} of ${method}`, given[surplus], expected)
}

/** Lets each method refuse surplus arguments. A parameter with a default does not count in `length`. */
export const refuseSurplus = <T extends object>(methods: T): T => {
  for (const name of Object.getOwnPropertyNames(methods)) {
    const method: unknown = Reflect.get(methods, name)
    if (typeof method !== 'function' || name === 'constructor') continue
    const value = function (this: unknown, ...given: readonly unknown[]) {
      assertNoSurplus(name, given, method.length)
      return method.apply(this, given)
    }
    Object.defineProperty(methods, name, { value })
  }
  return methods
}
