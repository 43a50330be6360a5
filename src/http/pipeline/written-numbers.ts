import { AppError, inWords } from '../../lib/app-error.js'
import { MAX_QUOTED } from '../../lib/text.js'
import type { ShowReceived } from '../../lib/zod-errors.js'
import { ApiError } from '../operation/api-error.js'

/** A number of a field, or of a list, in the text of a body. */
const NUMBER = new RegExp(
  `(?:"(\\w+)"\\s*:|[[,])\\s*(-?\\d[\\d.eE+-]{0,${MAX_QUOTED}})(?![\\d.eE+-])`,
  'g',
)

/** Parsing drops zeros at the end, the sign of zero and digits beyond the 16th; a message keeps them. */
export const createNumberReader = (text = ''): ShowReceived => {
  let numbers: ReadonlyMap<string, string> | undefined
  return (field, value) => {
    if (typeof value !== 'number' || !Number.isFinite(value)) return value
    numbers ??= new Map(
      Array.from(text.matchAll(NUMBER), ([, name = '', digits = '']) => [
        toKey(name, Number(digits)),
        digits,
      ]),
    )
    const name = field.split('.').at(-1) ?? ''
    const written = numbers.get(toKey(/^\d+$/.test(name) ? '' : name, value))
    return written === undefined ? value : inWords(written)
  }
}

const toKey = (name: string, value: number): string =>
  `${name} ${Object.is(value, -0) ? '-0' : value}`

/** A command gets a number as plain digits; its refusal shows the number of the body. */
export const withWrittenNumber = (error: unknown, text: string | undefined): unknown => {
  if (!(error instanceof AppError) || error instanceof ApiError) return error
  const { code, problems, field, received } = error
  if (field === undefined || typeof received !== 'string') return error
  const value = Number(received)
  const shown = createNumberReader(text)(field, value)
  if (Object.is(shown, value)) return error
  return new AppError(code, { ...problems[0], received: shown })
}
