import { describe, expect, test } from 'vitest'
import { expectRefusal } from '../support/client.js'
import { openConsole } from '../support/console-visit.js'
import { addresses, keys, NOBODY, payoutId, transferId, users } from '../support/fixture-ids.js'
import { expected, invalid } from '../support/invalid.js'
import { payoutRequest } from '../support/requests.js'

/** Each page, and what has to be on it. */
const PAGES: readonly (readonly [path: string, title: string, ...words: string[]])[] = [
  [
    '/',
    'Overview',
    'Point a client at http://localhost',
    '2026-06-15 09:00:00',
    'UTC, paused',
    'balanced',
    'happy-path',
  ],
  ['/transfers', 'Transfers', 'PENDING 1', '83,250.00 NGN', 'Ada Okafor'],
  [`/transfers/${transferId(1)}`, 'Transfer 66666666', 'Lifecycle', 'Why', 'transit'],
  ['/transfers?text=83,250', 'Transfers', '83,250.00 NGN', '1 in all'],
  ['/transfers?text=nowhere', 'Transfers', 'No transfer matches. Show all'],
  ['/payouts?text=nowhere&status=PAYOUT_FAILED', 'Payouts', 'No payout matches. Show all'],
  ['/users?text=nowhere', 'Users', 'No user matches. Show all'],
  [`/payouts?text=${payoutId(1)}`, 'Payouts', '150,000.00 NGN', '1 in all'],
  ['/payouts', 'Payouts', 'PAYOUT_PENDING 1'],
  [
    `/payouts/${payoutId(1)}`,
    'Payout 77777777',
    'Lifecycle',
    'rail',
    'Why',
    'Reason PAYOUT_FAILED',
  ],
  [`/payouts/${payoutId(2)}`, 'Payout 77777777', 'Reference never'],
  [`/payouts/${payoutId(3)}`, 'Payout 77777777', 'Reference none yet'],
  ['/users', 'Users', 'Ada Okafor', 'under_review 1'],
  ['/users?text=ben.kar', 'Users', 'Ben Kariuki', '1 in all'],
  [`/users/${users.ada}`, 'Ada Okafor', 'Balances', 'Destination accounts', 'Pause'],
  ['/wallets', 'Wallets', 'polygon', '750.250000 USDC'],
  ['/offramps', 'Offramps', 'Deposit addresses', 'USDC on polygon'],
  ['/deposits', 'Deposits', 'unmatched 1', 'Simulate deposit', 'The address belongs to Ada Okafor'],
  [`/offramps?user_id=${users.ada}`, 'Offramps', 'User: Ada Okafor'],
  ['/requests', 'Requests', 'No request yet', 'curl http://localhost/onboarding'],
  ['/scenarios', 'Scenarios', 'bank-rejects', 'magic-values', 'PAYMENT_SUBMITTED'],
  ['/scenarios/bank-rejects', 'Scenario bank-rejects', 'inactive', 'when: transfer.created'],
  ['/api-keys', 'API keys', 'Read only', 'read_only', 'expired', '…0001'],
  ['/assumptions', 'Assumptions', 'payout.repeat', 'Report of open questions'],
  ['/assumptions/payout.repeat', 'payout.repeat', 'Readings', 'Basis'],
  ['/assumptions/report', 'Open questions', 'No request has come yet'],
  ['/snapshots', 'Snapshots', 'Undo', 'Reset'],
  ['/reset', 'Reset this world?', 'Cancel'],
  ['/worlds', 'Worlds', 'default world', 'Create a world'],
  ['/ledger', 'Ledger', 'balanced', 'USDC@polygon', 'Conversion', '−868,700.00'],
  ['/find', 'Find', 'Type an id'],
]

const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
]

