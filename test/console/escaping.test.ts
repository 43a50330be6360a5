import { describe, expect, test } from 'vitest'
import { openConsole } from '../support/console-visit.js'
import { addresses, users } from '../support/fixture-ids.js'
import { got, inWords } from '../support/invalid.js'
import { payoutRequest, userRequest } from '../support/requests.js'

const MARKUP = '<img src=x onerror=alert(1)>"\'&</textarea></script><script>alert(2)</script>'

/**
 * Whether somewhere it was taken for markup: as a picture, a script besides the page's own, or an
 * attribute. Quotes in texts are escaped, so that those that are left begin and end values.
 */
const isTaken = (html: string): boolean => {
  const bare = html.replace(/"[^"]*"/g, '')
  const count = (pattern: RegExp) => bare.match(pattern)?.length ?? 0
  return (
    count(/<script/g) > 1 ||
    count(/<img/g) !== 0 ||
    count(/<textarea/g) !== count(/<\/textarea/g) ||
    /<[^>]*onerror/.test(bare)
  )
}

/** Brings markup in wherever the outside may write a text. */
const fill = async () => {
  const opened = await openConsole()
  const { api, sandbox, visitor } = opened
  const post = (path: string, body: unknown, headers = {}) => api.post(path, body, { headers })
  const created = await post('/onboarding/api/v1/users', {
    ...userRequest(),
    first_name: MARKUP,
    last_name: MARKUP,
    metadata: JSON.stringify({ note: MARKUP }),
    address: {
      line1: MARKUP,
      line2: MARKUP,
      city: MARKUP,
      region: MARKUP,
      sub_division: MARKUP,
      country: 'NGA',
      postal_code: MARKUP,
    },
  })
  expect(created.status, JSON.stringify(created.body)).toBe(201)
  const { id } = created.body as { id: string }
  sandbox.run('user.move', {
    id,
    to: 'rejected',
    reasons: [{ reason: MARKUP, developer_reason: MARKUP }],
  })
  sandbox.run('user.move', { id, to: 'under_review' })
  sandbox.run('user.move', { id, to: 'incomplete', requirements: [MARKUP] })
  const account = sandbox.run('account.register', {
    user_id: users.ada,
    currency: 'EUR',
    account_number: MARKUP,
    account_holder_name: MARKUP,
    bank_name: MARKUP,
    bic: MARKUP,
    nickname: MARKUP,
  })
  const transfer = sandbox.run('transfer.start', {
    user_id: users.ada,
    account_id: account.id,
    source_currency: 'USD',
    source_amount: '10',
  })
  sandbox.run('transfer.move', { id: transfer.id, to: 'FAILED', reason: MARKUP })
  const details = {
    bank_name: MARKUP,
    account_holder_name: MARKUP,
    recipient_account_number: MARKUP,
  }
  const paid = await post('/payment/api/v1/payout', {
    ...payoutRequest(),
    recipient_details: details,
  })
  expect(paid.status, JSON.stringify(paid.body)).toBe(200)
  sandbox.run('deposit.receive', { address: MARKUP, amount: '1', crypto: MARKUP, chain: MARKUP })
  await post('/payment/api/v1/payout', { ...payoutRequest(), currency: MARKUP, amount: MARKUP })
  await post('/payment/api/v1/payout', { [MARKUP]: MARKUP })
  await api.call('POST', '/payment/api/v1/payout', {
    raw: MARKUP,
    headers: { 'content-type': 'application/json', 'x-note': MARKUP },
  })
  await api.get(`/nowhere/${MARKUP}?${MARKUP}=${encodeURIComponent(MARKUP)}`)
  await visitor.submit('/console/do/createApiKey', { name: MARKUP, permissions: 'full' })
  const title = JSON.stringify(MARKUP)
  const text = `name: marked\ntitle: ${title}\nwhy: ${title}\nrules:\n  - when: transfer.created\n    if: { target_currency: ${title} }\n    then: [{ after: 1s, move: FAILED, reason: ${title} }]\n`
  await visitor.submit('/console/do/postScenario', { text, activate: 'true' })
  sandbox.run('scenarios.activate', { names: ['marked'] })
  const then = JSON.stringify({ respond: { status: 418, message: MARKUP } })
  await visitor.submit('/console/do/armNextCall', { operation: 'getTransferStatus', then })
  await visitor.submit('/console/do/createWorld', { name: MARKUP })
  return { ...opened, id, transfer: transfer.id, payout: (paid.body as { id: string }).id }
}

const withTabs = (path: string) => [path, `${path}?tab=read`]

