import { type IncomingMessage, request } from 'node:http'
import { describe, expect, test } from 'vitest'
import { openConsole, textOf } from '../support/console-visit.js'
import { keys, users } from '../support/fixture-ids.js'
import { harMisfits } from '../support/har-schema.js'
import { invalid } from '../support/invalid.js'
import { PNG, payoutRequest, userRequest } from '../support/requests.js'

const PAYOUT = '/payment/api/v1/payout'
const LIST = '/onboarding/api/v1/users/all'

interface Archive {
  readonly log: {
    readonly entries: readonly { readonly request: { readonly postData?: { text: string } } }[]
  }
}

/** The value of a field, as a browser reads it. */
const bodyField = (html: string): string =>
  (/<textarea name="body"[^>]*>([^<]*)</.exec(html)?.[1] ?? '')
    .replace(/\r\n?/g, '\n')
    .replace(/^\n/, '')
    .replaceAll('&quot;', '"')

const withRequests = async () => {
  const opened = await openConsole()
  const { api } = opened
  await api.get(LIST)
  await api.post(PAYOUT, { ...payoutRequest(), amount: '12,5', currency: 'ngn' })
  await api.post(PAYOUT, payoutRequest())
  await api.get('/payment/nowhere')
  const [listed, refused, paid, lost] = opened.sandbox.requests()
  if (!listed || !refused || !paid || !lost) throw new Error('a request is missing')
  return { ...opened, listed, refused, paid, lost }
}

