import { describe, expect, test } from 'vitest'
import { openConsole } from '../support/console-visit.js'
import { accounts, addresses, keys, ownId, users } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'

const back = '/control'
const NOW = '2026-06-15T09:00:00.000Z'

const open = async () => {
  const opened = await openConsole()
  const { visitor, sandbox } = opened
  const act = (operation: string, fields: Record<string, string> = {}) =>
    visitor.submit(`/console/do/${operation}`, fields, { back })
  const see = async () => (await visitor.look(back)).text
  const deposit = () => sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '100' })
  return { ...opened, act, see, deposit }
}

describe('the next call', () => {
  test('is set by its form, read as a sentence, and disarmed', async () => {
    const { act, see, sandbox } = await open()
    await act('armNextCall', { operation: 'createPayout', times: '1', then: '{"drop":"after"}' })
    expect(await see()).toContain('The next createPayout pays, and loses its response, once.')
    const [call] = sandbox.tables.next_calls.all()
    await act('disarmNextCalls', { id: call?.id ?? '' })
    expect(await see()).not.toContain('Waits:')
  })

  test('offers what the chosen operation can do, and shows the file that it writes', async () => {
    const { visitor } = await open()
    const { text } = await visitor.look('/control?operation=createUser&then={"stop":true}&times=3')
    expect(text).toContain('stays under review')
    expect(text).toContain('when: user.created limit: 3 then: - stop: true')
    expect(text).not.toContain('is returned after 3 days')
  })

  test('takes a step of your own in place of a choice, and keeps a wrong one', async () => {
    const { api, visitor, see } = await open()
    const send = (step: string) =>
      visitor.sandbox.fetch('/console/do/armNextCall', {
        method: 'POST',
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          referer: `http://localhost${back}`,
        },
        body: `operation=createPayout&times=1&then=%7B%22drop%22%3A%22after%22%7D&then=${encodeURIComponent(step)}`,
      })
    const wrong = await send('{"respond":{"status":7}}')
    expect(wrong.status).toBe(400)
    const html = await wrong.text()
    expect(html).toContain('{&quot;respond&quot;:{&quot;status&quot;:7}}')
    expect(html).toMatch(/name="then" aria-invalid="true" aria-describedby="next-error"/)
    expect(html).toMatch(/class="error" id="next-error">Invalid then\.respond\.status: /)
    expect((await send('{"respond":{"status":418}}')).status).toBe(303)
    expect(await see()).toContain('gets {"respond":{"status":418}}, once')
    const paid = await api.carry('/payment/api/v1/payout', {
      method: 'POST',
      headers: { 'x-api-key': keys.full, 'content-type': 'application/json' },
      body: JSON.stringify(payoutRequest()),
    })
    expect(paid.status).toBe(418)
  })
})

describe('scenarios', () => {
  test('are turned on first in precedence, and off', async () => {
    const { act, see, sandbox } = await open()
    const active = () => sandbox.tables.playlist.get('active')?.names
    const offered = (html: string) =>
      /name="names" value="(bank-rejects[^"]*)"/.exec(html)?.[1] ?? ''
    const { html } = await (await open()).visitor.look(back)
    const shown = await act('activateScenarios', { names: offered(html) })
    expect(shown.text).toContain('You turned on bank-rejects.')
    expect(active()?.[0]).toBe('bank-rejects')
    const text = await see()
    const on = text.slice(text.indexOf('On, first match wins'), text.indexOf('Lost and garbled'))
    expect(on).toContain('bank-rejects')
    await act('activateScenarios', { names: 'magic-values\nhappy-path' })
    expect(active()).not.toContain('bank-rejects')
  })

  test('are found by their situation', async () => {
    const { visitor } = await open()
    const { text } = await visitor.look('/control?text=rejects')
    expect(text).toContain('The receiving bank rejects the payment')
    expect(text).not.toContain('Slow responses')
  })

  test('show the file with the line of a rule lit', async () => {
    const { visitor } = await open()
    const path = '/scenarios/bank-rejects'
    expect((await visitor.look(path)).text).toContain('It is off. For a minute everything is fine')
    expect((await visitor.look(path)).text).toContain('move: FAILED, reason: account_closed')
    expect((await visitor.look(`${path}?line=1`)).html).toContain('<mark id="line-1">')
    expect((await visitor.get('/scenarios/nobody')).status).toBe(404)
  })

  test('are posted', async () => {
    const { visitor, act } = await open()
    const wrong = await act('postScenario', { text: 'name: A B', activate: 'true' })
    expect(wrong.html).toMatch(/<small class="error"[^>]*postScenario-text-note">body:1:7: Invalid/)
    const text = TEXT
    await act('postScenario', { text, activate: 'true' })
    expect((await visitor.look('/scenarios/mine')).text).toContain('It is on, first of all.')
  })
})

