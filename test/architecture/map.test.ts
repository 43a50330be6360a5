import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const root = new URL('../../', import.meta.url)
const page = readFileSync(new URL('docs/architecture.md', root), 'utf8')

test('docs/architecture.md has one row for each folder of src/', () => {
  const named = [...page.matchAll(/^\| `([\w-]+)\/` \|/gm)].map(([, name]) => name)
  const folders = readdirSync(new URL('src', root), { withFileTypes: true })
    .filter((it) => it.isDirectory())
    .map(({ name }) => name)
  const explained = [...named, 'generate']
  expect(explained.sort()).toEqual(folders.sort())
})

test('docs/architecture.md names only files that exist', () => {
  const paths = [...page.matchAll(/`([a-z][\w-]*\/[\w/-]*(?:\.\w+)+)`/g)].map(
    ([, path = '']) => path,
  )
  const exists = (path: string) => ['src/', ''].some((at) => existsSync(new URL(at + path, root)))
  expect(paths.length).toBeGreaterThan(10)
  expect(paths.filter((path) => !exists(path))).toEqual([])
})

test('decisions name only files that exist', () => {
  const folder = new URL('docs/decisions/', root)
  const named = readdirSync(folder).flatMap((file) => {
    const text = readFileSync(new URL(file, folder), 'utf8')
    return (text.match(/\b(?:src|test|scripts|bench)\/[\w/.-]+\.[jt]sx?\b/g) ?? []).map(
      (path) => [file, path] as const,
    )
  })
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(([, path]) => !existsSync(new URL(path, root)))).toEqual([])
})