describe.each(PAGES)('%s', (path, title, ...words) => {
  test('can be read without script', async () => {
    const { visitor } = await openConsole()
    const { html, text } = await visitor.look(path)
    expect(html).toContain(`<title>${title} · Sandramp</title>`)
    expect(html).toMatch(/^<!DOCTYPE html><html lang="en">/)
    for (const word of words) expect(text).toContain(word)
  })

  test('holds no script and no style of its own, and nothing from elsewhere', async () => {
    const { visitor } = await openConsole()
    const { html, headers } = await visitor.look(path)
    expect(headers.get('content-security-policy')?.split('; ')).toEqual(POLICY)
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    const [htmx, client] = ['htmx', 'client'].map(
      (name) => `"/console/${name}\\.js\\?v=[0-9a-f-]{36}"`,
    )
    expect(html.match(/<script[^>]*>/g)).toEqual([
      expect.stringMatching(`^<script src=${client} data-htmx=${htmx} defer="">$`),
    ])
    expect(html).not.toMatch(/="javascript:/)
    // Requests of other tests may be quoted: only attribute names count.
    expect(html.replace(/="[^"]*"/g, '=""')).not.toMatch(/<style|<[^>]*\s(?:style|on[a-z]+)=/)
    for (const [, address] of html.matchAll(/\s(?:src|href|action)="([^"]*)"/g)) {
      expect(address).toMatch(/^[/#]/)
    }
  })

  test('has no id twice, one heading of the first order, and no unclosed part', async () => {
    const { visitor } = await openConsole()
    const { html } = await visitor.look(path)
    const ids = [...html.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id)
    expect(ids.filter((id, i) => ids.indexOf(id) !== i)).toEqual([])
    expect(html.match(/<h1>/g)).toHaveLength(1)
    const live = [...html.matchAll(/<(?:div|section) id="[^"]+"[^>]*data-live/g)]
    expect(html.match(/data-live/g)).toHaveLength(live.length)
  })

  test('answers HEAD without a body', async () => {
    const { sandbox } = await openConsole()
    const response = await sandbox.fetch(path, { method: 'HEAD' })
    expect([response.status, await response.text()]).toEqual([200, ''])
  })
})

describe('unknown pages and records', () => {
  test.each([
    `/transfers/${NOBODY}`,
    `/payouts/${NOBODY}`,
    `/users/${NOBODY}`,
    `/requests/${NOBODY}`,
    '/transfers/x',
    '/scenarios/nope',
    '/console',
    '/console/nope',
  ])('%s is a page that says so', async (path) => {
    const { visitor } = await openConsole()
    const { status, html, text } = await visitor.get(path)
    expect(status).toBe(404)
    expect(html).toContain('<title>Not found · Sandramp</title>')
    expect(text).toContain('Back to the overview')
    expect(text.includes('Back to the list')).toBe(!path.startsWith('/console'))
  })

  test.each([
    ['/payoutz', '/payouts'],
    ['/payouts/', '/payouts'],
    ['/asumptions/report', '/assumptions/report'],
    ['/ledger/all', '/ledger'],
  ])('%s shows the navigation and suggests %s', async (path, near) => {
    const { sandbox } = await openConsole()
    const response = await sandbox.fetch(path, { headers: { accept: 'text/html' } })
    const html = await response.text()
    expect(response.status).toBe(404)
    expect(html).toContain('<nav class="pages"')
    expect(html).toContain(`Did you mean <a href="${near}">${near}</a>?`)
    expect(html).toContain('<a href="/">Back to the overview</a>')
  })

  test.each([
    ['/transfers?status=LOST', invalid('status', 'LOST', 'PENDING, FUNDS_RECEIVED')],
    ['/users?status=gone', expected('under_review')],
    ['/payouts?page=-1', invalid('page', '-1', 'a whole number from 0')],
    ['/requests?status=9', invalid('status', '9', 'a status such as 404')],
    ['/requests?operation=fly', invalid('operation', 'fly', '"createPayout"')],
    ['/requests.har?fault=maybe', invalid('fault', 'maybe')],
    ['/deposits?matched=some', expected('unmatched, offramp, wallet, all')],
  ])('%s says what is accepted', async (path, words) => {
    const { visitor } = await openConsole()
    const { status, text } = await visitor.get(path)
    expect(status).toBe(400)
    expect(text).toContain(words)
  })

  test.each([
    ['/console/api-keys', '/api-keys'],
    ['/console/scenarios/post', '/scenarios'],
    ['/console/snapshots/before/fork', '/snapshots'],
  ])('%s, where an answer stood, leads to its page', async (path, page) => {
    const { visitor } = await openConsole()
    expect((await visitor.look(path)).path).toBe(page)
  })

  test.each(['/transfers', '/payouts', '/users', '/wallets', '/offramps', '/worlds'])(
    'a page of %s beyond the last is the last one',
    async (path) => {
      const { visitor } = await openConsole()
      const last = await visitor.look(path)
      expect((await visitor.look(`${path}?page=7`)).text).toBe(last.text)
      expect(last.text).toMatch(/\d+ in all/)
    },
  )

  test('the counts of statuses are those of the whole list: beside other filters there are none', async () => {
    const { visitor } = await openConsole()
    expect((await visitor.look('/transfers?status=FAILED')).text).toMatch(/PENDING \d/)
    for (const filter of [`user_id=${users.ada}`, 'text=1'])
      expect((await visitor.look(`/transfers?${filter}`)).text).toMatch(/all PENDING [A-Z]/)
  })

  test('the error of an action links to existing pages of other worlds', async () => {
    const { visitor } = await openConsole()
    const { html } = await visitor.get('/console/nowhere')
    expect(html).toMatch(/class="choices"><ul><li><a href="\/"/)
  })
})

describe('a path that the console does not have is 404 without the gate', () => {
  test.each([
    ['GET', '/transfer'],
    ['GET', '/transfers/a/b'],
    ['GET', '/Transfers'],
    ['POST', '/transfers'],
    ['DELETE', '/users'],
    ['POST', '/'],
  ])('%s %s', async (method, path) => {
    const { api } = await openConsole()
    expectRefusal(
      await api.call(method, path, { key: null }),
      404,
      '4040',
      `got ${method} ${path}.`,
    )
    expectRefusal(await api.call(method, path), 404, '4040')
  })
})

test('a user without transfers has no link to an empty list', async () => {
  const { visitor } = await openConsole()
  const { html, text } = await visitor.look(`/users/${users.hanna}`)
  expect(text).toMatch(/Transfers None yet\. Payouts None yet\./)
  expect(html).not.toContain('>All 0<')
})

test('a key that opens nothing any more is offered to nobody', async () => {
  const { sandbox, visitor } = await openConsole()
  expect((await visitor.look('/')).text).toContain(keys.full)
  const id = sandbox.tables.api_keys.list('all', '').find(({ name }) => name === 'Full access')?.id
  await visitor.submit(`/console/api-keys/${id}`, { status: 'suspended' })
  const { text } = await visitor.look('/')
  expect(text).toContain('with the API key that you created')
  expect(text).toContain("-H 'x-api-key: <your API key>'")
  expect(text).not.toContain(keys.full)
})

test('looking changes nothing', async () => {
  const { sandbox, visitor } = await openConsole()
  const before = sandbox.entries().length
  for (const [path] of PAGES) await visitor.look(path)
  expect(sandbox.entries()).toHaveLength(before)
  expect(sandbox.requests()).toEqual([])
})

describe('much of everything', () => {
  test('the overview stays small, and lists are capped', async () => {
    const { api, sandbox, visitor } = await openConsole()
    for (let i = 0; i < 400; i++) {
      sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
      sandbox.advance('100ms')
    }
    for (let i = 0; i < 120; i++) await api.get('/payment/nowhere')
    await api.post('/payment/api/v1/payout', payoutRequest())
    const overview = await visitor.look('/')
    expect(Buffer.byteLength(overview.html)).toBeLessThan(60 * 1024)
    const list = await visitor.look('/transfers')
    expect(list.html.match(/<tr>/g)).toHaveLength(51)
    expect(list.text).toContain('1–50 of 412')
    expect(list.html).toContain('href="/transfers?page=1">Older')
    const last = await visitor.look('/transfers?page=8')
    expect(last.text).toContain('401–412 of 412 Newer')
    const requests = await visitor.look('/requests')
    expect(requests.html.match(/<tr>/g)).toHaveLength(51)
    for (const page of [2, 3, 7]) {
      expect((await visitor.look(`/requests?page=${page}`)).text).toContain('101–121 Newer')
      const filtered = await visitor.look(`/requests?page=${page}&text=Unknown+path`)
      expect(filtered.text).toContain('101–120 Newer')
      expect(filtered.html).toContain('href="/requests?page=1&amp;text=Unknown+path">Newer')
    }
  })
})

test('deposit addresses and offramps each have pages of their own', async () => {
  const { sandbox, visitor } = await openConsole()
  const { instructions, offramps } = sandbox.tables
  for (let i = 0; i < 60; i++) {
    const given = { user_id: users.ada, currency: 'EUR', account_number: `DE${i}` }
    const { id } = sandbox.run('account.register', given)
    sandbox.run('offramp.initiate', { user_id: users.ada, account_id: id })
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '10' })
  }
  const oldest = instructions.list('all', '')[0]?.address
  for (const filter of ['', `&user_id=${users.ada}`]) {
    const first = await visitor.look(`/offramps?page=1${filter}`)
    expect(first.html).not.toContain(`data-copy="${oldest}"`)
    expect(first.text).toMatch(/1–50 of \d\d Older .* 51–\d\d of \d\d Newer/)
    const next = first.html.match(/href="([^"]+)">Older/)?.[1]?.replaceAll('&amp;', '&') ?? ''
    const { html, text } = await visitor.look(next)
    expect(html).toContain(`data-copy="${oldest}"`)
    expect(text).toMatch(/51–\d\d of \d\d Newer .* 51–\d\d of \d\d Newer/)
    expect((await visitor.look(next.replace(/(addresses_page)=1/, '$1=9'))).text).toBe(text)
  }
  expect((await visitor.look('/offramps?addresses_page=1')).html).not.toContain('>Clear<')
  expect(offramps.size).toBeGreaterThan(60)
})

describe('the files of the pages', () => {
  test.each([
    ['style.css', 'text/css; charset=utf-8'],
    ['client.js', 'text/javascript; charset=utf-8'],
    ['htmx.js', 'text/javascript; charset=utf-8'],
  ])('%s is sent once for each version', async (name, type) => {
    const { sandbox } = await openConsole()
    const versioned = await sandbox.fetch(`/console/${name}?v=1`)
    expect(versioned.headers.get('content-type')).toBe(type)
    expect(versioned.headers.get('cache-control')).toBe('max-age=31536000, immutable')
    const plain = await sandbox.fetch(`/console/${name}`)
    expect(plain.headers.get('cache-control')).toBe('no-cache')
    expect(await plain.text()).not.toMatch(/https?:\/\/(?!www\.w3\.org)/)
  })
})
