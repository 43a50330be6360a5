import { describe, expect, test } from 'vitest'
import { openConsole } from '../support/console-visit.js'
import { payoutRequest } from '../support/requests.js'

const open = async () => {
  const opened = await openConsole()
  for (let i = 0; i < 2; i++) await opened.api.post('/payment/api/v1/payout', payoutRequest())
  return opened
}

describe('open questions', () => {
  test('questions relied on come first, the highest risk on top', async () => {
    const { visitor } = await open()
    const { html, text } = await visitor.look('/questions')
    const [relied = '', rest = ''] = html.split('Not touched by your requests')
    const risks = [...relied.matchAll(/class="chip (bad|warn|)">(\w+)</g)].map((it) => it[2])
    expect(relied).toContain('id="payout.repeat"')
    expect(rest).toContain('id="user.')
    expect(risks).toEqual(
      [...risks].sort((a, b) => RISKS.indexOf(a ?? '') - RISKS.indexOf(b ?? '')),
    )
    expect(text).toMatch(/Your requests relied on \d+ of them, \d+ with a high risk/)
  })

  test('a card has the contract, the cost of a wrong guess, and your requests', async () => {
    const { visitor, sandbox } = await open()
    const { text, html } = await visitor.look('/questions?open=payout.repeat')
    expect(text).toContain('The contract says: Endpoints, 1: "Idempotent identifier"')
    expect(text).toContain('If this guess is wrong, a retry after a timeout pays a second time')
    const repeated = sandbox.requests().at(-1)?.id ?? ''
    expect(html).toContain(
      `href="/?request=${repeated}"><bdi>1,500.00 NGN to Marina Test Bank for Ada Okafor</bdi>`,
    )
  })

  test('a reading is chosen by its card', async () => {
    const { visitor, sandbox } = await open()
    const back = '/questions'
    const chosen = { id: 'payout.repeat', reading: 'conflict' }
    await visitor.submit('/console/do/chooseReading', chosen, { back })
    expect(sandbox.tables.readings.get('payout.repeat')?.reading).toBe('conflict')
    const { text } = await visitor.look('/questions?status=changed')
    expect(text).toContain('What happens when a customer_payout_id is used again?')
    expect(text).not.toContain('Who bears rail_fee?')
  })

  test('are found by words, id and operation', async () => {
    const { visitor } = await open()
    const { text } = await visitor.look('/questions?text=bears')
    expect(text).toContain('Who bears rail_fee?')
    expect(text).not.toContain('is used again?')
  })

  test.each([
    ['/assumptions', '/questions'],
    ['/assumptions/payout.repeat', '/questions?open=payout.repeat'],
  ])('%s leads to %s', async (old, path) => {
    const { visitor } = await open()
    const { headers } = await visitor.sandbox.fetch(old, { redirect: 'manual' })
    expect(headers.get('location')).toBe(path)
  })
})

const RISKS = ['High', 'Medium', 'Low']
