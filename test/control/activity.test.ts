import { expect, test } from 'vitest'
import { ownId } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { PAYOUT, send } from '../support/scenario-client.js'

interface Item {
  readonly noun: string
  readonly id: string
  readonly title: string
  readonly payout: string
  readonly paid_twice: { readonly sentence: string }
}
interface Found {
  readonly items: readonly Item[]
}

const other = ownId(2)

const payTo = (number: string) => {
  const body = payoutRequest()
  return {
    ...body,
    recipient_details: { ...body.recipient_details, recipient_account_number: number },
  }
}

test('a bill that is paid twice is named by activity, worlds and search alike', async () => {
  const api = await openOwnSandbox({ scenarios: ['committed-then-cut', 'happy-path'] })
  await send(api, PAYOUT, payoutRequest()).catch(() => {})
  await send(api, PAYOUT, { ...payoutRequest(), customer_payout_id: other })
  const { items } = await api.read<Found>('/_sandbox/activity?kind=paid_twice')
  const [second, first] = items as [Item, Item]
  expect(items).toHaveLength(2)
  expect(first).toMatchObject({ lost: true, attempts: [{ status: null, effect: 'made' }] })
  expect(first.paid_twice).toEqual(second.paid_twice)
  const { sentence } = first.paid_twice
  expect(sentence).toMatch(
    /^paid twice: 1,500\.00 NGN, .+ after the answer was lost, with a new id$/,
  )
  const worlds = {
    with_problems: 1,
    items: [{ problems: [{ text: sentence, records: [first.payout, second.payout] }] }],
  }
  expect(await api.read('/_sandbox/worlds')).toMatchObject(worlds)
  const hits = await api.read<Found>('/_sandbox/search?q=1,500.00%20ada')
  expect(hits.items.slice(0, 2).map(({ id }) => id)).toEqual([second.payout, first.payout])
  await api.make('/_sandbox/reset')
  expect(await api.read('/_sandbox/activity?kind=paid_twice')).toMatchObject({ items: [] })
  await api.make('/_sandbox/undo')
  expect(await api.read('/_sandbox/activity?kind=paid_twice')).toMatchObject({ items })
  expect(await api.read('/_sandbox/worlds')).toMatchObject(worlds)
})

test('a search finds a wallet by its address, a page by its name, a request by its path', async () => {
  const api = await openOwnSandbox()
  const find = async (text: string) =>
    (await api.read<Found>(`/_sandbox/search?q=${text}`)).items.map(({ noun, id, title }) => [
      noun,
      noun === 'requests' ? title : id,
    ])
  const [wallet] = api.sandbox.tables.wallets.all()
  expect(await find(wallet?.wallet_address ?? '')).toContainEqual(['wallets', wallet?.id])
  expect(await find('ledger')).toEqual([['pages', '/ledger']])
  await api.get('/payment/api/v1/nowhere')
  expect(await find('nowhere')).toEqual([['requests', 'GET /payment/api/v1/nowhere']])
})

test('a bill that is paid three times is one finding, which names all its payouts', async () => {
  const api = await openOwnSandbox()
  await api.make('/_sandbox/next', { operation: 'createPayout', then: { drop: 'after' }, times: 2 })
  for (const n of [1, 2])
    await send(api, PAYOUT, { ...payoutRequest(), customer_payout_id: ownId(n) }).catch(() => {})
  await send(api, PAYOUT, { ...payoutRequest(), customer_payout_id: ownId(3) })
  const { items } = await api.read<Found>('/_sandbox/activity?kind=paid_twice')
  const payouts = items.map(({ payout }) => payout).reverse()
  const text = expect.stringMatching(/^paid 3 times: 1,500\.00 NGN, again .+ with a new id$/)
  expect(items.map(({ paid_twice }) => paid_twice)).toMatchObject(
    payouts.map(() => ({ sentence: text, payouts })),
  )
  const { items: worlds } = await api.read<{ items: { problems: object[] }[] }>('/_sandbox/worlds')
  expect(worlds[0]?.problems).toEqual([expect.objectContaining({ text, records: payouts })])
  const page = await (await api.sandbox.fetch(`/payouts/${payouts[0]}`)).text()
  expect(page).toMatch(/The service has paid, 3 times.*left the balance of Ada each time/s)
  expect(page).not.toMatch(/paid,? twice\b(?!<)/)
  const [, others = ''] = page.split('The other payments: ')
  for (const it of payouts.slice(1)) expect(others).toContain(`href="/payouts/${it}"`)
})

test('two wanted payouts of one amount are no bill that is paid twice', async () => {
  const api = await openOwnSandbox()
  await send(api, PAYOUT, payoutRequest())
  await send(api, PAYOUT, { ...payoutRequest(), customer_payout_id: other })
  expect((await api.read<Found>('/_sandbox/activity?kind=paid_twice')).items).toEqual([])
  expect(await api.read('/_sandbox/worlds')).toMatchObject({ with_problems: 0 })
})

test('the story of a payout names the value and the rule behind each step, done and planned', async () => {
  const api = await openOwnSandbox({ scenarios: ['magic-values', 'happy-path'] })
  const { text } = await send(api, PAYOUT, payTo('0000000004'))
  const because = /^account number begins with 000000 and ends in 04 \(magic-values\.yaml:\d+\)$/
  const by = { actor: 'scenario', value: '0000000004', because: expect.stringMatching(because) }
  const read = () => api.read(`/_sandbox/records/${JSON.parse(text).id}/story`)
  const processed = { ...by, verb: 'marked it as', object: 'Processed', done: true }
  expect(await read()).toMatchObject({
    complete: true,
    steps: [
      {
        actor: 'client',
        verb: 'made',
        object: 'a payout of 1,500.00 NGN for Ada Okafor',
        done: true,
      },
      processed,
      { ...by, verb: 'will mark it as', object: 'Failed: returned', done: false },
    ],
  })
  api.sandbox.advance({ until: 'idle' })
  expect(await read()).toMatchObject({
    steps: [{}, processed, { ...by, verb: 'marked it as', object: 'Failed: returned', done: true }],
  })
})
