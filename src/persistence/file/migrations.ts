import { DataError } from '../errors.js'
import { FORMAT, type StoredState } from './state.js'

type Json = Readonly<Record<string, unknown>>

/** What makes the next format of each older one, from format 0 on. */
const MIGRATIONS: readonly ((state: Json) => Json)[] = [
  // Format 0 knew neither the number of its lines nor what worlds had removed; a world was its layer alone.
  (state) => ({ line: 0, ...state }),
]

/** Brings a state to the format of this version. Refuses what is none, and what is of a newer one. */
export const migrate = (value: unknown, name: string): StoredState => {
  const format = readFormat(value, name)
  let state = value as Json
  for (const step of MIGRATIONS.slice(format)) state = step(state)
  return { ...state, format: FORMAT } as unknown as StoredState
}

const readFormat = (value: unknown, name: string): number => {
  const format = Object(value).format as unknown
  if (typeof format !== 'number' || !Number.isInteger(format) || format < 0) {
    throw new DataError(
      `${name}: not a data file of Sandramp: it has no format number; nothing was changed`,
    )
  }
  if (format > FORMAT) {
    throw new DataError(
      `${name}: format ${format} is newer than this version of Sandramp reads, which is ${FORMAT}; ` +
        'nothing was changed',
    )
  }
  return format
}
