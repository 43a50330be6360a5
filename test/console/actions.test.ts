import { describe, expect, test } from 'vitest'
import { ConsoleVisit, openConsole } from '../support/console-visit.js'
import {
  accounts,
  addresses,
  NOBODY,
  payoutId,
  transferId,
  users,
  walletId,
} from '../support/fixture-ids.js'
import { expected, invalid, missing } from '../support/invalid.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'

/** Command and cause of the newest entries. */
const newest = (sandbox: Awaited<ReturnType<typeof openConsole>>['sandbox'], command: string) =>
  sandbox.entries().findLast((entry) => entry.command === command)

describe('the clock', () => {
  test.each([
    [{ by: '1m' }, '2026-06-15T09:01:00.000Z', 'Advanced to 09:01:00: 4 entries.'],
    [{ next: '1' }, '2026-06-15T09:00:02.000Z', 'Advanced to 09:00:02: 1 entry.'],
    [{ until: 'idle' }, '2026-06-15T09:00:08.000Z', ': 4 entries.'],
    [{ to: '2026-06-15T09:00:04.000Z' }, '2026-06-15T09:00:04.000Z', ': 2 entries.'],
    [{ by: '1ms' }, '2026-06-15T09:00:00.001Z', ': nothing was due.'],
  ])('moves by %j', async (fields, now, reported) => {
    const { sandbox, visitor } = await openConsole()
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    const { status, path, text } = await visitor.submit('/console/clock/advance', fields)
    expect([status, path, sandbox.now]).toEqual([200, '/', now])
    expect(text).toContain(reported)
    const cause = newest(sandbox, 'clock.set')?.cause
    expect(cause).toMatchObject({ kind: 'control', operation: 'advanceClock' })
  })

  test.each([
    [{}, 'by, to and until'],
    [{ by: 'soon' }, invalid('by', 'soon')],
    [{ to: '2020-01-01T00:00:00Z' }, 'Time never goes back'],
  ])('refuses %j, and says why', async (fields, words) => {
    const { sandbox, visitor } = await openConsole()
    const { path, html, text } = await visitor.submit('/console/clock/advance', fields, {
      back: '/transfers?status=FAILED',
    })
    expect([path, sandbox.now]).toEqual(['/transfers?status=FAILED', '2026-06-15T09:00:00.000Z'])
    expect(html).toContain('<div id="notice" role="alert"')
    expect(text).toContain(words)
  })

  test('runs, paused and speeds', async () => {
    const { visitor } = await openConsole()
    expect((await visitor.submit('/console/clock/set', { mode: '60x' })).text).toContain(
      'running at 60×',
    )
    const running = await visitor.submit('/console/clock/set', { mode: 'real' })
    expect(running.html).toContain('value="real" aria-pressed="true"')
    const still = await visitor.submit('/console/clock/set', { mode: 'manual' })
    expect(still.text).toContain('paused')
    const refused = await visitor.submit('/console/clock/set', { mode: 'fast' })
    expect(refused.text).toContain(invalid('mode', 'fast', 'real, manual'))
  })

  test('pending timers are on a timeline, those of one instant together', async () => {
    const { sandbox, visitor } = await openConsole()
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    sandbox.run('deposit.receive', { address: addresses.adaUsd, amount: '10' })
    sandbox.advance('1s')
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    const { html, text } = await visitor.look('/')
    expect(html).toContain('title="Go to 2026-06-15 09:00:02: 2 timers"')
    expect(html).toContain('value="2026-06-15T09:00:03.000Z"')
    expect(text).toMatch(/in 1 s: \S+ → FUNDS_RECEIVED by happy-path\/1/)
  })

  test('more timers than are read show as a minimum count', async () => {
    const { sandbox, visitor } = await openConsole()
    for (let i = 0; i < 201; i++)
      sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    const { html, text } = await visitor.look('/')
    expect(html).toContain('title="Go to 2026-06-15 09:00:02: 200 timers or more"')
    expect(text).toContain('201 timers are pending')
  })

  test('timers that wait for reads are listed without a button', async () => {
    const { api, visitor } = await openConsole()
    await visitor.submit('/console/scenarios/post', {
      text: `name: by-reads
title: Moves by reads
rules:
  - when: transfer.created
    then:
      - { after_reads: 2, move: FUNDS_RECEIVED }
`,
      activate: 'true',
    })
    api.sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    const { html, text } = await visitor.look('/')
    expect(text).toContain('1 waits for status reads, not for time')
    expect(html.match(/value="idle" disabled/g)).toHaveLength(2)
    api.sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
    expect((await visitor.look('/')).text).toContain('2 wait for status reads')
  })

  test('only a change of the world is confirmed with a way to undo it', async () => {
    const { visitor } = await openConsole()
    const undo = /<p class="notice done">[^<]+<a href="\/undo">Undo…<\/a>/
    const moved = await visitor.submit('/console/clock/advance', { by: '1m' })
    expect(moved.html).toMatch(undo)
    const cleared = await visitor.submit('/console/requests/clear', {})
    expect(cleared.text).toContain('Deleted 0 requests.')
    expect(cleared.html).not.toMatch(undo)
    const undone = await visitor.submit('/console/undo', {})
    expect(undone.text).toContain('Undid advanceClock. The world time is 2026-06-15 09:00:00')
    expect(undone.html).not.toMatch(undo)
    const refused = await visitor.submit('/console/clock/advance', { by: 'soon' })
    expect(refused.html).not.toMatch(undo)
  })

  test('a running clock catches up after an undo', async () => {
    const { sandbox, visitor } = await openConsole()
    await visitor.submit('/console/clock/set', { mode: '60x' })
    await visitor.submit(`/console/users/${users.ada}/credit`, {
      amount: '1',
      currency: 'USD',
    })
    expect((await visitor.look('/undo')).text).toContain('The clock runs')
    const { text } = await visitor.submit('/console/undo', {})
    const [, shown = ''] = /The world time is (\S+ \S+)\. /.exec(text) ?? []
    expect(Date.parse(`${shown.replace(' ', 'T')}Z`)).toBeLessThanOrEqual(Date.parse(sandbox.now))
  })

  test('a notice is shown once', async () => {
    const { visitor } = await openConsole()
    const shown = 'Advanced to 09:01:00'
    expect((await visitor.submit('/console/clock/advance', { by: '1m' })).text).toContain(shown)
    expect((await visitor.look('/')).text).not.toContain(shown)
  })

  test('a page that follows the world leaves the notice to the others', async () => {
    const { visitor } = await openConsole()
    await visitor.send('/console/clock/advance', { by: '1m' })
    const reported = 'Advanced to 09:01:00'
    expect((await visitor.get('/', { 'x-live': '1' })).text).not.toContain(reported)
    expect((await visitor.look('/')).text).toContain(reported)
  })

  test('a notice stays on the server, and ends when no page takes it', async () => {
    let machine = Date.parse('2026-06-15T09:00:00Z')
    const { sandbox } = await openOwnSandbox({ machineClock: () => machine })
    const visitor = new ConsoleVisit(sandbox)
    const reported = 'Advanced to 09:01:00'
    await visitor.send('/console/clock/advance', { by: '1m' })
    const [[name = '', ticket = ''] = []] = visitor.cookies
    expect(ticket).toMatch(/^[\w-]{43}$/)
    machine += 31_000
    expect((await visitor.look('/')).text).not.toContain(reported)
    for (const forged of ['done:Hello%20there', `${ticket}x`, '']) {
      visitor.cookies.set(name, forged)
      const { text } = await visitor.look('/')
      expect(text).not.toContain('Hello there')
    }
  })
})

