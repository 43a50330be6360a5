import { describe, expect, test } from 'vitest'
import { ConsoleVisit, openConsole } from '../support/console-visit.js'
import { keys, ownId, users } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'

const PAYOUT = '/payment/api/v1/payout'
const rowsOf = (html: string): string[] =>
  [...html.matchAll(/class="open-row" href="([^"?]+)/g)].map(([, path = '']) => path)

/** The values of a form, as a browser would send them. */
const valuesIn = (html: string, operation: string): Record<string, string> => {
  const [form = ''] = new RegExp(`action="/console/do/${operation}.*?</form>`, 's').exec(html) ?? []
  const fields = [
    ...form.matchAll(/<input[^>]* name="([^"]+)"[^>]*? value="([^"]*)"/g),
    ...form.matchAll(/<select[^>]* name="([^"]+)".*?<option value="([^"]*)" selected/g),
  ]
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]))
}

describe('payments', () => {
  test('are payouts and transfers in one list, last change first, with chips for both', async () => {
    const { api, sandbox, visitor } = await openConsole()
    const { id } = await api.make<{ id: string }>(PAYOUT, payoutRequest())
    const { payouts, transfers } = sandbox.tables
    const { html, text } = await visitor.look('/payments')
    const changed = [...payouts.all(), ...transfers.all()]
      .sort((a, b) => b.updated_at.localeCompare(a.updated_at))
      .map((it) => `/${payouts.get(it.id) ? 'payouts' : 'transfers'}/${it.id}`)
    expect([rowsOf(html), changed[0]]).toEqual([changed, `/payouts/${id}`])
    expect(text).toContain(`Payouts ${payouts.size} Transfers ${transfers.size}`)
    for (const [query, count] of [
      ['kind=transfers', transfers.size],
      ['kind=transfers&status=failed', transfers.count('status', 'FAILED')],
      ['status=PAYOUT_FAILED', payouts.count('status', 'PAYOUT_FAILED')],
      [`user_id=${users.ada}&kind=payouts`, payouts.count('user', users.ada)],
      [`text=${id}`, 1],
    ])
      expect([query, rowsOf((await visitor.look(`/payments?${query}`)).html).length]).toEqual([
        query,
        count,
      ])
  })

  test('that wait are counted as their rows are', async () => {
    const { api, visitor } = await openConsole({ scenarios: ['magic-values'] })
    for (const [n, end] of ['3', '4'].entries()) {
      const recipient_details = {
        ...payoutRequest().recipient_details,
        recipient_account_number: `000000000${end}`,
      }
      await api.make(PAYOUT, {
        ...payoutRequest(),
        customer_payout_id: ownId(n),
        recipient_details,
      })
    }
    for (const kind of ['', 'payouts', 'transfers'].map((it) => (it ? `kind=${it}&` : ''))) {
      const { html, text } = await visitor.look(`/payments?${kind}status=waiting`)
      expect(text).toContain(`${rowsOf(html).length} are waiting for you.`)
      expect(text.split('waits for you').length - 1).toBe(rowsOf(html).length)
    }
  })

  test.each([
    ['/payouts?status=PAYOUT_FAILED', '/payments?kind=payouts&status=PAYOUT_FAILED'],
    ['/transfers', '/payments?kind=transfers'],
    ['/crypto-in?status=wallets', '/users?show=wallets&status=wallets'],
    ['/deposits', '/users?show=deposits'],
    ['/api-keys?do=createApiKey', '/connect?do=createApiKey'],
  ])('%s leads to %s', async (old, path) => {
    const { sandbox } = await openConsole()
    const response = await sandbox.fetch(old, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([301, path])
  })
})

describe('a new payout', () => {
  test('is sent as a client sends it, with the values that its form proposes', async () => {
    const { sandbox, visitor } = await openConsole()
    const values = valuesIn((await visitor.look('/payments')).html, 'newPayout')
    expect(values).toMatchObject({ user_id: users.ada, key: keys.full })
    const { path, text } = await visitor.submit('/console/do/newPayout', values, {
      back: '/payments',
    })
    const [request] = sandbox.requests()
    expect([path, request?.status]).toEqual([`/?request=${request?.id}`, 200])
    expect(text).toContain('It made the payout')
    const refused = await visitor.submit('/console/do/newPayout', { ...values, amount: '12,5' })
    expect(refused.text).toContain('It paid nothing: Invalid amount')
    expect(sandbox.requests().map(({ status }) => status)).toEqual([200, 400])
  })

  test('asks for the key of a world by key', async () => {
    const api = await openOwnSandbox()
    const { id, key } = await api.make<{ id: string; key: string }>('/_sandbox/worlds', {})
    const visitor = new ConsoleVisit(api.sandbox)
    const { html } = await visitor.look(`/payments?world=${id}`)
    expect(html).toContain('id="newPayout-key"')
    const sent = { ...valuesIn(html, 'newPayout'), key }
    const action = `/console/do/newPayout?world=${id}`
    const back = `/payments?world=${id}`
    const wrong = await visitor.submit(action, { ...sent, key: 'ключ' }, { back })
    expect(wrong.html).toMatch(/class="error" id="newPayout-key-note">Invalid key/)
    const { text } = await visitor.submit(action, sent)
    expect(text).toContain('It made the payout')
  })
})
