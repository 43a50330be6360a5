import { describe, expect, test } from 'vitest'
import { pagingCases } from '../support/cases/paging-cases.js'
import { expectRefusal } from '../support/client.js'
import type { SandboxTransfer } from '../support/control.js'
import { NOBODY, transferId, users } from '../support/fixture-ids.js'
import { invalid } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { List } from '../support/wire.js'

const path = '/_sandbox/transfers'
const over = 'fetch'

describe('listTransfers', () => {
  pagingCases({ over, path, defaultSize: 50, largestSize: 1_000 })

  const idsOf = async (query: string) => {
    const api = await openSandbox()
    const { items, pagination } = await api.read<List<SandboxTransfer>>(`${path}${query}`)
    expect(pagination.total_elements).toBe(items.length)
    return items.map(({ id }) => id)
  }

  test.each([
    ['', [9, 8, 7, 6, 11, 12, 5, 4, 3, 10, 2, 1]],
    [`?user_id=${users.ada}`, [9, 8, 7, 6, 5, 4, 3, 2, 1]],
    [`?user_id=${users.ada.toUpperCase()}&status=PAYMENT_PROCESSED`, [4, 2, 1]],
    [`?user_id=${users.ben}&status=PENDING`, []],
    [`?user_id=${users.hanna}`, []],
    [`?user_id=${NOBODY}`, []],
    ['?status=PENDING', [9]],
    ['?status=PAYMENT_PROCESSED', [4, 10, 2, 1]],
    ['?status=FAILED', [11, 3]],
    ['?status=CANCELLED', [12, 5]],
  ])('%s', async (query, numbers) => {
    const ids = await idsOf(query)
    expect(new Set(ids)).toEqual(new Set(numbers.map(transferId)))
    expect(ids).toHaveLength(numbers.length)
  })

  test('the newest first, also when two filters meet and over pages', async () => {
    const api = await openSandbox()
    for (const query of [
      '',
      `user_id=${users.ada}`,
      'status=FAILED',
      `user_id=${users.ada}&status=PAYMENT_PROCESSED`,
    ]) {
      const all = await api.read<List<SandboxTransfer>>(`${path}?${query}`)
      const times = all.items.map(({ created_at }) => created_at)
      expect(times, query).toEqual([...times].sort().reverse())
      const pages: SandboxTransfer[] = []
      for (let page = 0; page < all.items.length; page++) {
        const one = await api.read<List<SandboxTransfer>>(`${path}?${query}&size=1&page=${page}`)
        expect(one.pagination).toEqual({
          page,
          size: 1,
          total_pages: all.items.length,
          total_elements: all.items.length,
        })
        pages.push(...one.items)
      }
      expect(pages).toEqual(all.items)
    }
  })

  test.each([
    ['status=pending', invalid('status', 'pending', '"PENDING", "FUNDS_RECEIVED"')],
    ['status=', invalid('status', '')],
    ['user_id=x', invalid('user_id', 'x', 'a UUID')],
  ])('%s is refused', async (query, words) => {
    const api = await openSandbox()
    expectRefusal(await api.get(`${path}?${query}`), 400, '4000', words)
  })
})