describe('the log', () => {
  test('shows the newest first, with marks', async () => {
    const { visitor } = await withRequests()
    const { text } = await visitor.look('/requests')
    expect(text).toMatch(
      /404 GET \/payment\/nowhere .* 200 POST createPayout .* 400 POST createPayout .* 200 GET listUsers/,
    )
    expect(text).toMatch(
      /400 POST createPayout \/payment\/\S+ 2 assumed Invalid currency: got "ngn"/,
    )
  })

  test('lists on the page of a payout the request whose response was lost', async () => {
    const { api, sandbox, visitor } = await openConsole()
    const headers = { 'x-sandbox-scenario': 'committed-then-cut' }
    await expect(api.post(PAYOUT, payoutRequest(), { headers })).rejects.toThrow('fetch failed')
    const { id } = sandbox.tables.payouts.all().at(-1) ?? { id: '' }
    const { text } = await visitor.look(`/payouts/${id}`)
    expect(text).toMatch(/Requests about it .* dropped POST createPayout committed-then-cut/)
  })

  test('keeps filters that cannot be used where they were typed, and says why', async () => {
    const { visitor } = await withRequests()
    const { status, html, text } = await visitor.get('/requests?status=40x&text=<b>&user_id=ada')
    expect([status, text.match(/<b>/)]).toEqual([400, null])
    expect(text).toContain(invalid('status', '40x', 'a status such as 404'))
    expect(html).toMatch(/name="status" value="40x"/)
    expect(html).toMatch(/name="text" value="&lt;b&gt;"/)
    expect(html).toMatch(/name="user_id" value="ada"/)
    expect(html).toContain('id="problems" class="notice error" role="alert"')
  })

  test.each([
    ['status=40x&user_id=ada', ['status', 'user_id']],
    ['status=40x', ['status']],
    ['user_id=ada', ['user_id']],
    ['status=404', []],
  ])('ties what it has against %s to the fields that it is about', async (query, wrong) => {
    const { visitor } = await withRequests()
    const { html } = await visitor.get(`/requests?${query}`)
    const inputs = html.match(/<input [^>]*>/g) ?? []
    const tied = inputs.filter((it) => it.includes('aria-describedby="problems"'))
    expect(tied.map((it) => /name="(\w+)"/.exec(it)?.[1])).toEqual(wrong)
    expect(tied.filter((it) => !it.includes('aria-invalid="true"'))).toEqual([])
  })

  test('counts one header as one', async () => {
    const { sandbox, visitor } = await openConsole()
    await sandbox.fetch(LIST, { headers: { 'x-api-key': keys.full } })
    const [only] = sandbox.requests()
    expect(Object.keys(only?.request.headers ?? {})).toHaveLength(1)
    expect((await visitor.look(`/requests/${only?.id}`)).text).toContain('Request 1 header x-api')
  })

  test('says why a request was refused', async () => {
    const { visitor } = await withRequests()
    for (const page of ['/', '/requests']) {
      const { text } = await visitor.look(page)
      expect(text).toContain('400 POST createPayout')
      expect(text).toContain(invalid('amount', '12,5', 'an amount above zero'))
      expect(text).toContain('Unknown path "/payment/nowhere"')
      expect(text).toContain('200 GET listUsers')
    }
  })

  test.each([
    ['operation=createPayout', 2],
    ['operation=unknown', 1],
    ['status=4xx', 2],
    ['status=404', 1],
    [`user_id=${users.ada.toUpperCase()}`, 2],
    ['text=12,5', 1],
    ['text=Unknown+path&status=404', 1],
    ['text=12,5&status=2xx', 0],
    ['fault=true', 0],
    ['aborted=true', 0],
    ['aborted=false&status=404', 1],
    ['fault=false&status=2xx&operation=', 2],
  ])('filtered by %s shows %d', async (query, count) => {
    const { visitor } = await withRequests()
    const { html, text } = await visitor.look(`/requests?${query}`)
    expect((html.match(/<tr>/g) ?? ['']).length - 1).toBe(count)
    if (count === 0) expect(text).toContain('No logged request matches.')
  })

  test('is an archive to download, filtered alike', async () => {
    const { sandbox } = await withRequests()
    const response = await sandbox.fetch('/requests.har?operation=createPayout')
    expect(response.headers.get('content-disposition')).toContain('sandramp.har')
    const har = await response.json()
    expect(harMisfits(har)).toBe('')
    expect(har.log.entries).toHaveLength(2)
    const narrower = await sandbox.fetch('/requests.har?operation=createPayout&text=12,5')
    expect((await narrower.json()).log.entries).toHaveLength(1)
  })

  test('is cleared once that is confirmed', async () => {
    const { sandbox, visitor } = await withRequests()
    expect((await visitor.look('/requests')).html).toContain('href="/requests/clear"')
    const asked = await visitor.look('/requests/clear')
    expect(asked.text).toContain('An undo does not restore them')
    expect(asked.html).toContain('action="/console/requests/clear"')
    expect(sandbox.requests()).toHaveLength(4)
    const { text } = await visitor.submit('/console/requests/clear', {}, { back: '/requests' })
    expect(text).toContain('Deleted 4 requests.')
    expect(sandbox.requests()).toEqual([])
    expect((await visitor.look('/requests')).html).not.toContain('href="/requests/clear"')
  })

  test('says when none is kept', async () => {
    const { visitor } = await openConsole({ requestLog: 0 })
    expect((await visitor.look('/requests')).text).toContain(
      'The request log is off (--request-log 0)',
    )
  })
})

