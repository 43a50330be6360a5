import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { openConsole } from '../support/console-visit.js'
import { keys, NOBODY, users } from '../support/fixture-ids.js'
import { didYouMean, expected, invalid } from '../support/invalid.js'
import { payoutRequest } from '../support/requests.js'

const open = async () => {
  const opened = await openConsole()
  const pay = (body: object = payoutRequest(), more = {}) =>
    opened.sandbox.fetch('/payment/api/v1/payout', {
      method: 'POST',
      headers: { 'x-api-key': keys.full, 'content-type': 'application/json', ...more },
      body: JSON.stringify(body),
    })
  return { ...opened, pay }
}

const STATUS = '/payment/api/v1/fx-audit/status'

describe('the register', () => {
  test('lists what is open, how it is read, and how many answers relied on it', async () => {
    const { visitor, pay } = await open()
    await pay()
    await pay()
    const { text } = await visitor.look('/assumptions')
    expect(text).toMatch(/payout\.repeat .*? current high 1 09:00:00/)
    expect(text).toMatch(/payout\.status .*? processed high 1 09:00:00/)
  })

  test('is filtered by operation, by what was relied on, by risk and by request', async () => {
    const { visitor, pay } = await open()
    const sent = await pay()
    const wallets = await visitor.look('/assumptions?operation=createCustodyWallet')
    expect(wallets.text).not.toContain('payout.repeat')
    const relied = await visitor.look('/assumptions?relied=true')
    expect(relied.text).toContain('payout.status')
    expect(relied.text).not.toContain('payout.key')
    expect((await visitor.look('/assumptions?relied=false')).text).toContain('payout.key')
    const high = await visitor.look('/assumptions?relied=true&risk=high')
    expect(high.text).not.toMatch(/ (?:medium|low) \d/)
    const id = sent.headers.get('x-request-id') ?? ''
    const of = await visitor.look(`/assumptions?request=${id}`)
    const listed = sent.headers.get('x-sandbox-assumed')?.split(', ') ?? []
    expect(of.text).toContain(`${listed.length} shown, ${listed.length} used`)
    expect(of.html).toContain(`value="${id}"`)
  })

  test('without used assumptions, says what to send', async () => {
    const { visitor } = await open()
    const { text } = await visitor.look('/assumptions?relied=true')
    expect(text).toContain('No response of this world has used one yet')
    expect(text).toContain('curl http://localhost/onboarding')
  })

  test.each([
    ['operation=nope', 400, invalid('operation', 'nope')],
    ['relied=maybe', 400, expected('true, false')],
    [`request=${NOBODY}`, 404, 'the log has no request'],
  ])('refuses ?%s', async (query, status, words) => {
    const { visitor } = await open()
    const shown = await visitor.get(`/assumptions?${query}`)
    expect([shown.status, shown.text]).toEqual([status, expect.stringContaining(words)])
  })
})

describe('an assumption', () => {
  test('shows its readings, what is at stake, and the requests that relied on it', async () => {
    const { visitor, pay } = await open()
    const sent = await pay()
    const { text, html } = await visitor.look('/assumptions/payout.status')
    expect(text).toContain('If wrong a client books a payout as paid')
    expect(text).toContain('Basis')
    expect(text).toContain('Used by 1 answer')
    expect(html).toContain(`/requests/${sent.headers.get('x-request-id')}`)
    expect(html.match(/>Choose/g)?.length).toBeGreaterThan(0)
  })

  test('is read otherwise from then on', async () => {
    const { sandbox, visitor, pay } = await open()
    const page = '/assumptions/payout.status'
    const { path, text } = await visitor.submit(
      '/console/assumptions/payout.status',
      { reading: 'pending' },
      { back: page },
    )
    expect(path).toBe(page)
    expect(text).toContain('payout.status now uses the reading pending.')
    expect(text).toContain('chosen')
    expect(await (await pay()).json()).toMatchObject({ status: 'PAYOUT_PENDING' })
    const chosen = sandbox.entries().findLast((it) => it.command === 'reading.choose')
    expect(chosen?.cause).toMatchObject({ operation: 'chooseReading' })
  })

  test('refuses an unknown reading and an unknown assumption', async () => {
    const { visitor } = await open()
    const act = (id: string, reading: string) =>
      visitor.submit(`/console/assumptions/${id}`, { reading }, { back: '/assumptions' })
    expect((await act('payout.status', 'perhaps')).text).toContain(invalid('reading', 'perhaps'))
    expect((await act('payout.statsu', 'x')).text).toContain(didYouMean('payout.status'))
    expect((await visitor.get('/assumptions/nope')).status).toBe(404)
  })
})

