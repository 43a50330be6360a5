import { describe, expect, test } from 'vitest'
import { MAX_ENTRIES } from '../../src/history/memory-journal.js'
import { openConsole, textOf } from '../support/console-visit.js'
import { keys, ownId, users } from '../support/fixture-ids.js'
import { invalid } from '../support/invalid.js'
import { payoutRequest } from '../support/requests.js'
import { worldKey } from '../support/worlds.js'

const PAYOUT = '/payment/api/v1/payout'
const BALANCES = '/payment/api/v1/custody-wallet/total-balances'

type Opened = Awaited<ReturnType<typeof openConsole>>

const payTo = (number: string, id = 1) => ({
  ...payoutRequest(),
  customer_payout_id: ownId(id),
  recipient_details: { ...payoutRequest().recipient_details, recipient_account_number: number },
})

const pay = ({ api }: Opened, body: object) => api.post(PAYOUT, body).catch(() => undefined)

/** A payout whose first response is lost. */
const loseResponse = async (opened: Opened) => {
  await pay(opened, payTo('0000000006'))
  const [request] = opened.sandbox.requests()
  const payout = opened.sandbox.tables.payouts.list('all', '').at(-1)
  return { request: request?.id ?? '', payout: payout?.id ?? '' }
}

const MAGIC = { scenarios: ['magic-values', 'happy-path'] }

/** The lines of the list, newest first. */
const linesIn = (html: string): string[] =>
  [
    ...html.matchAll(
      /<li (?:class="item note" )?id="(?:line|entry)-.*?(?=<li id=|<li class="item note"|<p class="note row">)/gs,
    ),
  ].map(([line]) => textOf(line).trim())

test('Activity lists the habits that requests show', async () => {
  const opened = await openConsole(MAGIC)
  expect((await opened.visitor.look('/')).html).not.toContain('id="conduct"')
  await loseResponse(opened)
  await pay(opened, payTo('0000000006', 2))
  const [, conduct = ''] = (await opened.visitor.look('/?habits=open')).html.split('id="conduct"')
  expect(textOf(conduct)).toContain('ids after an unknown outcome: another id (requests 1, 2)')
})

test('Activity says that its log begins later than the world', async () => {
  const opened = await openConsole(MAGIC)
  await pay(opened, payTo('0000000006', 2))
  const late = 'The log begins later than this world.'
  expect((await opened.visitor.look('/')).text).not.toContain(late)
  await opened.api.call('DELETE', '/_sandbox/requests')
  await opened.api.get('/payment/nowhere')
  expect((await opened.visitor.look('/')).text).toContain(late)
  expect(await opened.api.read('/_sandbox/activity')).toMatchObject({ complete: false })
})

test('Activity says so of a log that evicted requests, and after the undo of a reset too', async () => {
  const opened = await openConsole({ requestLog: 2 })
  const { api, visitor } = opened
  const isLate = async () => (await visitor.look('/')).text.includes('The log begins later')
  for (const n of [1, 2]) await pay(opened, payTo('0690000031', n))
  expect(await isLate()).toBe(false)
  await pay(opened, payTo('0690000031', 3))
  expect(await isLate()).toBe(true)
  await api.make('/_sandbox/reset')
  expect(await isLate()).toBe(false)
  await api.make('/_sandbox/undo')
  expect(await isLate()).toBe(true)
})

test('Activity says nothing of a log that has more than the journal', async () => {
  const opened = await openConsole({ requestLog: 10 })
  await pay(opened, payTo('0690000031', 1))
  for (let i = 0; i < MAX_ENTRIES; i++)
    opened.sandbox.run('balance.credit', { user_id: users.ada, currency: 'NGN', amount: '1' })
  expect(await opened.api.read('/_sandbox/activity')).toMatchObject({ complete: true })
})