describe('one request', () => {
  test('shows both sides, and marks what was wrong in the body', async () => {
    const { visitor, refused } = await withRequests()
    const { html, text } = await visitor.look(`/requests/${refused.id}`)
    expect(text).toContain('POST createPayout 400')
    expect(html).toContain(
      '<mark><span class="j-string">&quot;12,5&quot;</span></mark><span class="wrong"> ◀ Invalid amount: got &quot;12,5&quot;. Expected an amount',
    )
    expect(text).toContain(invalid('currency', 'ngn', 'the ISO 4217 code'))
    expect(text).toMatch(/Why it was rejected 4000 Invalid currency: got "ngn"/)
    expect(text).toContain('"code": "4000"')
    expect(text).toContain('error.codes=')
  })

  test('marks what is missing at what is around it', async () => {
    const { api, sandbox, visitor } = await openConsole()
    const { recipient_details, amount: _, ...rest } = payoutRequest()
    const { bank_name: __, ...details } = recipient_details
    await api.post(PAYOUT, { ...rest, recipient_details: details })
    const [{ id } = { id: '' }] = sandbox.requests()
    const { text } = await visitor.look(`/requests/${id}`)
    expect(text).toMatch(/\{ ◀ Missing amount\. Expected an amount/)
    expect(text).toMatch(
      /"recipient_details": \{ ◀ Missing recipient_details\.bank_name\. Expected text/,
    )
  })

  test('shows JSON as it was written: digits, order and fields that come twice', async () => {
    const { api, sandbox, visitor } = await openConsole()
    const written = '{"10":1e400,"2":12345678901234567890,"amount":"x","b":[],"amount":-0.50}'
    const raw = `{"data":"data:image\\/png;base64,AAAA",${written.slice(1)}`
    for (const body of [written, raw]) {
      await api.call('POST', PAYOUT, { raw: body, headers: { 'content-type': 'application/json' } })
      const { html, text } = await visitor.look(`/requests/${sandbox.requests().at(-1)?.id}`)
      expect(text).toMatch(
        /"10": 1e400 ◀ .*, "2": 12345678901234567890 ◀ .*, "amount": "x", "b": \[\] ◀ .*, "amount": -0\.50 ◀/,
      )
      expect(html).toContain('<span class="j-number">1e400</span>')
      expect(html).not.toContain('AAAA</span>')
    }
  })

  test('shows deeply nested JSON, and malformed JSON, as text', async () => {
    const { api, sandbox, visitor } = await openConsole()
    const deep = (levels: number) => `${'[ '.repeat(levels)}${'] '.repeat(levels)}`
    for (const raw of [deep(101), '{"a": }']) {
      await api.call('POST', PAYOUT, { raw, headers: { 'content-type': 'application/json' } })
      const { html } = await visitor.look(`/requests/${sandbox.requests().at(-1)?.id}`)
      expect(textOf(html)).toContain(raw.trim())
    }
    await api.call('POST', PAYOUT, {
      raw: deep(100),
      headers: { 'content-type': 'application/json' },
    })
    const { html } = await visitor.look(`/requests/${sandbox.requests().at(-1)?.id}`)
    expect(html).toContain(`[\n${'  '.repeat(99)}[]\n`)
  })

  test('marks fields that the call does not have, also where all went well', async () => {
    const { api, sandbox, visitor } = await openConsole()
    const { recipient_details, currency, ...rest } = payoutRequest()
    await api.post(PAYOUT, { ...rest, crrency: currency, recipient_details })
    await api.post(PAYOUT, {
      ...payoutRequest(),
      note: 'x',
      recipient_details: { ...recipient_details, bic: 'y' },
    })
    const [refused, paid] = sandbox.requests()
    const first = await visitor.look(`/requests/${refused?.id}`)
    expect(first.text).toMatch(/"crrency": "\w+" ◀ unknown field, ignored. Did you mean currency\?/)
    expect(paid?.status).toBe(200)
    const { text } = await visitor.look(`/requests/${paid?.id}`)
    expect(text).toContain('"note": "x" ◀ unknown field, ignored }')
    expect(text).toContain('"bic": "y" ◀ unknown field, ignored }')
    expect(text).not.toContain('Why it was rejected')
  })

  test('marks it in an item of a list, too', async () => {
    const { api, sandbox, visitor } = await openConsole()
    const [document] = userRequest().documents
    await api.post('/onboarding/api/v1/users', {
      ...userRequest(),
      documents: [document, { ...document, document_bakc: PNG, document_back: undefined }],
    })
    const [{ id } = { id: '' }] = sandbox.requests()
    const { text } = await visitor.look(`/requests/${id}`)
    expect(text).toMatch(
      /"document_bakc": "[^"]*" ◀ unknown field, ignored. Did you mean document_back\?/,
    )
  })

  test('counts the problems that its answer only counts', async () => {
    const { api, sandbox, visitor } = await openConsole()
    await api.post('/onboarding/api/v1/users', {})
    const [{ id } = { id: '' }] = sandbox.requests()
    const { html } = await visitor.look(`/requests/${id}`)
    expect(html).toContain('<li>Missing first_name.')
    expect(html).toContain('<li>and 2 more</li>')
  })

  test('names and links the rule that made its response', async () => {
    const { sandbox, visitor } = await openConsole({ scenarios: ['garbled-responses'] })
    const headers = { 'content-type': 'application/json', 'x-api-key': keys.full }
    const body = JSON.stringify(payoutRequest())
    await sandbox.fetch(PAYOUT, { method: 'POST', headers, body })
    const [{ id } = { id: '' }] = sandbox.requests()
    const rule = 'href="/scenarios/garbled-responses#rule-0"'
    const { html, text } = await visitor.look(`/requests/${id}`)
    expect(text).toContain('POST createPayout 200')
    expect(text).toContain('Cause A rule made this response.')
    expect(html).toContain(`<a ${rule}>garbled-responses/0</a> (garbled-responses.yaml:`)
    expect((await visitor.look('/requests')).html).toContain(`<a class="badge fault" title=`)
  })

  test('names the armed call that made its response, which has no page', async () => {
    const { visitor, api } = await openConsole()
    await api.make('/_sandbox/next', { then: { respond: { status: 503 } } })
    await api.post('/payment/api/v1/payout', payoutRequest())
    const { html } = await visitor.look('/requests')
    expect(html).toMatch(/<a class="badge fault" title="[^"]+">next-1\/0<\/a>/)
  })

  test('lists its entries', async () => {
    const { visitor, paid, listed } = await withRequests()
    const { text } = await visitor.look(`/requests/${paid.id}`)
    expect(text).toMatch(/Journal entries .* payout \S+ created by request/)
    expect(text).toMatch(/moved from PAYOUT_PENDING to PAYOUT_PROCESSED by rule 2 of happy-path/)
    expect((await visitor.look(`/requests/${listed.id}`)).text).not.toContain('Journal entries')
  })

  test('can be copied for a shell', async () => {
    const { visitor, refused, lost } = await withRequests()
    const { html } = await visitor.look(`/requests/${refused.id}`)
    const command = textOf(/<pre><code>(curl[^<]*)/.exec(html)?.[1] ?? '')
    expect(command).toContain(`curl http://localhost${PAYOUT} -X POST -H 'x-api-key: ${keys.full}'`)
    expect(command).toContain("-H 'content-type: application/json' --data-raw '{")
    expect(command).toContain('"amount":"12,5"')
    const { text } = await visitor.look(`/requests/${lost.id}`)
    expect(text).toContain('curl http://localhost/payment/nowhere -H')
  })

  test('can be copied whatever curl makes of its method, its address and our certificate', async () => {
    const { api, sandbox } = await openConsole()
    await api.call('HEAD', '/payment/nowhere?ids[]=1&of={a,b}')
    const [head] = sandbox.requests()
    const page = await sandbox.fetch(`https://localhost/requests/${head?.id}`)
    expect(textOf(await page.text())).toContain(
      "curl -k -g 'https://localhost/payment/nowhere?ids[]=1&of={a,b}' --head -H",
    )
  })

  test('shows four characters of the key', async () => {
    const { visitor, listed } = await withRequests()
    const { html } = await visitor.look(`/requests/${listed.id}`)
    expect(html).toContain('…0001')
  })
})

describe('sent again', () => {
  test('it goes through all that a request goes through', async () => {
    const { sandbox, visitor, paid } = await withRequests()
    const fields = { key: keys.full, body: JSON.stringify(payoutRequest()) }
    const { path, text } = await visitor.submit(`/console/requests/${paid.id}/send`, fields)
    const sent = sandbox.requests().at(-1)
    expect(path).toBe(`/requests/${sent?.id}`)
    expect(text).toContain('Sent again. This is the new request.')
    expect(sent).toMatchObject({ operation: 'createPayout', status: 200 })
    expect(sent?.response.body).toEqual(paid.response.body)
    expect(sandbox.tables.payouts.count('user', users.ada)).toBe(
      sandbox.tables.payouts.list('user', users.ada).length,
    )
  })

  test('that a read-only key has no permission for says so, of a read too', async () => {
    const { api, sandbox, visitor } = await openConsole()
    const headers = { 'x-sandbox-reading': 'key.permissions=no_users' }
    await api.get(LIST, { key: keys.readOnly, headers })
    const [{ id } = { id: '' }] = sandbox.requests()
    const { text } = await visitor.look(`/requests/${id}`)
    expect(text).toContain('The key is read-only and does not permit this call.')
  })

  test('with another key, or with none, it is refused as any other', async () => {
    const { sandbox, visitor, paid } = await withRequests()
    const send = `/console/requests/${paid.id}/send`
    expect((await visitor.submit(send, { key: keys.readOnly })).text).toContain('"code": "4300"')
    expect((await visitor.submit(send, {})).text).toContain('"code": "4030"')
    expect(sandbox.requests().at(-1)?.status).toBe(403)
  })

  test('with a key that no header can carry, it is refused at its field', async () => {
    const { sandbox, visitor, paid } = await withRequests()
    const before = sandbox.requests().length
    const { text } = await visitor.submit(`/console/requests/${paid.id}/send`, { key: 'ключ' })
    expect(text).toContain('key: "ключ" has characters that no header can carry')
    expect(sandbox.requests()).toHaveLength(before)
  })

  test('not at all, where its method is none that a browser may use', async () => {
    const { sandbox, visitor } = await openConsole()
    const { url, close } = await sandbox.listen()
    const came = await new Promise<IncomingMessage>((resolve) =>
      request(url + PAYOUT, { method: 'TRACE' }, resolve).end(),
    )
    came.resume()
    const [kept] = sandbox.requests()
    expect(kept?.method).toBe('TRACE')
    const { text } = await visitor.submit(`/console/requests/${kept?.id}/send`, {})
    expect(text).toContain('a TRACE request cannot be sent again from here')
    expect(sandbox.requests()).toHaveLength(1)
    await close()
  })

  test.each(['/payment//', '/payment//api/v1/payout', '/payment///x?y=//z'])(
    'to %s, as it came',
    async (path) => {
      const { sandbox, visitor } = await openConsole()
      await sandbox.fetch(`http://localhost${path}`)
      const [came] = sandbox.requests()
      await visitor.submit(`/console/requests/${came?.id}/send`, {})
      expect(sandbox.requests()[1]).toMatchObject({ path: came?.path, status: came?.status })
    },
  )

  test('with another body', async () => {
    const { visitor, refused } = await withRequests()
    const body = JSON.stringify({ ...payoutRequest(), amount: '7.00' })
    const fields = { key: keys.full, body }
    const { text } = await visitor.submit(`/console/requests/${refused.id}/send`, fields)
    expect(text).toContain('400')
    expect(text).toContain('already names payout')
  })

  test.each([
    ['lines that Windows writes', '{\r\n  "b": 1.0\r\n}\r\n'],
    ['lines that end as they did once', '{\r  "b": 1.0\r}'],
    ['a line before it, which a field drops', '\n{ "b": 1.0 }'],
  ])('with its body to the byte, which has %s', async (_, body) => {
    const { api, visitor } = await openConsole()
    const headers = { 'content-type': 'application/json' }
    await api.post('/payment/api/v1/payout', undefined, { raw: body, headers })
    const [{ id } = { id: '' }] = api.sandbox.requests()
    const { html } = await visitor.look(`/requests/${id}`)
    const sent = { key: keys.full, body: bodyField(html).replaceAll('\n', '\r\n') }
    await visitor.submit(`/console/requests/${id}/send`, sent)
    const { log } = await api.read<Archive>('/_sandbox/requests.har')
    expect(log.entries.map(({ request }) => request.postData?.text)).toEqual([body, body])
  })

  test('with its body to the byte when that was not changed, whatever the form does to lines', async () => {
    const { api, sandbox, visitor } = await openConsole()
    await api.post(PAYOUT, { ...payoutRequest(), amount: 'much' })
    const [{ id } = { id: '' }] = sandbox.requests()
    const { html } = await visitor.look(`/requests/${id}`)
    const body = bodyField(html)
    expect(body).toMatch(/^\{\n {2}"user_id": /)
    const send = `/console/requests/${id}/send`
    await visitor.submit(send, { key: keys.full, body: body.replaceAll('\n', '\r\n') })
    const changed = body.replace('much', '7.50')
    await visitor.submit(send, { key: keys.full, body: changed.replaceAll('\n', '\r\n') })
    const lengths = sandbox.requests().map(({ request }) => JSON.stringify(request.body).length)
    expect(lengths[1]).toBe(lengths[0])
    expect(sandbox.requests()[2]).toMatchObject({
      status: 200,
      request: { body: { amount: '7.50' } },
    })
  })

  test('with a body where there was none', async () => {
    const { sandbox, visitor } = await openConsole()
    const headers = { 'content-type': 'application/json', 'x-api-key': 'short' }
    const body = JSON.stringify(payoutRequest())
    await sandbox.fetch(PAYOUT, { method: 'POST', headers })
    const [{ id } = { id: '' }] = sandbox.requests()
    const { html, text } = await visitor.look(`/requests/${id}`)
    expect(text).toContain(
      'Why it was rejected 4100 Invalid API key format A key has 32 characters',
    )
    expect(html).toContain('<textarea name="body"')
    const send = `/console/requests/${id}/send`
    await visitor.submit(send, { key: keys.full, body })
    expect(sandbox.requests().at(-1)).toMatchObject({ status: 200, operation: 'createPayout' })
    await visitor.submit(send, { key: keys.full, body: '' })
    expect(sandbox.requests().at(-1)).toMatchObject({ status: 400 })
  })

  test('not when the log holds only a part of it', async () => {
    const { api, sandbox, visitor } = await openConsole()
    await api.post(PAYOUT, { ...payoutRequest(), note: 'x'.repeat(20_000) })
    const [{ id } = { id: '' }] = sandbox.requests()
    expect((await visitor.look(`/requests/${id}`)).text).toContain(
      'the request cannot be sent again',
    )
    const { text } = await visitor.submit(`/console/requests/${id}/send`, { key: keys.full })
    expect(text).toContain('only a part of the body')
    expect(sandbox.requests()).toHaveLength(1)
  })

  test('one that a rule cuts off shows that it was cut', async () => {
    const { api, sandbox, visitor } = await openConsole({ scenarios: ['committed-then-cut'] })
    await expect(api.post(PAYOUT, payoutRequest())).rejects.toThrow('cut the connection')
    sandbox.reset()
    await expect(api.post(PAYOUT, payoutRequest())).rejects.toThrow('cut the connection')
    const [{ id } = { id: '' }] = sandbox.requests()
    const { text } = await visitor.look(`/requests/${id}`)
    expect(text).toMatch(/Cause The connection was dropped without a response\./)
    expect(text).toContain('The rule committed-then-cut/0 made this response, not the service.')
  })
})

test('a repeat of a payout: its page and the latest entries name the request that it repeats', async () => {
  const { api, visitor } = await openConsole()
  const ids: (string | null)[] = []
  for (let i = 0; i < 2; i++) {
    const { headers } = await api.post(PAYOUT, payoutRequest())
    ids.push(headers.get('x-request-id'))
  }
  const [first, again] = ids
  const { text, html } = await visitor.look(`/requests/${again}`)
  expect(text).toMatch(/Repeat same payout as request \S+ ?, nothing was paid again/)
  expect(html).toContain(`href="/requests/${first}"`)
  expect((await visitor.look('/')).text).toMatch(
    /same payout as request \S+ ?, nothing was paid again/,
  )
})