describe('a transfer', () => {
  const pending = async () => {
    const opened = await openConsole()
    const address = addresses.adaEur
    const { transfer_id } = opened.sandbox.run('deposit.receive', { address, amount: '100' })
    const id = transfer_id ?? ''
    return { ...opened, id, page: `/transfers/${id}`, move: `/console/transfers/${id}/move` }
  }

  test('shows what is planned, by which rule, and where it could go', async () => {
    const { visitor, page } = await pending()
    const { html, text } = await visitor.look(page)
    expect(text).toMatch(/PENDING 09:00:00 FUNDS_RECEIVED 09:00:02 happy-path\/1/)
    expect(text).toMatch(/PAYMENT_PROCESSED 09:00:08 happy-path\/1/)
    expect(html).toMatch(/<li class="now" aria-current="step"><span class="station">PENDING/)
    for (const to of ['FUNDS_RECEIVED', 'FAILED', 'CANCELLED'])
      expect(html).toContain(`value="${to}"`)
    expect(html).not.toContain('name="to" value="PAYMENT_SUBMITTED"')
    expect(text).toContain('No money has moved.')
  })

  test('leads from what was planned and done to the very rule', async () => {
    const { sandbox, visitor, page } = await pending()
    const rule = 'href="/scenarios/happy-path#rule-1"'
    const planned = await visitor.look(page)
    expect(planned.html).toContain(`<a class="rule" ${rule}>happy-path/1</a>`)
    sandbox.advance({ until: 'idle' })
    const done = await visitor.look(page)
    expect(done.html).toContain(`<a ${rule}>rule 1 of happy-path (happy-path.yaml:12)</a>`)
  })

  test('is moved along its way, with its money', async () => {
    const { sandbox, visitor, page, move } = await pending()
    for (const to of ['FUNDS_RECEIVED', 'CONVERSION_PROCESSED', 'PAYMENT_SUBMITTED']) {
      const { path, text } = await visitor.submit(move, { to }, { back: page })
      expect(path).toBe(page)
      expect(text).toContain(`The transfer is ${to} now.`)
    }
    const { text } = await visitor.submit(move, { to: 'PAYMENT_PROCESSED' }, { back: page })
    expect(text).toContain('outside 100.000000 USDC@polygon to transit')
    expect(text).toContain('transit 84.00 EUR to outside')
    expect(text).toMatch(
      /moved from PENDING to FUNDS_RECEIVED by hand: control call advanceTransfer/,
    )
    expect(sandbox.audit().ok).toBe(true)
  })

  test('fails for a reason, and goes no further', async () => {
    const { visitor, page, move } = await pending()
    const fields = { to: 'FAILED', reason: 'account_closed' }
    const { html, text } = await visitor.submit(move, fields, { back: page })
    expect(text).toContain('Reason: account_closed')
    expect(text).toContain('This status is final.')
    expect(html).toContain('class="now bad"')
  })

  test('that processed can still be returned', async () => {
    const { visitor } = await openConsole()
    const page = `/transfers/${transferId(1)}`
    expect((await visitor.look(page)).html).toContain('name="to" value="FAILED"')
  })

  test.each([
    [{ to: 'PAYMENT_PROCESSED' }, 'is PENDING and cannot become PAYMENT_PROCESSED; legal moves'],
    [{ to: 'LOST' }, invalid('to', 'LOST', '"PENDING"')],
  ])('refuses %j', async (fields, words) => {
    const { visitor, page, move } = await pending()
    expect((await visitor.submit(move, fields, { back: page })).text).toContain(words)
  })

  test('shows the answer as a client gets it', async () => {
    const { api, visitor, page, id } = await pending()
    const answer = await api.read<object>(`/payment/api/v1/fx-audit/status/${id}`)
    const { text } = await visitor.look(page)
    expect(text).toContain(JSON.stringify(answer, null, 2).replace(/\s+/g, ' '))
    expect(text).toMatch(/09:00:00 200 GET getTransferStatus/)
  })

  test('shows the real time on hover', async () => {
    const { visitor, page } = await pending()
    expect((await visitor.look(page)).html).toMatch(
      /title="world time 2026-06-15T09:00:00.000Z; machine time 2\d\d\d-/,
    )
  })
})

