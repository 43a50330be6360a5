import { describe, expect, test } from 'vitest'
import { idInPathCases } from '../support/cases/id-in-path-cases.js'
import { depositId, offrampId, payoutId, walletId } from '../support/fixture-ids.js'
import { openSandbox } from '../support/open-sandbox.js'
import type { List } from '../support/wire.js'

const over = 'fetch'

describe.each([
  ['wallets', 'wallet', walletId(1)],
  ['offramps', 'offramp', offrampId(1)],
  ['payouts', 'payout', payoutId(2)],
  ['deposits', 'deposit', depositId(13)],
])('/_sandbox/%s/{id}', (nouns, noun, id) => {
  const list = `/_sandbox/${nouns}`
  idInPathCases({
    over,
    subject: { method: 'GET', path: `${list}/${id}`, success: 200 },
    field: 'id',
    id,
    unknown: `no ${noun} has the id`,
  })

  test('is what the list shows', async () => {
    const api = await openSandbox()
    const { items } = await api.read<List<{ id: string }>>(list)
    const shown = items.find((item) => item.id === id)
    expect(shown).toBeDefined()
    expect(await api.read(`${list}/${id}`)).toEqual(shown)
  })
})
