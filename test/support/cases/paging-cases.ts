import { describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../client.js'
import { didYouMean, invalid, shown, unknown } from '../invalid.js'
import { openSandbox, type Transport } from '../open-sandbox.js'
import type { Pagination } from '../wire.js'

export interface PagedPlace {
  readonly over: Transport
  /** A list that is not empty. */
  readonly path: string
  readonly defaultSize: number
  readonly largestSize: number
}

const PAGE_FORM = 'a whole number from 0 to 9007199254740991'

/** As it is written in the query, and how the message describes it. */
const NO_NUMBERS: readonly [string, string][] = [
  ['', '""'],
  ['abc', '"abc"'],
  ['1e3', '"1e3"'],
  ['0x10', '"0x10"'],
  ['%201', '" 1"'],
  ['+1', '" 1"'],
  ['%2B1', '"+1"'],
  ['1,2', '"1,2"'],
  ['1.5', '1.5'],
  ['-1', '-1'],
  ['-0.5', '-0.5'],
  ['9007199254740992', '"9007199254740992"'],
  ['-9007199254740992', '"-9007199254740992"'],
  ['999999999999999.999999999', '"999999999999999.999999999"'],
  ['99999999999999999999999', '"99999999999999999999999"'],
  ['%D9%A1', '"١"'],
  ['NaN', '"NaN"'],
  ['null', '"null"'],
  ['%', '"%"'],
  ['%ff', '"%ff"'],
]

/** Cases of every paged list. */
export const pagingCases = ({ over, path, defaultSize, largestSize }: PagedPlace): void => {
  const sizeForm = `a whole number from 1 to ${largestSize}`
  const read = async (api: Client, query: string) =>
    (await api.read<{ pagination: Pagination }>(`${path}${query}`)).pagination

  describe('pages', () => {
    const refused = async (name: 'page' | 'size', accepted: string) => {
      const api = await openSandbox({ over })
      for (const [value, came] of NO_NUMBERS) {
        const answer = await api.get(`${path}?${name}=${value}`)
        expectRefusal(answer, 400, '4000')
        expect(answer.body).toHaveProperty('message', `${invalid(name, shown(came), accepted)}.`)
      }
    }

    test('page must be a whole number', () => refused('page', PAGE_FORM))

    test('size must be a whole number', () => refused('size', sizeForm))

    test('size has limits', async () => {
      const api = await openSandbox({ over })
      for (const size of [0, largestSize + 1, 100_000_000, 1e15, Number.MAX_SAFE_INTEGER]) {
        const words = invalid('size', size, sizeForm)
        expectRefusal(await api.get(`${path}?size=${size}`), 400, '4000', words)
      }
      expect(await read(api, `?size=${largestSize}`)).toHaveProperty('size', largestSize)
    })

    test('the error lists both when both are invalid', async () => {
      const api = await openSandbox({ over })
      const answer = await api.get(`${path}?page=-1&size=0`)
      expectRefusal(answer, 400, '4000', invalid('page', -1), ' | Invalid size: got 0')
    })

    test.each(['page', 'size'])('%s that comes twice is refused', async (name) => {
      const api = await openSandbox({ over })
      const answer = await api.get(`${path}?${name}=1&${name}=1`)
      expectRefusal(answer, 400, '4000', `${name} was sent 2 times. Expected once`)
    })

    test('unknown parameters are ignored, except by the control API', async () => {
      const api = await openSandbox({ over })
      if (path.startsWith('/_sandbox')) {
        for (const name of [
          'sise',
          'zebra',
          '__proto__',
          'constructor',
          'Page',
          'x'.repeat(9_000),
        ]) {
          const answer = await api.get(`${path}?page=0&${name}=1`)
          expectRefusal(
            answer,
            400,
            '4000',
            `Unknown query parameter "${name.slice(0, 100)}`,
            'Allowed: page, size, ',
          )
          expect(JSON.stringify(answer.body).length).toBeLessThan(10_000)
        }
        const slip = await api.get(`${path}?sise=1`)
        expectRefusal(slip, 400, '4000', unknown('query parameter', 'sise'), didYouMean('size'))
        return
      }
      const query = '?zebra=1&zebra=2&__proto__=3&constructor=4&Page=7&='
      expect(await read(api, query)).toMatchObject({ page: 0, size: defaultSize })
    })

    test('the first page by default, and any page after the last is empty', async () => {
      const api = await openSandbox({ over })
      const first = await read(api, '')
      expect(first).toMatchObject({ page: 0, size: defaultSize })
      const { total_elements } = first
      expect(total_elements).toBeGreaterThan(0)
      for (const page of [1_000, 1e15, Number.MAX_SAFE_INTEGER]) {
        const body = await api.read<Record<string, unknown>>(`${path}?page=${page}&size=1`)
        expect(body.items ?? body.transactions).toEqual([])
        expect(body.pagination).toEqual({
          page,
          size: 1,
          total_pages: total_elements,
          total_elements,
        })
      }
    })
  })
}
