import { lstatSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { createSandbox } from '../../src/index.js'
import { dataFile } from '../support/data-folder.js'

test.skipIf(process.platform === 'win32')(
  'a link under the name of a new file is neither followed nor kept',
  async () => {
    const data = dataFile()
    const other = join(dirname(data), 'other')
    writeFileSync(other, 'of somebody else')
    symlinkSync(other, `${data}.new`)
    const sandbox = await createSandbox({ data, clock: 'manual' })
    writeFileSync(`${data}.new`, '', { mode: 0o666 })
    await sandbox.fetch('/_sandbox/clock/advance', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"by":"1s"}',
    })
    await sandbox.close()
    expect(readFileSync(other, 'utf8')).toBe('of somebody else')
    expect(lstatSync(data).isFile()).toBe(true)
    expect(lstatSync(data).mode & 0o777).toBe(0o600)
  },
)
