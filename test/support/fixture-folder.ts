import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { fixturesFolder } from '../../src/lib/paths.js'
import type { FixtureFile } from '../../src/runtime/seed-data/fixture-schema.js'
import { FixtureError, readFixtures } from '../../src/runtime/seed-data/read-fixtures.js'
import { invalid } from './invalid.js'

/** Fields of a record by their dotted paths; what is undefined is taken away. */
export type Edits = Readonly<Record<string, unknown>>

/** A copy of the shipped fixtures, which goes when the test is over. */
export const copyFixtures = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-fixtures-'))
  cpSync(fixturesFolder, folder, { recursive: true })
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Edits a record of a file, or adds one like the first of it. */
export const editRecord = (
  folder: string,
  file: FixtureFile,
  place: number | 'new',
  edits: Edits,
): void => {
  const path = join(folder, file)
  const records = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>[]
  if (place === 'new') records.push(structuredClone(records[0] ?? {}))
  const record = records.at(place === 'new' ? -1 : place) ?? {}
  for (const [field, value] of Object.entries(edits)) {
    const names = field.split('.')
    const last = names.pop() ?? ''
    let target = record
    for (const name of names) target = target[name] as Record<string, unknown>
    target[last] = value
  }
  writeFileSync(path, JSON.stringify(records))
}

/** Why a folder is refused, without the folder in front. */
export const refusalOf = (folder: string): string => {
  try {
    readFixtures(folder)
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error
    return error.message.replace(join(folder, '/'), '')
  }
  return 'nothing was refused'
}

/** An edit of a record, and what is said of it behind the name of the file. */
export type RefusedEdit = readonly [FixtureFile, number | 'new', Edits, string]

/** A test for each edit with which fixtures are refused. */
export const refusedEdits = (edits: readonly RefusedEdit[]): void =>
  test.each(edits)('%s %s %j', (file, place, changes, message) => {
    const folder = copyFixtures()
    editRecord(folder, file, place, changes)
    expect(refusalOf(folder)).toBe(`${file}: ${message}.`)
  })

/** A value of a field that is refused, and what is expected in its place. */
export type RefusedValue = readonly [FixtureFile, number, string, unknown, string]

export const refusedValues = (values: readonly RefusedValue[]): void =>
  refusedEdits(
    values.map(([file, place, field, value, form]): RefusedEdit => {
      return [file, place, { [field]: value }, invalid(`${place}.${field}`, value, form)]
    }),
  )