test.each([
  [
    'happy-path',
    ['PENDING', 'FUNDS_RECEIVED', 'CONVERSION_PROCESSED', 'PAYMENT_SUBMITTED', 'PAYMENT_PROCESSED'],
  ],
  [
    'bank-rejects',
    ['PENDING', 'FUNDS_RECEIVED', 'CONVERSION_PROCESSED', 'PAYMENT_SUBMITTED', 'FAILED'],
  ],
  ['cancelled-before-funds', ['PENDING', 'CANCELLED']],
])('the lifecycle under %s shows %j', async (name, stations) => {
  const { sandbox, visitor } = await openConsole()
  if (name !== 'happy-path') await visitor.submit('/console/scenarios/activate', { name })
  sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
  const id = sandbox.tables.transfers.list('all', '').at(-1)?.id
  const { html } = await visitor.look(`/transfers/${id}`)
  const found = [...html.matchAll(/class="station">(.*?)<\/span>/g)]
  expect(found.map(([, station = '']) => station.replaceAll('<wbr/>', ''))).toEqual(stations)
})

describe('a payout', () => {
  const move = `/console/payouts/${payoutId(4)}/move`

  test('fails for a reason', async () => {
    const { sandbox, visitor } = await openConsole()
    const pending = sandbox.tables.payouts.list('status', 'PAYOUT_PENDING')[0]
    const page = `/payouts/${pending?.id}`
    const fields = { to: 'PAYOUT_FAILED', reason: 'account_closed' }
    const action = `/console/payouts/${pending?.id}/move`
    const { path, text } = await visitor.submit(action, fields, { back: page })
    expect(path).toBe(page)
    expect(text).toContain('The payout is PAYOUT_FAILED now.')
    expect(text).toContain('Reason: account_closed')
    expect(sandbox.audit().ok).toBe(true)
  })

  test('that is not there cannot be moved', async () => {
    const { visitor } = await openConsole()
    const shown = await visitor.submit(move.replace(payoutId(4), NOBODY), { to: 'PAYOUT_FAILED' })
    expect(shown.text).toContain(`id: no payout has the id ${NOBODY}`)
  })
})