describe('the list', () => {
  test('shows one line per payment with its outcome, and acts between them', async () => {
    const opened = await openConsole(MAGIC)
    const { api, visitor } = opened
    await pay(opened, payTo('0000000005'))
    await pay(opened, payTo('0000000005'))
    await api.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'NGN', amount: '5000' })
    await pay(opened, payTo('0000000001', 2))
    await pay(opened, { ...payTo('0690000031', 3), amount: '12,5' })
    await api.get(BALANCES)
    await api.get(BALANCES)
    await api.get('/payment/nowhere')
    const { html } = await visitor.look('/')
    expect(linesIn(html)).toEqual([
      expect.stringMatching(/No such call: GET 404 not found \/payment\/nowhere$/),
      expect.stringMatching(/Get total custody balances, twice \d+ \d+$/),
      expect.stringMatching(
        /Payout of 12,5 to Marina Test Bank for Ada Okafor 400 bad request Invalid amount/,
      ),
      expect.stringMatching(
        /1,500\.00 NGN to Marina .* Failed rejected_by_bank, [\d,.]+ NGN returned/,
      ),
      expect.stringMatching(/A control call credited 5,000\.00 NGN to Ada Okafor/),
      expect.stringMatching(/Processed 2 attempts, 1 payout 503 200/),
    ])
  })

  test('keeps acts when the log is cleared, and begins again after a reset', async () => {
    const { api, visitor } = await openConsole()
    const invitation = 'Send one, and it appears here'
    expect((await visitor.look('/')).text).toContain(`${invitation} This world has`)
    await api.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'NGN', amount: '5000' })
    await api.get(BALANCES)
    await visitor.submit('/console/do/clearRequests', {})
    const { html, text } = await visitor.look('/')
    expect(linesIn(html)).toEqual([expect.stringMatching(/A control call credited/)])
    expect(text).toContain(`The log has no request ${invitation}.`)
    await visitor.submit('/console/do/reset', {})
    expect((await visitor.look('/')).text).toContain(`${invitation} This world has`)
  })

  test('keeps the requests before a reset, apart from those after it', async () => {
    const opened = await openConsole()
    const { api, visitor } = opened
    await pay(opened, payTo('0690000031'))
    const [{ id } = { id: '' }] = opened.sandbox.requests()
    await api.make('/_sandbox/reset')
    await pay(opened, payTo('0690000031'))
    const lines = linesIn((await visitor.look('/')).html)
    const begin = lines.findIndex((it) => it.includes('The world began again'))
    expect(lines.slice(begin).at(-1)).toContain('Taken back')
    expect((await visitor.look(`/?request=${id}`)).text).toContain('a reset took it back')
    expect((await visitor.look('/control')).text).toMatch(/World began Fixtures, seed \S+ Reset/)
    // That clears the requests before it, too.
    expect((await visitor.look('/')).text).toContain('Delete 2 requests')
    const earlier = await api.read('/_sandbox/requests?before_reset=true')
    expect(earlier).toMatchObject({ items: [{ id }] })
    expect(opened.sandbox.requests()).toHaveLength(1)
    await api.make('/_sandbox/undo', { to: opened.sandbox.entries().at(-2)?.seq })
    await api.make('/_sandbox/undo')
    const after = linesIn((await visitor.look('/')).html).join()
    expect(after).toMatch(/took back the reset.*went back to an earlier state/s)
    expect((await visitor.look(`/?request=${id}`)).text).toContain('It made the payout, which')
  })

  test('joins no attempts across a reset, and marks each one', async () => {
    const opened = await openConsole()
    for (const amount of ['71', '72']) {
      await pay(opened, { ...payTo('0690000031'), amount })
      await opened.api.make('/_sandbox/reset')
    }
    const { text } = await opened.visitor.look('/')
    expect(text).toMatch(/began again .* 72\.00 NGN .* began again .* 71\.00 NGN/)
    expect(text).not.toContain('2 attempts')
    const title = (sum: string) => ({ title: expect.stringContaining(sum) })
    const items = [title('72.00 NGN'), title('71.00 NGN')]
    expect(await opened.api.read('/_sandbox/activity')).toMatchObject({ items })
  })

  test('opens the attempts of the chosen payment only', async () => {
    const opened = await openConsole(MAGIC)
    await pay(opened, payTo('0000000005'))
    await pay(opened, payTo('0000000005'))
    const [first] = opened.sandbox.requests()
    await pay(opened, { ...payTo('0690000031', 3), amount: '12,5' })
    expect((await opened.visitor.look('/')).text).not.toContain('Attempt 1')
    const { text } = await opened.visitor.look(`/?request=${first?.id}`)
    expect(text).toMatch(/Attempt 2 makes the payout 200 .*Attempt 1 is refused 503/)
  })

  test.each([
    ['kind=failed', ['Failed', '400', '503 200']],
    ['kind=faults', ['503 200']],
    ['kind=repeats', ['503 200']],
    ['kind=slow', []],
    ['kind=yours', ['A control call credited']],
    ['text=1,500.00&kind=repeats', ['503 200']],
    ['text=ada+okafor&kind=repeats', ['503 200']],
    ['text=listUsers', ['List users']],
    ['text=5xx', ['503 200']],
    ['text=rejected_by', ['Failed']],
    ['text=nothing+such', []],
  ])('by %s shows %j', async (query, expected) => {
    const opened = await openConsole(MAGIC)
    await pay(opened, payTo('0000000005'))
    await pay(opened, payTo('0000000005'))
    await opened.api.make(`/_sandbox/users/${users.ada}/balances`, { currency: 'NGN', amount: '5' })
    await opened.api.get('/onboarding/api/v1/users/all')
    await pay(opened, { ...payTo('0690000031', 3), amount: '12,5' })
    await pay(opened, payTo('0000000001', 2))
    const { html } = await opened.visitor.look(`/?${query}`)
    const lines = linesIn(html)
    expect(lines.map((line) => expected.find((it) => line.includes(it)))).toEqual(expected)
  })

  test('rejects an unknown kind', async () => {
    const { api, visitor } = await openConsole()
    await api.get(BALANCES)
    const { status, text } = await visitor.get('/?kind=odd')
    expect([status, text]).toEqual([
      400,
      expect.stringContaining(
        invalid('kind', 'odd', 'failed, faults, paid_twice, repeats, slow, yours'),
      ),
    ])
  })

  test('shows 50 lines per page', async () => {
    const { api, visitor } = await openConsole()
    for (let i = 0; i < 51; i++) await api.get(`/payment/nowhere/${i}`)
    const { html } = await visitor.look('/')
    expect(linesIn(html)).toHaveLength(50)
    expect(html).toContain('href="/?page=1"')
    expect(linesIn((await visitor.look('/?page=1')).html)).toHaveLength(1)
  })

  test('shows those of all worlds, each with its world', async () => {
    const { api, visitor } = await openConsole()
    await api.get(BALANCES)
    await api.get(BALANCES, { key: worldKey(1) })
    expect(linesIn((await visitor.look('/')).html)).toHaveLength(1)
    const { html } = await visitor.look('/?worlds=all')
    expect(linesIn(html)).toHaveLength(2)
    expect(html).toMatch(/href="\/\?worlds=all&amp;request=[^"]+&amp;world=/)
  })

  test('leads to what to do while there is no request', async () => {
    const { sandbox, visitor } = await openConsole()
    const { text, html } = await visitor.look('/')
    expect(text).toContain('Waiting for your first request')
    expect(text).toMatch(
      /This world has 8 users, 12 transfers, 3 payouts, \d+ rails\. Nothing moves/,
    )
    const body = /-d '(\{.*?\})'/s.exec(text)?.[1] ?? ''
    const headers = { 'x-api-key': keys.full, 'content-type': 'application/json' }
    expect((await sandbox.fetch(PAYOUT, { method: 'POST', headers, body })).status).toBe(200)
    const [, main = ''] = html.split('<main')
    expect(main.match(/<li><a class="option"/g)).toHaveLength(4)
  })

  test('says that the log is off', async () => {
    const { visitor } = await openConsole({ requestLog: 0 })
    expect((await visitor.look('/')).text).toContain('The request log is off')
  })

  test('is cleared by a form that counts the requests', async () => {
    const { api, sandbox, visitor } = await openConsole()
    await api.get(BALANCES)
    expect((await visitor.look('/')).text).toContain('Delete 1 request')
    await visitor.submit('/console/do/clearRequests', {})
    expect(sandbox.requests()).toEqual([])
  })

  test('is an archive to download, with the filters of the control API', async () => {
    const opened = await openConsole()
    await pay(opened, payTo('0690000031'))
    await opened.api.get(BALANCES)
    const response = await opened.sandbox.fetch('/requests.har?operation=createPayout')
    expect(response.headers.get('content-disposition')).toContain('sandramp.har')
    expect((await response.json()).log.entries).toHaveLength(1)
    expect((await opened.visitor.get('/requests.har?status=40x')).status).toBe(400)
  })
})

