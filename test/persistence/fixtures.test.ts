import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { startCli } from '../cli/sandramp.js'
import { dataFile } from '../support/data-folder.js'
import { copyFixtures, editRecord } from '../support/fixture-folder.js'
import { createInner } from '../support/inner-sandbox.js'

/** A data file that was made of a folder of fixtures, with a user of its own. */
const madeFrom = async (fixtures: string): Promise<string> => {
  const data = dataFile()
  editRecord(fixtures, 'users.json', 0, { first_name: 'Adaeze' })
  const sandbox = await createInner({ data, fixtures, clock: 'manual' })
  await sandbox.close()
  return data
}

test('keeps the fixtures that a file was made of, when their folder is spoiled or gone', async () => {
  const fixtures = copyFixtures()
  const data = await madeFrom(fixtures)
  const nameOf = async () => {
    const sandbox = await createInner({ data, fixtures, clock: 'manual' })
    sandbox.reset()
    const name = sandbox.tables.users.first('all', '')?.first_name
    await sandbox.close()
    return name
  }
  writeFileSync(join(fixtures, 'users.json'), '[')
  expect(await nameOf()).toBe('Adaeze')
  rmSync(fixtures, { recursive: true })
  expect(await nameOf()).toBe('Adaeze')
})

test('starts on a file whose folder of fixtures is gone', async () => {
  const fixtures = copyFixtures()
  const data = await madeFrom(fixtures)
  rmSync(fixtures, { recursive: true })
  const flags = ['--port', '0', '--log', 'silent', '--data', data, '--fixtures', fixtures]
  const { child, ended, printed } = startCli(flags)
  await printed(/sandramp listening on/)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})

test('makes no file of fixtures that cannot be used, and lets go of its name', async () => {
  const data = dataFile()
  const fixtures = join(data, '..', 'missing')
  await expect(createInner({ data, fixtures })).rejects.toThrow('missing is not a folder')
  expect(existsSync(data)).toBe(false)
  const sandbox = await createInner({ data, clock: 'manual' })
  await sandbox.close()
})