describe('a user', () => {
  const submit = async (id: string, what: string, fields: Record<string, string>) => {
    const { sandbox, visitor } = await openConsole()
    const page = `/users/${id}`
    return { sandbox, ...(await visitor.submit(`/console${page}/${what}`, fields, { back: page })) }
  }

  test.each([
    [users.underReview, { status: 'active' }, 'The user is active now.'],
    [users.underReview, { status: 'rejected', reason: 'Document expired' }, 'Document expired'],
    [users.underReview, { status: 'incomplete', requirements: 'phone, email' }, 'phone, email'],
    [users.ada, { status: 'paused' }, 'Resume'],
    [users.paused, { status: 'active' }, 'Pause'],
    [users.ada, { status: 'offboarded' }, 'This status is final'],
  ])('%s becomes %j', async (id, fields, words) => {
    expect((await submit(id, 'move', fields)).text).toContain(words)
  })

  test('cannot become what its status does not allow', async () => {
    const { text } = await submit(users.offboarded, 'move', { status: 'active' })
    expect(text).toContain('is offboarded and cannot become active; offboarded is final')
  })

  test('is offboarded for good, unless users move freely', async () => {
    const { sandbox, visitor } = await openConsole()
    const page = `/users/${users.ada}`
    expect((await visitor.get(page)).text).toContain('This is final. Offboard')
    sandbox.run('reading.choose', { id: 'user.transitions', reading: 'free' })
    const { text } = await visitor.get(page)
    expect(text).toContain('Offboard… Offboard')
    expect(text).not.toContain('It is for good')
  })

  test('is credited', async () => {
    const { text } = await submit(users.ada, 'credit', { amount: '12.50', currency: 'EUR' })
    expect(text).toContain('The balance is 8,012.50 EUR now.')
  })

  test.each([
    [{ amount: '12.505', currency: 'EUR' }, 'at most 2 decimals'],
    [{ amount: '1', currency: 'eur' }, invalid('currency', 'eur', 'the ISO 4217 code')],
    [{ currency: 'EUR' }, missing('amount')],
  ])('is not credited with %j', async (fields, words) => {
    expect((await submit(users.ada, 'credit', fields)).text).toContain(words)
  })

  test('gets an account, and a transfer to it', async () => {
    const { sandbox, visitor } = await openConsole()
    const page = `/users/${users.ada}`
    const account = {
      currency: 'GBP',
      account_number: 'GB33BUKB20201555555555',
      nickname: 'London',
    }
    const registered = await visitor.submit(`/console${page}/accounts`, account, { back: page })
    expect(registered.text).toContain('The account London is registered.')
    const fields = { account_id: accounts.adaEur, source_currency: 'USD', source_amount: '500' }
    const { path, text } = await visitor.submit(`/console${page}/transfers`, fields, { back: page })
    const [transfer] = sandbox.tables.transfers.page('all', '', 0, 1)
    expect(path).toBe(`/transfers/${transfer?.id}`)
    expect(text).toContain('Transfer started.')
  })
})

