import { type Noun, nouns } from '../history/explain.js'
import { CommandRecord, forEachWrite } from '../kernel/command-record.js'
import type { Entry } from '../kernel/entry.js'
import type { Row } from '../kernel/row.js'

/** A record before and after some entries; undefined if it was not there, or if nothing kept it. */
export interface RecordChange {
  readonly noun: Noun
  readonly id: string
  readonly did: 'made' | 'changed' | 'removed'
  readonly before: Row | undefined
  readonly after: Row | undefined
}

type Visit = (table: string, id: string, before: Row | undefined, after: Row | undefined) => void

/** Entries that were read back do not have the records before them. */
export const forEachWrittenRow = (entry: Entry, visit: Visit): void => {
  if (entry instanceof CommandRecord) forEachWrite(entry.writes, visit)
  else
    for (const { table, id, record } of entry.changes)
      visit(table, id, undefined, record ?? undefined)
}

/** The changes of records by entries, in the order in which they first touched them. */
export const findChanges = (entries: readonly Entry[]): RecordChange[] => {
  const changes = new Map<string, RecordChange>()
  for (const entry of entries) {
    const made = new Set(entry.events.filter(({ type }) => CREATIONS.has(type)).map(({ id }) => id))
    forEachWrittenRow(entry, (table, id, before, after) => {
      if (!isNoun(table)) return
      const known = changes.get(id)
      const isNew = known ? known.did === 'made' : made.has(id)
      const did = !after ? 'removed' : isNew ? 'made' : 'changed'
      changes.set(id, { noun: table, id, did, before: known ? known.before : before, after })
    })
  }
  return [...changes.values()]
}

const CREATIONS: ReadonlySet<string> = new Set(Object.values(nouns))

const isNoun = (table: string): table is Noun => Object.hasOwn(nouns, table)
