import {
  type AssumptionId,
  isAssumption,
  type ReadingOf,
  readingNames,
} from '../assumptions/ids.js'
import { Readings } from '../assumptions/use.js'
import { invalidInput, notFound } from '../kernel/refusal.js'
import type { Tables, Tx } from './schema.js'

/** For display: nobody sees that it was used. */
export const readIn = <Id extends AssumptionId>({ readings }: Tables, id: Id): ReadingOf<Id> =>
  new Readings(readings).of(id)

export interface ReadingChoice {
  readonly id: string
  readonly reading: string
}

/** Applies to later commands and requests. */
export const chooseReading = (tx: Tx, { id, reading }: ReadingChoice): ReadingChoice => {
  if (!isAssumption(id)) throw notFound('id', `no assumption has the id ${id}`)
  const names = readingNames(id)
  if (!names.includes(reading)) {
    throw invalidInput('reading', reading, names.join(', '))
  }
  const { readings } = tx.tables
  const known = readings.get(id)
  if (known) tx.replace('readings', known, { ...known, reading })
  else tx.add('readings', { id, n: readings.next, reading })
  tx.emit({ type: 'reading.chosen', id, reading })
  return { id, reading }
}