test.each([users.underReview, users.paused])(
  'a user who is not active is offered no transfer: %s',
  async (id) => {
    const { sandbox, visitor } = await openConsole()
    const input = { user_id: id, currency: 'EUR', account_number: 'DE89370400440532013000' }
    sandbox.run('account.register', input)
    const { html, text } = await visitor.look(`/users/${id}`)
    expect(text).toContain('Only an active user can start a bank transfer.')
    expect(html).not.toContain('name="source_amount"')
    sandbox.run('user.move', { id, to: 'active' })
    expect((await visitor.look(`/users/${id}`)).html).toContain('name="source_amount"')
  },
)

describe('a deposit', () => {
  const submit = async (fields: Record<string, string>) => {
    const { visitor } = await openConsole()
    return visitor.submit('/console/deposits', fields, { back: '/offramps' })
  }

  test('at an offramp leads to the transfer', async () => {
    const { path, text } = await submit({ address: addresses.adaEur, amount: '100' })
    expect(path).toMatch(/^\/transfers\/[0-9a-f-]{36}$/)
    expect(text).toContain('Received 100.000000 USDC on polygon. It started this transfer.')
  })

  test('at a wallet stays on the page', async () => {
    const { sandbox, visitor } = await openConsole()
    const address = sandbox.tables.wallets.get(walletId(2))?.wallet_address ?? ''
    const fields = { address, amount: '7', crypto: 'USDC', chain: 'polygon' }
    const { text } = await visitor.submit('/console/deposits', fields, { back: '/wallets' })
    expect(text).toContain('Received 7.000000 USDC on polygon into the wallet.')
    expect(text).toContain('757.250000 USDC')
  })

  test('that nobody expects is among the unmatched', async () => {
    const { path, text } = await submit({ address: addresses.adaEur, amount: '1', crypto: 'USDT' })
    expect(path).toBe('/deposits')
    expect(text).toContain('the address expects USDC on polygon, not USDT on polygon')
    expect(text).toContain('unmatched 2')
  })

  test.each([
    [{ amount: '1' }, missing('address', 'text of 1 to 255 characters')],
    [{ address: addresses.adaEur, amount: 'x' }, 'an amount above zero'],
  ])('%j is refused', async (fields, words) => {
    const { path, text } = await submit(fields as Record<string, string>)
    expect(path).toBe('/offramps')
    expect(text).toContain(words)
  })
})

describe('an API key', () => {
  test('is created, works, and is shown once', async () => {
    const { api, visitor } = await openConsole()
    const fields = { name: 'Nightly', permissions: 'read_only', expires_at: '30d' }
    const { status, path, html, text } = await visitor.submit('/console/api-keys', fields)
    const secret = /data-copy="([A-Za-z0-9]{32})"/.exec(html)?.[1] ?? ''
    expect([status, path]).toEqual([200, '/api-keys'])
    expect(text).toContain('It is shown only now')
    expect((await api.get('/onboarding/api/v1/users/all', { key: secret })).status).toBe(200)
    const again = await visitor.look('/api-keys')
    expect(again.html).not.toContain(secret)
    expect(again.text).toContain('Nightly active read_only')
    expect(again.text).toContain('2026-07-15 09:00:00')
  })

  test('is shown by the page that follows its making, and by no other', async () => {
    // Other worlds have ids that look like a secret: here are none.
    const { sandbox } = await openOwnSandbox()
    const visitor = new ConsoleVisit(sandbox)
    const made = await sandbox.fetch('/console/api-keys', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'name=Nightly',
    })
    expect([made.status, made.headers.get('location')]).toEqual([303, '/api-keys'])
    const [cookie = ''] = made.headers.getSetCookie()
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict/)
    const [, name = '', ticket = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
    visitor.cookies.set(name, ticket)
    const shown = /data-copy="([A-Za-z0-9]{32})"/
    const others = [
      await visitor.look('/worlds'),
      await visitor.look('/api-keys?page=0'),
      await visitor.get('/api-keys', { 'x-live': '1' }),
    ]
    for (const { html } of others) expect(html).not.toMatch(shown)
    const secret = shown.exec((await visitor.look('/api-keys')).html)?.[1] ?? ''
    expect(secret).not.toBe('')
    const headers = JSON.stringify([...made.headers])
    expect(headers).not.toContain(secret)
    expect(JSON.stringify(sandbox.entries())).not.toContain(secret)
    visitor.cookies.set(name, ticket)
    expect((await visitor.look('/api-keys')).html).not.toMatch(shown)
  })

  test.each([
    [{}, missing('name')],
    [
      { name: 'x', expires_at: 'tomorrow' },
      invalid('expires_at', 'tomorrow', 'an ISO 8601 date-time'),
    ],
    [{ name: 'x', expires_at: 'now' }, 'expires_at: '],
    [{ name: 'x', expires_at: '2020-01-01T00:00:00Z' }, 'expires_at: '],
    [{ name: 'x', expires_at: '2026-06-15T09:00:00Z' }, 'expires_at: '],
    [{ name: 'x', permissions: 'all' }, invalid('permissions', 'all', '"full", "read_only"')],
  ])('%j makes none', async (fields, words) => {
    const { visitor } = await openConsole()
    const shown = await visitor.submit('/console/api-keys', fields as Record<string, string>, {
      back: '/api-keys',
    })
    expect(shown.text).toContain(words)
  })

  test('is suspended, taken back, left to expire, and deactivated for good', async () => {
    const { sandbox, visitor } = await openConsole()
    const key = sandbox.tables.api_keys.list('all', '').find(({ name }) => name === 'Read only')
    const change = (fields: Record<string, string>) =>
      visitor.submit(`/console/api-keys/${key?.id}`, fields, { back: '/api-keys' })
    expect((await change({ status: 'suspended' })).text).toContain('Read only is suspended now.')
    expect((await change({ status: 'active' })).text).toContain('Read only is active now.')
    expect((await change({ expires_at: 'now' })).text).toContain('Read only active expired')
    expect((await change({ expires_at: 'never' })).text).toContain('Read only expires never.')
    expect((await change({ expires_at: 'soon' })).text).toContain(expected('an ISO 8601 date-time'))
    expect((await visitor.get('/api-keys')).text).toContain('Deactivate Read only permanently')
    expect((await change({ status: 'deactivated' })).text).toContain('final')
    expect((await change({ status: 'active' })).text).toContain('deactivated is final')
  })
})