describe('a chosen request', () => {
  test('says why it was refused, and lists the fields that the call does not have', async () => {
    const opened = await openConsole()
    const { bank_name: bank, ...rest } = payTo('0690000031').recipient_details
    const body = { ...payTo('0690000031'), recipient_details: { ...rest, bank } }
    await pay(opened, { ...body, amount: '12,5', note: 'x' })
    const [request] = opened.sandbox.requests()
    const { text } = await opened.visitor.look(`/?request=${request?.id}&tab=request`)
    expect(text).toContain(`It paid nothing: ${invalid('amount', '12,5', 'an amount above zero')}`)
    expect(text).toContain('note is an unknown field, and the service ignores it.')
    expect(text).toMatch(/recipient_details\.bank is an unknown field, .* Did you mean bank_name\?/)
  })

  test('shows the story of its payout with its own step lit', async () => {
    const opened = await openConsole({ scenarios: ['payout-fails-and-refunds'] })
    await pay(opened, payTo('0690000031'))
    opened.sandbox.advance('30s')
    await pay(opened, payTo('0690000031'))
    const second = opened.sandbox.requests().at(-1)
    const { html, text } = await opened.visitor.look(`/?request=${second?.id}`)
    expect(text).toMatch(
      /Attempt 1 makes the payout .* Failed: account_closed Scenario payout-fails-and-refunds , 30 s after the start.* \(?payout-fails-and-refunds.yaml:\d+ ?\) .* Attempt 2 learns that it failed This request, got 200 Failed/,
    )
    expect(text).toContain('+1,550.00 NGN with the fee')
    expect(html).toMatch(/<li class="step call" aria-current="step">.{0,200}Attempt 2/s)
    expect(text).toMatch(
      /This answer rests on \d+ open questions .*customer_payout_id is used again/,
    )
  })

  test('leads to its record and to its operation in the reference', async () => {
    const opened = await openConsole()
    await pay(opened, payTo('0690000031'))
    const [request] = opened.sandbox.requests()
    const { html } = await opened.visitor.look(`/?request=${request?.id}`)
    expect(html).toMatch(/href="\/payouts\/[0-9a-f-]{36}">Open the payout/)
    expect(html).toContain('href="/reference#service/tag/payouts/POST/payment/api/v1/payout"')
  })

  test('can be copied for a shell, and shows no whole key', async () => {
    const opened = await openConsole()
    await opened.api.call('HEAD', '/payment/nowhere?ids[]=1')
    const [request] = opened.sandbox.requests()
    const { html } = await opened.visitor.look(`/?request=${request?.id}`)
    const command = textOf(/data-copy="(curl[^"]*)"/.exec(html)?.[1] ?? '')
    expect(command).toContain(`curl -g 'http://localhost/payment/nowhere?ids[]=1' --head -H`)
    expect(html).toContain('key …0001')
  })

  test('is the newest that failed or was lost, else the newest, if none is chosen', async () => {
    const opened = await openConsole(MAGIC)
    const detail = async () =>
      textOf(/<article.*<\/article>/s.exec((await opened.visitor.look('/')).html)?.[0] ?? '')
    await opened.api.get(BALANCES)
    expect(await detail()).toContain('Get total custody balances Answered with 200')
    await loseResponse(opened)
    await opened.api.get(BALANCES)
    expect(await detail()).toContain('Your client cannot know')
    expect((await opened.visitor.look('/')).html).toMatch(
      new RegExp(`href="/\\?request=${opened.sandbox.requests()[1]?.id}"[^>]* aria-current="true"`),
    )
    const [read] = opened.sandbox.requests()
    const kept = await opened.visitor.get('/', { 'x-opened': read?.id ?? '' })
    expect(kept.html).toContain(`data-request="${read?.id}"`)
  })

  test('has the headers of both messages', async () => {
    const opened = await openConsole()
    await pay(opened, payTo('0690000031'))
    const [request] = opened.sandbox.requests()
    const { text } = await opened.visitor.look(`/?request=${request?.id}&tab=headers`)
    expect(text).toMatch(/content-type .* x-request-id/)
  })

  test('that is no longer there leaves the list', async () => {
    const { api, visitor } = await openConsole()
    await api.get(BALANCES)
    const { status, text } = await visitor.get(`/?request=${ownId(9)}`)
    expect([status, text]).toEqual([404, expect.stringContaining('The log has no such request')])
    expect(text).toContain('Get total custody balances')
  })

  test('is where earlier addresses lead', async () => {
    const { api, sandbox } = await openConsole()
    await api.get(BALANCES)
    const [request] = sandbox.requests()
    const { headers } = await sandbox.fetch(`/requests/${request?.id}`, { redirect: 'manual' })
    expect(headers.get('location')).toBe(`/?request=${request?.id}`)
  })
})

