import { isDeepStrictEqual } from 'node:util'
import type { UploadedScenario } from '../../domain/schema.js'
import { parseUploaded } from '../../scenarios/language/parse-uploaded.js'
import { DataError } from '../errors.js'
import type { StoredRows, StoredState } from './state.js'

/** Refuses scenarios that are not what their text says: what cannot be played must not come to be. */
export const checkPosted = async (state: StoredState, name: string): Promise<void> => {
  for (const [path, rows] of listLayers(state)) {
    const posted = (rows.posted ?? []) as readonly UploadedScenario[]
    for (const [i, { text, scenario }] of posted.entries()) {
      const wrong = await whatIsWrong(text, scenario)
      if (wrong) {
        throw new DataError(`${name}: ${path}.tables.posted[${i}].${wrong}; nothing was changed`)
      }
    }
  }
}

function* listLayers({
  worlds,
}: StoredState): Generator<readonly [path: string, rows: StoredRows]> {
  for (const [id, { tables, snapshots = [] }] of Object.entries(worlds)) {
    yield [`worlds.${id}`, tables]
    for (const [i, kept] of snapshots.entries()) {
      yield [`worlds.${id}.snapshots[${i}]`, kept.tables]
    }
  }
}

const whatIsWrong = async (text: string, scenario: object): Promise<string | undefined> => {
  const posted = await parseUploaded(text)
  if ('complaints' in posted) return `text: ${posted.complaints}`
  // As it comes out of a file: without what is undefined.
  const due: unknown = JSON.parse(JSON.stringify(posted.scenario))
  return isDeepStrictEqual(scenario, due) ? undefined : 'scenario: it is not what its text says'
}
