import { DataError, UNCHANGED } from '../errors.js'
import type { StoredState } from './stored-state.js'

/** The format of the files that this version writes. */
export const FORMAT = 2

type Json = Readonly<Record<string, unknown>>

/** Each step makes the next format, from format 0 on. */
const MIGRATIONS: readonly ((state: Json) => Json)[] = [
  (state) => ({ line: 0, ...state }),
  ({ line, ...state }) => ('base' in state ? { id: `line-${line}`, ...state } : state),
]

/** Brings a file to the format of this version. Refuses newer formats and other files. */
export const migrate = (value: unknown, name: string): StoredState => {
  const format = readFormat(value, name)
  let state = value as Json
  for (const step of MIGRATIONS.slice(format)) state = step(state)
  return { ...state, format: FORMAT } as unknown as StoredState
}

const readFormat = (value: unknown, name: string): number => {
  const format = Object(value).format as unknown
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 0) {
    throw new DataError({
      problem: `${name}: not a data file of Sandramp: it has no format number`,
      hint: UNCHANGED,
    })
  }
  if (format > FORMAT) {
    throw new DataError({
      problem: `${name}: format ${format} is newer than this version of Sandramp reads, which is ${FORMAT}`,
      hint: UNCHANGED,
    })
  }
  return format
}