describe('a lost response', () => {
  test('is found on Activity and on the page of its payout, which it names in no answer', async () => {
    const opened = await openConsole(MAGIC)
    const { request, payout } = await loseResponse(opened)
    opened.sandbox.advance('24s')
    for (const path of [`/?request=${request}`, `/payouts/${payout}`]) {
      const { text } = await opened.visitor.look(path)
      expect(text).toMatch(/Paid at 09:00:00, and your client does not know: the response was lost/)
      expect(text).toMatch(/The service has paid, once .* left the balance of Ada/)
      expect(text).toMatch(/Your client cannot know Scenario magic-values cut the connection after/)
      expect(text).toMatch(/Never send it with a new customer_payout_id/)
      expect(text).toMatch(/No second attempt yet Your client has not asked again for 24 s/)
    }
    expect((await opened.visitor.look('/')).text).toContain(
      'Response lost Paid, but your client does not know. It has not asked again',
    )
  })

  test('ends with a repeat of the same id: nothing is paid again', async () => {
    const opened = await openConsole(MAGIC)
    const { request } = await loseResponse(opened)
    const fields = { id: request, key: keys.full }
    const { path, text } = await opened.visitor.submit('/console/do/sendAgain', fields)
    const repeat = opened.sandbox.requests().at(-1)
    expect(path).toBe(`/?request=${repeat?.id}`)
    expect(text).toContain('Sent again as this request.')
    expect(text).toContain('Nothing was paid again. The answer says that it was processed')
    expect(text).not.toContain('Response lost Paid')
    expect(opened.sandbox.tables.payouts.count('customer_id', ownId(1))).toBe(1)
  })

  test('shows that a new id pays a second time', async () => {
    const opened = await openConsole({ scenarios: ['committed-then-cut', 'happy-path'] })
    const { request } = await loseResponse(opened)
    const before = opened.sandbox.tables.payouts.size
    const fields = { id: request, key: keys.full, fresh: ownId(1) }
    const { text } = await opened.visitor.submit('/console/do/sendAgain', fields)
    expect(opened.sandbox.tables.payouts.size).toBe(before + 1)
    expect(text).toContain('The other payment: 1,500.00 NGN to Marina Test Bank')
  })

  test('says that nothing was done if the connection broke before', async () => {
    const opened = await openConsole()
    await opened.api.make('/_sandbox/next', { then: { drop: 'before' } })
    await pay(opened, payTo('0690000031'))
    const [request] = opened.sandbox.requests()
    const { text } = await opened.visitor.look(`/?request=${request?.id}`)
    expect(text).toMatch(/The service has done nothing .* It makes the payout, once\./)
  })
})