describe('where an action leads back to', () => {
  test.each([
    ['//evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['https://evil.example/', '/'],
    ['/../..//evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['', '/'],
    ['/users?status=active', '/users?status=active'],
  ])('%s becomes %s', async (back, path) => {
    const { sandbox } = await openConsole()
    const response = await sandbox.fetch('/console/clock/advance', {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ by: '1s', back }).toString(),
    })
    expect([response.status, response.headers.get('location')]).toEqual([303, path])
  })
})

test.each([
  ['application/json', '{"by":"1s"}', 415],
  ['application/x-www-form-urlencoded', `by=${'x'.repeat(5_000_000)}`, 413],
])('a form of %s is refused when it is none, or too long', async (type, body, status) => {
  const { sandbox } = await openConsole()
  const headers = { 'content-type': type }
  const answer = await sandbox.fetch('/console/clock/advance', { method: 'POST', headers, body })
  expect(answer.status).toBe(status)
})

describe('a balance', () => {
  test('shows the last move and its request', async () => {
    const { api, sandbox, visitor } = await openConsole()
    const page = `/users/${users.ada}`
    expect((await visitor.look(page)).text).not.toContain('Recent movements')
    const { recipient_details, ...rest } = payoutRequest()
    const rejected = { ...recipient_details, recipient_account_number: '0000000001' }
    await api.post('/payment/api/v1/payout', { ...rest, recipient_details: rejected })
    const request = sandbox.requests().at(-1)?.id
    const { html, text } = await visitor.look(page)
    const moves = text.slice(text.indexOf('Recent movements'))
    expect(moves).toMatch(
      /#\d+ −1,500\.00 NGN −50\.00 NGN \+1,500\.00 NGN \+50\.00 NGN payout \S+ +created by request/,
    )
    expect(html).toContain(`href="/requests/${request}"`)
    await visitor.submit('/console/undo', {})
    expect((await visitor.look(page)).text).not.toContain('Recent movements')
  })

  test('of a payout that the journal does not know shows only the reversal', async () => {
    const { sandbox, visitor } = await openConsole()
    const [pending] = sandbox.tables.payouts.list('status', 'PAYOUT_PENDING')
    sandbox.run('payout.move', { id: pending?.id ?? '', to: 'PAYOUT_FAILED' })
    const { text } = await visitor.look(`/users/${pending?.user_id}`)
    const [, moves = ''] = /Recent movements (.*?) Transfers/.exec(text) ?? []
    expect(moves).toContain('+')
    expect(moves).not.toContain('−')
  })
})
