import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { nodeFileSystem } from '../../src/persistence/file/file-system.js'
import { dataFile } from '../support/data-folder.js'

test.skipIf(process.platform === 'win32')(
  'a link under the name of a new file is neither followed nor kept',
  async () => {
    const data = dataFile()
    const other = join(dirname(data), 'other')
    writeFileSync(other, 'of somebody else')
    symlinkSync(other, `${data}.new`)
    symlinkSync(other, `${data}.journal.new`)
    const sandbox = await createSandbox({ data, clock: 'manual' })
    writeFileSync(`${data}.new`, '', { mode: 0o666 })
    await sandbox.fetch('/_sandbox/clock/advance', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"by":"1s"}',
    })
    await sandbox.close()
    expect(readFileSync(other, 'utf8')).toBe('of somebody else')
    for (const file of [data, `${data}.journal`]) {
      expect(lstatSync(file).isFile()).toBe(true)
      expect(lstatSync(file).mode & 0o777).toBe(0o600)
    }
  },
)

test.skipIf(process.platform === 'win32')('a folder of worlds is for its owner only', async () => {
  const folder = `${dataFile()}.worlds`
  nodeFileSystem.makeFolder(folder)
  expect(lstatSync(folder).mode & 0o777).toBe(0o700)
})