describe('sendAgain', () => {
  const open = async () => {
    const opened = await openConsole()
    await pay(opened, { ...payTo('0690000031'), amount: '12,5' })
    const [request] = opened.sandbox.requests()
    return { ...opened, id: request?.id ?? '' }
  }

  test('sends a changed body through the whole pipeline', async () => {
    const { sandbox, visitor, id } = await open()
    const body = JSON.stringify(payTo('0690000031'), null, 2)
    await visitor.submit('/console/do/sendAgain', { id, key: keys.full, body })
    const sent = sandbox.requests().at(-1)
    expect([sent?.status, sent?.request.body]).toEqual([200, payTo('0690000031')])
  })

  test('sends the original body byte by byte if the user left it', async () => {
    const { api, sandbox, visitor } = await openConsole()
    const raw = '{"amount":1e400,"amount":12345678901234567890}'
    await api.call('POST', PAYOUT, { raw, headers: { 'content-type': 'application/json' } })
    const [{ id } = { id: '' }] = sandbox.requests()
    await visitor.submit('/console/do/sendAgain', { id, key: keys.full, body: raw })
    const [first, again] = sandbox.requests()
    expect(again?.request.body).toEqual(first?.request.body)
    expect((await visitor.look(`/?request=${again?.id}&tab=request`)).text).toContain('1e400')
  })

  test('rejects a key of another world at its field', async () => {
    const { api, visitor, id } = await open()
    await api.get(BALANCES, { key: worldKey(1) })
    const fields = { id, key: worldKey(1) }
    const { status, text } = await visitor.submit('/console/do/sendAgain', fields, {
      back: `/?request=${id}`,
    })
    expect([status, text]).toEqual([400, expect.stringContaining('a key of this world')])
  })

  test('says that a long body was not kept', async () => {
    const { api, sandbox, visitor } = await openConsole()
    await api.post(PAYOUT, { ...payoutRequest(), note: 'x'.repeat(20_000) })
    const [{ id } = { id: '' }] = sandbox.requests()
    expect((await visitor.look(`/?request=${id}`)).text).not.toContain('Send again')
    const { text } = await visitor.submit('/console/do/sendAgain', { id, key: keys.full })
    expect(text).toContain('the log holds only a part of the body')
  })
})

