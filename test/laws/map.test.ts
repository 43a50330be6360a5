import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { isTest } from './source.js'

const root = new URL('../../', import.meta.url)
const map = readFileSync(new URL('docs/code.md', root), 'utf8')

/** The rooms of src/ and the files beside them. */
const places = readdirSync(new URL('src', root), { withFileTypes: true })
  .filter(({ name }) => !isTest({ path: name, text: '' }))
  .map((it) => (it.isDirectory() ? `${it.name}/` : it.name))

it('the map of the code names each room and each file beside them once', () => {
  const named = [...map.matchAll(/^\| `([\w-]+(?:\/|\.ts))` \|/gm)].map(([, name]) => name)
  expect(named.sort()).toEqual(places.sort())
})

it('the map leads to what is there', () => {
  const paths = [...map.matchAll(/`([a-z][\w-]*\/[\w/.-]*)`/g)].map(([, path = '']) => path)
  const isThere = (path: string) => ['src/', ''].some((at) => existsSync(new URL(at + path, root)))
  expect(paths.filter((path) => !isThere(path))).toEqual([])
})

it('decisions name no file of the code that is gone', () => {
  const folder = new URL('docs/decisions/', root)
  const named = readdirSync(folder).flatMap((page) => {
    const text = readFileSync(new URL(page, folder), 'utf8')
    return (text.match(/\b(?:src|test|scripts|bench)\/[\w/.-]+\.[jt]sx?\b/g) ?? []).map((path) => [
      page,
      path,
    ])
  })
  expect(named.length).toBeGreaterThan(10)
  expect(named.filter(([, path = '']) => !existsSync(new URL(path, root)))).toEqual([])
})
