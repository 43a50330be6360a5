import { describe, expect, test } from 'vitest'
import { ConsoleVisit, openConsole } from '../support/console-visit.js'
import { addresses, ownId, users } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'

const rowsOf = (html: string): number => html.split('class="open-row"').length - 1

describe('the lists', () => {
  test('show the last change first, and filter by status, text and user', async () => {
    const { visitor, sandbox, api } = await openConsole()
    const { body } = await api.post<{ id: string }>('/payment/api/v1/payout', payoutRequest())
    const { html } = await visitor.look('/payments?kind=payouts')
    expect(rowsOf(html)).toBe(4)
    expect(/class="open-row" href="([^"]+)"/.exec(html)?.[1]).toBe(`/payouts/${body.id}`)
    const failed = sandbox.tables.transfers.count('status', 'FAILED')
    expect(rowsOf((await visitor.look('/payments?kind=transfers&status=FAILED')).html)).toBe(failed)
    expect(
      rowsOf((await visitor.look('/payments?kind=transfers&status=PENDING')).html),
    ).toBeGreaterThan(0)
    expect(rowsOf((await visitor.look(`/payments?kind=payouts&text=${body.id}`)).html)).toBe(1)
    expect(
      rowsOf((await visitor.look('/payments?kind=payouts&text=1%2C500')).html),
    ).toBeGreaterThan(0)
    expect(rowsOf((await visitor.look('/payments?kind=payouts&text=MARINA')).html)).toBeGreaterThan(
      0,
    )
    expect((await visitor.look('/payments?kind=payouts&text=(.*')).text).toContain(
      'No payment matches.',
    )
    const own = sandbox.tables.payouts.count('user', users.ada)
    expect(rowsOf((await visitor.look(`/payments?kind=payouts&user_id=${users.ada}`)).html)).toBe(
      own,
    )
  })

  test('name each status once that they accept', async () => {
    const { visitor } = await openConsole()
    for (const list of ['/users', '/payments']) {
      const { status, text } = await visitor.get(`${list}?status=zzz`)
      const names = /Expected ([\w, ]+)\./.exec(text)?.[1]?.split(', ') ?? []
      expect([status, names.length > 1]).toEqual([400, true])
      expect(names).toEqual([...new Set(names)])
    }
  })

  test('show the last change first on each of several pages', async () => {
    const { visitor, sandbox, api } = await openConsole()
    for (let n = 1; n <= 120; n++)
      await api.make('/payment/api/v1/payout', { ...payoutRequest(), customer_payout_id: ownId(n) })
    const { payouts } = sandbox.tables
    for (const place of [90, 10, 40]) {
      sandbox.advance('1m')
      const { id = '' } = payouts.list('all', '').at(place) ?? {}
      await api.make(`/_sandbox/payouts/${id}/advance`, { to: 'PAYOUT_FAILED', reason: 'returned' })
    }
    const ids: string[] = []
    for (const page of [0, 1, 2]) {
      const { html } = await visitor.look(`/payments?kind=payouts&page=${page}`)
      for (const [, id = ''] of html.matchAll(/open-row" href="\/payouts\/([^"]+)"/g)) ids.push(id)
    }
    const lastChangeFirst = payouts
      .list('all', '')
      .sort((a, b) => b.updated_at.localeCompare(a.updated_at) || b.n - a.n)
    expect(ids).toEqual(lastChangeFirst.map(({ id }) => id))
  })

  test('return to their page after a second attempt without a script', async () => {
    const { api, visitor } = await openConsole()
    const { id } = await api.make<{ id: string }>('/_sandbox/worlds', {})
    const page = `/users/${users.ada}?world=${id}`
    const credit = { id: users.ada, currency: 'EUR', amount: 'x' }
    let form = { action: `/console/do/creditUser?world=${id}`, back: page }
    for (const amount of ['x', 'y', '4']) {
      const { action, back } = form
      const { html, path, status } = await visitor.submit(action, { ...credit, amount }, { back })
      if (status === 200) expect(path).toBe(page)
      else expect(html).toContain(`value="${amount}"`)
      const [, next = ''] = /action="(\/console\/do\/creditUser[^"]*)"/.exec(html) ?? []
      form = { action: next.replaceAll('&amp;', '&'), back: action }
    }
  })

  test('start a transfer', async () => {
    const { visitor, sandbox } = await openConsole()
    expect((await visitor.look(`/users/${users.ada}`)).text).toContain('Start a transfer…')
    const [account] = sandbox.tables.accounts.list('user', users.ada)
    const fields = { source_amount: '10', source_currency: 'USD', user_id: users.ada }
    const shown = await visitor.submit('/console/do/startTransfer', {
      ...fields,
      account_id: account?.id ?? '',
    })
    expect(shown.text).toContain('You started this transfer.')
  })

  test('suggest users and deposit addresses by name', async () => {
    const { visitor } = await openConsole()
    const { html } = await visitor.look('/payments')
    expect(html).toContain(`<option value="${users.ada}" selected>Ada Okafor</option>`)
    expect(html).toContain(`<option value="${addresses.adaEur}">Ada Okafor: USDC on polygon<`)
  })

  test('show an error inside a list, and a missing choice, at their fields', async () => {
    const { visitor } = await openConsole()
    const id = users.underReview
    const move = { id, status: 'rejected', reasons: 'x'.repeat(256) }
    const { html } = await visitor.submit('/console/do/moveUser', move, { back: `/users/${id}` })
    const note = `id="moveUser-${id}-rejected-reasons-note"`
    expect(html).toContain(`<small class="error" ${note}>Invalid reasons.0: got`)
    expect(html).toContain('Expected text of 1 to 255 characters')
    const worlds = await visitor.submit('/console/do/deleteWorlds', {}, { back: '/worlds' })
    expect(worlds.html).toMatch(/deleteWorlds-name-note">Missing name\. Expected the name of the/)
  })

  test('close the form of a deposit that succeeded', async () => {
    const NOWHERE = `0x${'0'.repeat(40)}`
    const { visitor } = await openConsole()
    const back = '/payments?do=receiveDeposit&to=nowhere'
    const deposit = (amount: string) =>
      visitor.submit('/console/do/receiveDeposit', { address: NOWHERE, amount }, { back })
    expect((await deposit('-1')).html).toContain('<details class="form" open')
    const { path, html } = await deposit('1')
    expect([path, html.includes('<details class="form" open')]).toEqual([
      '/payments?to=nowhere',
      false,
    ])
  })

  test('change the status of a key, and keep its expiry', async () => {
    const { sandbox } = await openOwnSandbox()
    const visitor = new ConsoleVisit(sandbox)
    const key = sandbox.tables.api_keys.list('all', '').find(({ status }) => status === 'active')
    const { id = '' } = key ?? {}
    const fields = { id, status: 'suspended', expires_at: '' }
    await visitor.submit('/console/do/setApiKey', fields, { back: '/connect' })
    expect(sandbox.tables.api_keys.get(id)).toEqual({ ...key, status: 'suspended' })
  })
})
