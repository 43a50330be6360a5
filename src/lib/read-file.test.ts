import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { FileError, readBytes, readText } from './read-file.js'

const fileOf = (content: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'sandramp-')), 'file')
  onTestFinished(() => rmSync(dirname(path), { recursive: true }))
  writeFileSync(path, content)
  return path
}

test.each(['', 'a', 'é'.repeat(100_000)])('reads a whole file', (content) => {
  const path = fileOf(content)
  expect(readText(path, 'a text')).toBe(content)
  expect(readBytes(path, 'a text').toString()).toBe(content)
})

test('reads no file to its end that is longer than anybody writes', () => {
  const path = fileOf('')
  truncateSync(path, 64 * 1024 * 1024 + 1)
  for (const read of [readText, readBytes]) {
    const why = 'it is longer than 67108864 bytes'
    expect(() => read(path, 'a text')).toThrow(FileError)
    expect(() => read(path, 'a text')).toThrow(`${path} cannot be read: ${why}. Expected a text`)
  }
})