describe('markup that came from outside', () => {
  test('is text on every page', async () => {
    const { sandbox, visitor, id, transfer, payout } = await fill()
    const pages = [
      ...['/', '/payments', '/users', '/users?show=deposits', '/control', '/questions'],
      ...['/users?show=wallets', '/users?show=addresses', '/connect', '/ledger'],
      ...['/scenarios/marked', '/scenarios/marked?tab=rules', '/worlds', '/find?q=img'],
      ...['/worlds/compare?a=default&b=default', '/control?from=marked', '/questions?status=all'],
      `/ledger?account=unmatched&asset=${encodeURIComponent(`${MARKUP}@${MARKUP}`)}`,
      ...[`/users/${id}`, `/users/${users.ada}`].flatMap(withTabs),
      ...[`/transfers/${transfer}`, `/payouts/${payout}`].flatMap(withTabs),
      ...sandbox.requests().map((exchange) => `/?request=${exchange.id}`),
    ]
    const shown = await Promise.all(pages.map((path) => visitor.look(path)))
    for (const { path, html } of shown) expect([path, isTaken(html)]).toEqual([path, false])
    const marked = shown.filter(({ text }) => text.includes('<img src=x onerror=alert(1)>'))
    expect(marked.map(({ path }) => path)).toEqual(
      expect.arrayContaining([
        '/users',
        '/users?show=deposits',
        '/scenarios/marked',
        '/worlds',
        '/worlds/compare?a=default&b=default',
        '/control?from=marked',
        '/find?q=img',
        '/connect',
        `/users/${id}`,
        `/users/${users.ada}`,
        `/transfers/${transfer}`,
        `/payouts/${payout}`,
      ]),
    )
  })

  test('is text in notices, filters, searches and errors', async () => {
    const { visitor } = await openConsole()
    const given = encodeURIComponent(MARKUP)
    const shown = [
      await visitor.get(`/find?q=${given}`),
      await visitor.get(`/?text=${given}`),
      await visitor.get(`/payments?status=${given}`),
      await visitor.get(`/payments?user_id=${given}`),
      await visitor.get(`/payments?text=${given}`),
      await visitor.get(`/payments?to=${given}`),
      await visitor.get(`/transfers/${given}`),
      await visitor.get(`/scenarios/${given}`),
      await visitor.get(`/users/${users.ada}?tab=${given}&do=${given}`),
      await visitor.get(`/?${given}=${given}`),
      await visitor.get(`/?world=${given}`),
      await visitor.get(`/?request=${given}`),
      await visitor.get(`/questions?open=${given}`),
      await visitor.get(`/questions?text=${given}`),
      await visitor.get(`/control?then=${given}&operation=${given}&text=${given}`),
      await visitor.get(`/worlds?open=${given}&text=${given}`),
      await visitor.get(`/worlds/compare?a=${given}&b=${given}`),
      await visitor.get(`/ledger?account=${given}&asset=${given}`),
      await visitor.submit('/console/do/takeSnapshot', { name: MARKUP }),
      await visitor.submit('/console/do/advanceClock', { by: MARKUP }),
      await visitor.submit('/console/do/postScenario', { text: MARKUP }),
      await visitor.submit(`/console/do/${given}`, { name: MARKUP }),
      await visitor.submit('/console/do/advanceClock', { by: '1s' }, { back: `/?x=${MARKUP}` }),
      await visitor.submit(
        '/console/do/creditUser',
        { id: users.ada, currency: MARKUP, amount: MARKUP },
        { back: `/users/${users.ada}` },
      ),
    ]
    for (const { path, html } of shown) expect([path, isTaken(html)]).toEqual([path, false])
  })
})

describe('characters that change the text direction', () => {
  const TURN = '\u202e'
  /** Without the places where it is sent back or copied. */
  const bare = (html: string) =>
    html
      .replace(/<textarea\b[^>]*>[^<]*<\/textarea>/g, '')
      .replace(/ (?:data-copy|value|title|aria-label)="[^"]*"/g, '')

  test('is an escape in messages and in JSON, and turns nothing around names', async () => {
    const { api, sandbox, visitor } = await openConsole()
    const name = `a${TURN}b`
    const created = await api.post('/onboarding/api/v1/users', {
      ...userRequest(),
      first_name: name,
      address: { ...userRequest().address, city: name },
    })
    const { id } = created.body as { id: string }
    sandbox.run('user.move', { id, to: 'rejected', reasons: [{ reason: name }] })
    await api.post('/payment/api/v1/payout', { ...payoutRequest(), currency: name, [name]: name })
    await api.call('POST', '/payment/api/v1/payout', {
      raw: `{${name}`,
      headers: { 'content-type': 'application/json' },
    })
    sandbox.run('deposit.receive', { address: addresses.adaEur, amount: '1', crypto: name })
    const pages = [
      ...['/', '/users', `/users/${id}`, '/users?show=deposits', '/find?q=Nwosu'],
      ...sandbox.requests().map((exchange) => `/?request=${exchange.id}`),
    ]
    for (const path of pages) {
      const { html } = await visitor.get(path)
      expect([path, bare(html).match(/.{0,60}\u202e.{0,60}/)?.[0]]).toEqual([path, undefined])
    }
    const user = await visitor.look(`/users/${id}`)
    expect(user.html).toContain('<h1><bdi>a\\u202eb Nwosu</bdi>')
    expect(user.text).toContain('a\\u202eb')
    const shown = await visitor.submit('/console/do/receiveDeposit', {
      address: name,
      amount: name,
    })
    expect(shown.html).toMatch(/class="toast row bad"><span>[^<]*a\\u202eb/)
    expect((await visitor.get(`/users?status=${name}`)).text).toContain(got(inWords('"a\\u202eb"')))
  })
})

test('a deposit address that is no address is shown as it came', async () => {
  const { visitor } = await openConsole()
  const fields = { address: `${addresses.adaEur}${MARKUP}`, amount: '1' }
  const { html } = await visitor.submit('/console/do/receiveDeposit', fields)
  expect(isTaken(html)).toBe(false)
})
