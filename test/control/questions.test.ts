import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import { parseAnswersFile } from '../../src/assumptions/answers-file.js'
import type { AssumptionId } from '../../src/assumptions/ids.js'
import { assumptions } from '../../src/assumptions/register/index.js'
import type { Client } from '../support/client.js'
import { keys, ownId, transferId } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'

let api: Client

beforeEach(async () => {
  api = await openSandbox()
})

const REPORT = '/_sandbox/assumptions/report'
const PAYOUT = '/payment/api/v1/payout'

interface Question {
  readonly id: string
  readonly risk: string
  readonly message: string
  readonly hits: number
  readonly settled: unknown
  readonly example: { readonly path: string; readonly status: number } | null
}

interface Report {
  readonly open: readonly Question[]
  readonly unexercised: readonly Question[]
  readonly settled: readonly { readonly id: string; readonly settled: unknown }[]
}

const reportOf = () => api.read<Report>(REPORT)

/** Sent by somebody who would like to get out of a page. */
const HOSTILE = '</pre><script>alert(1)</script> ``` [x](javascript:1)'

const hostilePayout = () => {
  const request = payoutRequest()
  return { ...request, recipient_details: { ...request.recipient_details, bank_name: HOSTILE } }
}

const pageIn = async (query: string) => {
  const response = await api.carry(`${REPORT}${query}`, {})
  const { status } = response
  return { status, headers: response.headers, text: await response.text() }
}

test('a report without requests says so, and does not claim that nothing is open', async () => {
  expect(await reportOf()).toMatchObject({ requests: 0, open: [], settled: [], unexercised: [] })
  const { text } = await pageIn('?format=md')
  expect(text).toContain('The sandbox has logged no request')
  expect(text).not.toMatch(/Nothing .* is open|none open/i)
})

test('a report lists high risks of called operations that no answer relied on', async () => {
  await api.post(PAYOUT, payoutRequest())
  const { open, unexercised } = await reportOf()
  const ids = unexercised.map(({ id }) => id)
  expect(ids).toContain('payout.repeat')
  expect(ids).not.toContain('payout.fee')
  for (const { id, risk, hits } of unexercised) {
    expect({ risk, hits }).toEqual({ risk: 'high', hits: 0 })
    expect(assumptions[id as AssumptionId].operations).toContain('createPayout')
  }
  const { text } = await pageIn('?format=md')
  const [, section = ''] = text.split('## High, but not exercised')
  expect(section).toContain('- **`payout.repeat`:** In create payout: What happens when')
  await api.post(PAYOUT, payoutRequest())
  const later = await reportOf()
  expect(later.unexercised.map(({ id }) => id)).not.toContain('payout.repeat')
  expect(later.open.length).toBeGreaterThan(open.length)
})

test('the report names what the contract leaves out', async () => {
  const { text } = await pageIn('?format=md')
  const topics = ['Webhooks', 'Registering accounts', 'Reading a wallet', 'Permissions', 'Limits']
  for (const topic of topics) expect(text).toContain(topic)
})

test('used assumptions are sorted by risk, then by hits', async () => {
  await api.post(PAYOUT, payoutRequest())
  await api.post(PAYOUT, payoutRequest())
  await api.get(`/payment/api/v1/offramp-audit/${ownId(1)}`)
  const { open } = await reportOf()
  const ranks = open.map(({ risk }) => ['high', 'medium', 'low'].indexOf(risk))
  expect(ranks).toEqual([...ranks].sort())
  expect(open.map(({ id }) => id)).toEqual(
    expect.arrayContaining(['payout.repeat', 'payout.fee', 'error.codes', 'resource.unknown']),
  )
  expect(open.map(({ id }) => id)).not.toContain('payout.balance')
})

test('a question is one that can be sent, with the request that shows it best', async () => {
  await api.post(PAYOUT, { ...payoutRequest(), amount: '99999999.00' })
  const { open } = await reportOf()
  expect(open.find(({ id }) => id === 'payout.balance')).toMatchObject({
    message:
      'In create payout: Which status does a payout return when the balance is missing or too small? ' +
      'We take it to be “404 without a balance in the currency, 400 when the balance is too small”. ' +
      'Is that right, or is it “400 in both cases” or “404 in both cases”?',
    assumed: { name: 'by_case' },
    others: [{ name: 'invalid' }, { name: 'not_found' }],
    hits: 1,
    example: {
      method: 'POST',
      path: PAYOUT,
      status: 400,
      request: { amount: '99999999.00' },
      response: { code: '4000' },
    },
  })
})

test('without its requests a question has no example', async () => {
  await api.post(PAYOUT, payoutRequest())
  await api.call('DELETE', '/_sandbox/requests')
  const { open } = await reportOf()
  expect(open.length).toBeGreaterThan(0)
  expect(open.map(({ example }) => example)).toEqual(open.map(() => null))
})

