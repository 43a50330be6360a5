import { describe, expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { keys, NOBODY, transferId, users } from '../support/fixture-ids.js'
import { invalid } from '../support/invalid.js'
import { type LoggedExchange, logged } from '../support/logged.js'
import { openSandbox } from '../support/open-sandbox.js'
import { consentRequest, payoutRequest } from '../support/requests.js'
import type { List } from '../support/wire.js'

const path = '/_sandbox/requests'

interface Why {
  readonly entries: readonly { readonly cause: { readonly request?: string } }[]
}
const STATUS = '/payment/api/v1/fx-audit/status'

/** Six exchanges, numbered as they come. */
const talk = async (): Promise<Client> => {
  const api = await openSandbox()
  await api.get(`${STATUS}/${transferId(1)}`)
  await api.post('/onboarding/api/v1/tnc', consentRequest())
  await api.post('/payment/api/v1/payout', { ...payoutRequest(), user_id: NOBODY })
  await api.get(`/payment/api/v1/fx-audit/${users.ada}`)
  await api.get(`${STATUS}/${transferId(2)}`, { key: keys.expired })
  await api.get('/payment/elsewhere')
  return api
}

describe('listRequests', () => {
  test.each([
    ['', [6, 5, 4, 3, 2, 1]],
    ['?operation=getTransferStatus', [5, 1]],
    ['?operation=unknown', [6]],
    ['?operation=createUser', []],
    ['?status=200', [4, 2, 1]],
    ['?status=401', [5]],
    ['?status=2xx', [4, 2, 1]],
    ['?status=4xx', [6, 5, 3]],
    ['?status=5xx', []],
    [`?user_id=${users.ada}`, [4]],
    [`?user_id=${NOBODY.toUpperCase()}`, [3]],
    [`?user_id=${users.ben}`, []],
    ['?fault=false', [6, 5, 4, 3, 2, 1]],
    ['?fault=true', []],
    ['?aborted=false', [6, 5, 4, 3, 2, 1]],
    ['?aborted=true', []],
    ['?operation=getTransferStatus&status=4xx', [5]],
    ['?size=4', [6, 5, 4, 3]],
    ['?size=4&page=1', [2, 1]],
  ])('%s', async (query, numbers) => {
    const api = await talk()
    expect((await logged(api, query)).map(({ n }) => n)).toEqual(numbers)
  })

  test('finds the requests of a record by their entries, though the response was lost', async () => {
    const api = await talk()
    const headers = { 'x-sandbox-scenario': 'committed-then-cut' }
    const pay = () => api.post('/payment/api/v1/payout', payoutRequest(), { headers })
    await expect(pay()).rejects.toThrow('fetch failed')
    const repeat = await pay()
    const { id } = repeat.body as { id: string }
    const requests = await logged(api, `?record=${id}`)
    expect(requests.map(({ n, status }) => [n, status])).toEqual([
      [8, 200],
      [7, null],
    ])
    expect(JSON.stringify(requests[1])).not.toContain(id)
    const { entries } = await api.read<Why>(`/_sandbox/records/${id}/why`)
    expect(entries[0]?.cause.request).toBe(requests[1]?.id)
    expect(await logged(api, `?record=${transferId(2)}`)).toMatchObject([{ n: 5 }])
  })

  test('counts those that a filter lets through', async () => {
    const api = await talk()
    const { pagination } = await api.read<List<LoggedExchange>>(`${path}?status=4xx&size=2`)
    expect(pagination).toEqual({ page: 0, size: 2, total_pages: 2, total_elements: 3 })
  })

  test.each([
    ['operation=getClock', invalid('operation', 'getClock', '"createPayout", ')],
    ['operation=', invalid('operation', '')],
    ['status=1xx', invalid('status', '1xx', 'a status such as 404, or a class of them: 2xx')],
    ['status=4XX', invalid('status', '4XX')],
    ['status=600', invalid('status', '600')],
    ['user_id=x', invalid('user_id', 'x', 'a UUID')],
    ['fault=yes', invalid('fault', 'yes', '"true", "false"')],
    ['aborted=yes', invalid('aborted', 'yes', '"true", "false"')],
  ])('%s is refused', async (query, words) => {
    const api = await openSandbox()
    expectRefusal(await api.get(`${path}?${query}`), 400, '4000', words)
  })
})
