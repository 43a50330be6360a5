import { describe, expect, test } from 'vitest'
import { openConsole } from '../support/console-visit.js'
import { payoutRequest } from '../support/requests.js'

const cellsOf = (html: string, asset: string): string[] => {
  const row = html.split('<tr>').find((it) => it.includes(`<b>${asset} `)) ?? ''
  return [...row.matchAll(/<td class="number">(.*?)<\/td>/g)].map(([, it = '']) =>
    it.replace(/<[^>]*>/g, ''),
  )
}

describe('the ledger', () => {
  test('leaves zeros blank, and sums each row to zero', async () => {
    const { visitor } = await openConsole()
    const { html, text } = await visitor.look('/ledger')
    expect(text).toContain('Balanced.')
    const cells = cellsOf(html, 'GBP')
    expect(cells.filter((it) => it !== '')).toEqual(['−250.00', '250.00', '0'])
  })

  test('opens the postings of a figure, with the balance after each', async () => {
    const { visitor, api } = await openConsole()
    await api.post('/payment/api/v1/payout', payoutRequest())
    const { html, text } = await visitor.look('/ledger?asset=NGN&account=rail')
    expect(html).toMatch(/aria-current="true">100\.00</)
    const rows = html.slice(html.indexOf('id="postings"'))
    expect(rows).toContain('Payout to Marina Test Bank')
    expect(text).toMatch(/\+50\.00 100\.00 .*\+50\.00 50\.00/)
  })

  test('shows the figures after a new entry', async () => {
    const { visitor, api } = await openConsole()
    const before = cellsOf((await visitor.look('/ledger')).html, 'NGN')
    await api.post('/payment/api/v1/payout', payoutRequest())
    expect(cellsOf((await visitor.look('/ledger')).html, 'NGN')).not.toEqual(before)
  })
})