describe('its forms', () => {
  test.each([
    ['', 'application/json'],
    ['?format=json', 'application/json'],
    ['?format=md', 'text/markdown; charset=utf-8'],
  ])('"%s" is %s', async (query, type) => {
    const answer = await pageIn(query)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe(type)
    expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  })

  test('a key that came in a body by mistake is in none', async () => {
    await api.post(PAYOUT, { ...payoutRequest(), user_id: keys.full, note: `Bearer ${keys.full}` })
    for (const format of ['md', 'json']) {
      const { text } = await pageIn(`?format=${format}`)
      expect(text).toContain('Bearer …0001')
      expect(text).not.toContain(keys.full)
    }
  })

  test('Markdown fences contain backticks of a request', async () => {
    await api.post(PAYOUT, hostilePayout())
    const { text } = await pageIn('?format=md')
    expect(text).toContain('````http\nPOST /payment/api/v1/payout\n')
    expect(text.replace(/^````http\n[\s\S]*?^````$/gm, '')).not.toContain('script')
    expect(text).toContain('## High: money may move twice or be lost')
    expect(text.match(/^One of our requests, at/gm)).toHaveLength(1)
    expect(text).toContain('One of our requests: see question 1.')
    expect(text).toContain('payout.fee:\n  reading: on_top\n  said_by: name of the person\n')
  })

  test('its answers are a file that can be used', async () => {
    await api.get(`/payment/api/v1/fx-audit/status/${transferId(9)}`)
    await api.post(PAYOUT, payoutRequest())
    const { text } = await pageIn('?format=md')
    const [, answers = ''] = /^```yaml\n([\s\S]*?)^```$/m.exec(text) ?? []
    const confirmed = parseAnswersFile(answers, 'answers.yaml')
    const { open } = await reportOf()
    expect([...confirmed.keys()]).toEqual(open.map(({ id }) => id))
    expect(confirmed.get('transfer.unreached')?.reading).toBe('null')
  })
})

describe('a confirmed reading', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-'))
  afterAll(() => rmSync(folder, { recursive: true }))
  const readingsFile = join(folder, 'answers.yaml')
  const link = 'https://example.com/"1"?a=1&b=2'
  writeFileSync(
    readingsFile,
    `payout.fee: { reading: on_top, said_by: "<b>Jo</b>", when: 2026-05-04, note: 'paid: #12', link: '${link}' }`,
  )

  test('is listed separately, not as open', async () => {
    api = await openSandbox({ readingsFile })
    await api.post(PAYOUT, payoutRequest())
    const { open, settled } = await reportOf()
    expect(open.map(({ id }) => id)).not.toContain('payout.fee')
    expect(settled).toMatchObject([
      { id: 'payout.fee', hits: 1, settled: { reading: 'on_top', by: '<b>Jo</b>' } },
    ])
    const { text } = await pageIn('?format=md')
    expect(text).toContain(
      'says [\\<b\\>Jo\\</b\\>](<https://example.com/%221%22?a=1&b=2>), 2026-05-04 (paid: #12)',
    )
  })

  test('is open again where the world chose otherwise, with the answer that is there', async () => {
    api = await openSandbox({ readingsFile, readings: ['payout.fee=deducted'] })
    await api.post(PAYOUT, payoutRequest())
    const { open, settled } = await reportOf()
    expect(settled).toEqual([])
    expect(open.filter(({ settled }) => settled)).toMatchObject([
      {
        id: 'payout.fee',
        assumed: { name: 'deducted' },
        others: [{ name: 'on_top' }],
        hits: 1,
        settled: { reading: 'on_top', by: '<b>Jo</b>' },
        example: { path: PAYOUT },
      },
    ])
    const { text } = await pageIn('?format=md')
    expect(text).toContain('- **We assume:** the recipient: the fee is taken from amount')
    expect(text).toMatch(
      /^- \*\*Settled otherwise:\*\* `on_top`, says \[.*\]\(<https.*>\), 2026-05-04 \(paid: #12\)$/m,
    )
    expect(text).not.toContain('## Settled')
    expect(text).not.toContain('payout.fee:\n')
  })

  test('is in both places where requests read it both ways', async () => {
    api = await openSandbox({ readingsFile })
    for (const [n, reading] of ['on_top', 'deducted', 'on_top'].entries()) {
      const headers = { 'x-sandbox-reading': `payout.fee=${reading}` }
      const payout = { ...payoutRequest(), customer_payout_id: ownId(n + 1) }
      await api.post(PAYOUT, payout, { headers })
    }
    const { open, settled } = await reportOf()
    const [asked] = open.filter(({ id }) => id === 'payout.fee')
    expect(asked).toMatchObject({ hits: 1, assumed: { name: 'deducted' } })
    expect(asked?.example).toMatchObject({ request: { customer_payout_id: ownId(2) } })
    expect(settled).toMatchObject([{ id: 'payout.fee', hits: 2, assumed: { name: 'on_top' } }])
    const { hits } = await api.read<{ hits: number }>('/_sandbox/assumptions/payout.fee')
    expect(hits).toBe(3)
  })
})