describe('the search', () => {
  test.each([
    ['ada okafor', /^ Records Ada Okafor Active 1,500/],
    [users.ada, /^ Records Ada Okafor Active /],
    ['1,500.00', /^ Records 1,500\.00 NGN .* Processed /],
    ['ngn 1500', /^ Records 1,500\.00 NGN to Marina Test Bank Processed /],
    ['reset', /^ Do Reset this world… $/],
    ['', /^ Do New payout… .* Pages Activity /],
    ['nothing such', /^ Nothing has this text\. $/],
  ])('finds %j', async (text, expected) => {
    const opened = await openConsole()
    await pay(opened, payTo('0690000031'))
    const { html } = await opened.visitor.look(`/find?q=${encodeURIComponent(text)}`)
    expect(textOf(/<div id="hits"[^>]*>(.*?)<\/main>/s.exec(html)?.[1] ?? '')).toMatch(expected)
  })

  test('finds a number in amounts, and in ids only if no amount has it', async () => {
    const { visitor } = await openConsole()
    expect((await visitor.look('/find?q=777')).text).toContain('Nothing has this text.')
    expect((await visitor.look('/find?q=7777')).text).toContain('12,500.00 KES to M-PESA')
    expect((await visitor.look('/find?q=1,200')).text).not.toContain('KES to M-PESA')
  })

  test('marks a user and a wallet that are active alike', async () => {
    const { visitor } = await openConsole()
    const { html } = await visitor.look('/find?q=ada')
    const marks = [...html.matchAll(/class="status ([^"]*)" title="active"/gi)].map(([, it]) => it)
    expect(new Set(marks)).toEqual(new Set(['done']))
  })

  test('only leads: no hit acts at once', async () => {
    const { visitor } = await openConsole()
    for (const text of ['', 'ada', 'reset', 'clock']) {
      const { html } = await visitor.look(`/find?q=${text}`)
      expect(/<div id="hits".*?<\/main>/s.exec(html)?.[0]).not.toContain('<form')
    }
    expect((await visitor.look('/control?do=reset')).text).toContain('This takes back no record')
  })
})
