import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { isBuilt, stampOf } from '../../scripts/build-stamp.js'

/** Seconds since 1970. */
const BUILT_AT = 1_000_000
const FILES = ['src/cli.ts', 'src/domain/world.ts', 'fixtures/users.json', 'package.json']

let root: string
const setTime = (path: string, at: number) => utimesSync(join(root, path), at, at)

const write = (path: string, text: string) => {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  writeFileSync(join(root, path), text)
}

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'sandramp-built-'))
  for (const path of FILES) write(path, '')
  write('dist/.built', process.version)
  for (const path of [...FILES, 'src', 'src/domain', 'fixtures']) setTime(path, BUILT_AT - 1)
  setTime('dist/.built', BUILT_AT)
})
afterEach(() => rmSync(root, { recursive: true }))

test('isBuilt returns true if no source is newer', () => expect(isBuilt(root)).toBe(true))

test.each(FILES)('isBuilt returns false after a change of %s', (path) => {
  setTime(path, BUILT_AT + 1)
  expect(isBuilt(root)).toBe(false)
})

test('isBuilt returns false after a file was added', () => {
  write('src/domain/wallets.ts', '')
  expect(isBuilt(root)).toBe(false)
})

test('isBuilt returns false after a file was removed', () => {
  rmSync(join(root, 'src/domain/world.ts'))
  expect(isBuilt(root)).toBe(false)
})

test('isBuilt returns false after packages were installed', () => {
  write('node_modules/.package-lock.json', '{}')
  expect(isBuilt(root)).toBe(false)
})

test('isBuilt returns false for the build of another Node version', () => {
  writeFileSync(stampOf(root), 'v18.0.0')
  setTime('dist/.built', BUILT_AT)
  expect(isBuilt(root)).toBe(false)
})

test('isBuilt returns false without a complete build', () => {
  rmSync(stampOf(root))
  expect(isBuilt(root)).toBe(false)
})