describe('the report', () => {
  test('without requests says what to do', async () => {
    const { visitor } = await open()
    const { text } = await visitor.look('/assumptions/report')
    expect(text).toContain('No request has come yet')
  })

  test('lists the open questions, highest risk first, ready to send', async () => {
    const { sandbox, visitor, pay } = await open()
    await pay()
    const { text, html } = await visitor.look('/assumptions/report')
    expect(text).toContain('High: money may move twice')
    expect(text).toContain('For example POST /payment/api/v1/payout')
    expect(text).toContain('payout.status: reading:')
    expect(html).toContain('href="/assumptions/report.html"')
    expect(html).toContain('aria-label="Copy question 2"')
    const page = await sandbox.fetch('/assumptions/report.html')
    expect(page.headers.get('content-disposition')).toContain('open-questions.html')
    expect(page.headers.get('content-security-policy')).toContain("style-src 'sha256-")
    expect(await page.text()).toContain('<h1>Open questions of our integration</h1>')
    const markdown = await sandbox.fetch('/assumptions/report.md')
    expect(markdown.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await markdown.text()).toContain('# Open questions')
  })
})

test('a request leads to what its answer assumed', async () => {
  const { visitor, pay } = await open()
  const sent = await pay()
  const id = sent.headers.get('x-request-id')
  expect((await visitor.look('/requests')).html).toContain(`href="/assumptions?request=${id}"`)
  const { html } = await visitor.look(`/requests/${id}`)
  expect(html).toContain('href="/assumptions/payout.status"')
})

describe('a confirmed reading', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const readingsFile = join(folder, 'answers.yaml')
  writeFileSync(
    readingsFile,
    'payout.fee: { reading: on_top, said_by: "<b>Jo</b>", when: 2026-05-04, note: by phone }\n',
  )

  test('is shown with its source, apart from the reading of the world', async () => {
    const { visitor } = await openConsole({ readingsFile })
    const page = '/assumptions/payout.fee'
    const { text, html } = await visitor.look(page)
    expect(text).toContain(
      'Confirmed reading on_top Confirmed by <b>Jo</b>, 2026-05-04 Note by phone',
    )
    expect(html).not.toContain('<b>Jo')
    expect((await visitor.look('/assumptions')).text).toMatch(
      /payout\.fee .*? on_top confirmed high/,
    )
    const other = await visitor.submit(
      '/console/assumptions/payout.fee',
      { reading: 'deducted' },
      { back: page },
    )
    expect(other.text).toContain('confirmed otherwise')
  })

  test('is listed apart in the report', async () => {
    const { api, visitor } = await openConsole({ readingsFile })
    await api.post('/payment/api/v1/payout', payoutRequest())
    const { text } = await visitor.look('/assumptions/report')
    expect(text).toContain('Settled payout.fee Who bears rail_fee? on_top , says <b>Jo</b>')
  })

  test('is open in the report where answers read it otherwise', async () => {
    const { api, visitor } = await openConsole({ readingsFile, readings: ['payout.fee=deducted'] })
    await api.post('/payment/api/v1/payout', payoutRequest())
    const { text, html } = await visitor.look('/assumptions/report')
    expect(text).toContain('Who bears rail_fee? payout.fee create payout; 1 response relied on it')
    expect(text).toContain('Settled otherwise on_top , says <b>Jo</b>, 2026-05-04')
    expect(text).not.toContain('Settled payout.fee')
    expect(html).not.toContain('<b>Jo')
  })
})

test('responses to clients are shown in the readings of the world', async () => {
  const { sandbox, visitor, pay } = await open()
  for (const [id, reading] of [
    ['transfer.fees_currency', 'source'],
    ['transfer.unreached', 'absent'],
    ['time.form', 'seconds'],
    ['user.paused', 'as_active'],
  ]) {
    await visitor.submit(`/console/assumptions/${id}`, { reading: String(reading) })
  }
  const answerTo = async (path: string) =>
    (await sandbox.fetch(path, { headers: { 'x-api-key': keys.full } })).json()
  const everybody = await answerTo('/onboarding/api/v1/users/all')
  const paid = await (await pay()).json()
  const [transfer] = sandbox.tables.transfers.page('status', 'FUNDS_RECEIVED', 0, 1)
  const answers: [path: string, answer: unknown][] = [
    [`/transfers/${transfer?.id}`, await answerTo(`${STATUS}/${transfer?.id}`)],
    [`/payouts/${paid.id}`, paid],
    [`/users/${users.paused}`, everybody.find(({ id }: { id: string }) => id === users.paused)],
  ]
  for (const [path, answer] of answers) {
    const { text } = await visitor.look(path)
    expect(text.replaceAll(' ', '')).toContain(JSON.stringify(answer).replaceAll(' ', ''))
  }
})

test('the console report names a high risk that no request met, and what the contract leaves out', async () => {
  const { api, visitor } = await openConsole()
  const before = await visitor.look('/assumptions/report')
  expect(before.text).toContain('No requests.')
  expect(before.text).not.toContain('None is open')
  await api.post('/payment/api/v1/payout', payoutRequest())
  const { text } = await visitor.look('/assumptions/report')
  expect(text).toMatch(/\d+ high-risk questions had no request\. Based on \d+ requests?\./)
  expect(text).toMatch(/High, but not exercised .* payout\.repeat In create payout: What happens/)
  expect(text).toMatch(/Not covered by the contract .* Webhooks Are there webhooks/)
  const brief = await visitor.look('/assumptions/brief.html')
  expect(brief.html).toContain('<td>☐ ')
})