describe('the time line', () => {
  test('fires and cancels planned steps', async () => {
    const { act, see, deposit, sandbox } = await open()
    const { transfer_id } = deposit()
    const status = () => sandbox.tables.transfers.get(transfer_id ?? '')?.status
    const timer = () => ({ id: sandbox.tables.timers.all()[0]?.id ?? '' })
    expect(await see()).toContain('100.00 USDC → 84.00 EUR : Funds received')
    await act('fireTimer', timer())
    expect([status(), sandbox.now]).toEqual(['FUNDS_RECEIVED', NOW])
    await act('cancelTimer', timer())
    expect(sandbox.tables.timers.size).toBe(0)
    expect(await see()).toContain('nothing is planned')
  })

  test('goes to a planned step, and back to an entry', async () => {
    const { act, see, deposit, sandbox, visitor } = await open()
    deposit()
    await act('setClock', { mode: 'manual' })
    const { html } = await visitor.look(back)
    const [, to = ''] = /name="to" value="(\d+)"/.exec(html) ?? []
    await act('advanceClock', { by: '1h' })
    expect(await see()).toContain('You moved the clock')
    await act('undo', { to })
    expect(sandbox.now).toBe(NOW)
    expect(await see()).not.toContain('You moved the clock')
  })

  test('names what a planned step does that moves no record, as why does', async () => {
    const { api, visitor } = await openConsole({ scenarios: ['key-expires-midway'] })
    const { id } = await api.make<{ id: string }>('/payment/api/v1/payout', payoutRequest())
    expect((await visitor.look(back)).text).toContain(
      'Marina Test Bank : will alter a key Planned by',
    )
    const { next } = await api.read<{ next: object[] }>(`/_sandbox/records/${id}/why`)
    const sentence = expect.stringMatching(/^Scenario key-expires-midway will alter a key /)
    expect(next).toMatchObject([{ sentence }])
  })

  test('offers the way back to before each change since the last restore', async () => {
    const { act, see } = await open()
    const offers = async () => (await see()).split('Back to before this').length - 1
    await act('creditUser', { id: users.ada, currency: 'EUR', amount: '5' })
    const before = await offers()
    await act('takeSnapshot', { name: 'ready' })
    await act('creditUser', { id: users.ada, currency: 'EUR', amount: '6' })
    expect(await offers()).toBeGreaterThan(before)
    await act('restoreSnapshot', { name: 'ready' })
    expect(await offers()).toBe(0)
  })

  test('lists what the way back to before a request takes back, at its step and its page', async () => {
    const { api, visitor, sandbox, act } = await open()
    for (const n of [1, 2, 3])
      await api.make('/payment/api/v1/payout', { ...payoutRequest(), customer_payout_id: ownId(n) })
    const { size } = sandbox.tables.payouts
    const second = sandbox.requests().at(1)
    const entry = sandbox
      .entries()
      .find(({ cause }) => 'request' in cause && cause.request === second?.id)
    const to = String((entry?.seq ?? 0) - 1)
    const own = new RegExp(`name="to" value="${to}"`)
    expect((await visitor.look(back)).html).toMatch(own)
    const request = await visitor.look(`/?request=${second?.id}`)
    expect(request.html).toMatch(own)
    const asked = await visitor.look(`/control?do=undo&to=${to}`)
    expect(asked.text).toMatch(
      /This takes back 2 requests of your client and 2 records .*Payout 1,500\.00 NGN to .*: made/,
    )
    expect(await api.read(`/_sandbox/undo?to=${to}`)).toMatchObject({
      requests: 2,
      acts: 0,
      records: [{ did: 'made' }, {}],
    })
    await act('undo', { to })
    expect(sandbox.tables.payouts.size).toBe(size - 2)
  })

  test('takes, restores, opens and deletes snapshots', async () => {
    const { act, see, sandbox } = await open()
    await act('takeSnapshot', { name: 'ready' })
    await act('creditUser', { id: users.ada, currency: 'EUR', amount: '5' })
    expect(await see()).toContain('Snapshot ready 1 entry ago')
    const opened = await act('forkSnapshot', { name: 'ready' })
    expect(opened.text).toContain('It is shown once')
    await act('restoreSnapshot', { name: 'ready' })
    expect(await see()).not.toContain('You credited')
    await act('deleteSnapshot', { name: 'ready' })
    expect(await see()).not.toContain('Snapshot ready')
    expect(sandbox.now).toBe(NOW)
  })

  test('shows the requests of a client in a row as one step', async () => {
    const { see, api } = await open()
    for (const amount of ['1.00', '2.00']) {
      await api.post('/payment/api/v1/payout', {
        ...payoutRequest(),
        customer_payout_id: accounts.adaEur.replace(/^./, amount[0] ?? ''),
        amount: `${amount}`,
      })
    }
    expect(await see()).toContain('2 changes by your client')
  })
})

test.each(['/scenarios', '/snapshots', '/undo', '/reset'])(
  '%s leads to Faults and time',
  async (old) => {
    const { visitor } = await open()
    const response = await visitor.sandbox.fetch(old, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([301, '/control'])
  },
)

const TEXT = `name: mine
title: Mine
rules:
  - { when: transfer.created, then: [{ move: FAILED }] }
`
