import type { Answer, Client } from '../../support/client.js'
import { ownId, users } from '../../support/fixture-ids.js'
import { payoutRequest } from '../../support/requests.js'
import type { Payout } from '../../support/wire.js'
import { type CasesOf, outcomeOf } from '../reading-case.js'

const PAYOUT = '/payment/api/v1/payout'

const pay = (api: Client, more: object = {}): Promise<Answer<Payout>> =>
  api.post<Payout>(PAYOUT, { ...payoutRequest(), ...more })

const to = (bank_name: string, recipient_account_number = '0690000031') => ({
  recipient_details: { ...payoutRequest().recipient_details, bank_name, recipient_account_number },
})

const balanceIn = async (api: Client, currency: string): Promise<string | undefined> => {
  const path = `/_sandbox/users/${users.ada}/balances`
  const { items } = await api.read<{ items: { currency: string; amount: string }[] }>(path)
  return items.find((it) => it.currency === currency)?.amount
}

/** Of a number that rules leave pending. */
const STUCK = to('Marina Test Bank', '00000003')

/** A repeat that names the first payout, for ever and when it has failed. */
const SAME = { same: true, failed: true, within: true, after: true }

export const payoutCases: CasesOf<'payout'> = {
  'payout.repeat': {
    see: async (api) => {
      const first = await pay(api, STUCK)
      await api.make(`/_sandbox/payouts/${first.body.id}/advance`)
      const again = await pay(api, STUCK)
      const { id, status } = again.body
      const isFirst = JSON.stringify(again.body) === JSON.stringify(first.body)
      const answer = outcomeOf(again)
      if (answer !== '200') return answer
      const failing = { ...to('Marina Test Bank', '00000001'), customer_payout_id: ownId(8) }
      const refused = (await pay(api, failing)).body
      const failed = (await pay(api, failing)).body.id === refused.id
      api.sandbox.advance('23h')
      const within = (await pay(api, STUCK)).body.id === first.body.id
      api.sandbox.advance('1h')
      const after = (await pay(api, STUCK)).body.id === first.body.id
      return { same: id === first.body.id, isFirst, status, failed, within, after }
    },
    as: {
      current: { ...SAME, isFirst: false, status: 'PAYOUT_PROCESSED' },
      replay: { ...SAME, isFirst: true, status: 'PAYOUT_PENDING' },
      conflict: '409 4090',
      second: {
        ...{ same: false, isFirst: false, status: 'PAYOUT_PENDING' },
        ...{ failed: false, within: false, after: false },
      },
      a_day: { ...SAME, isFirst: false, status: 'PAYOUT_PROCESSED', after: false },
      failed_again: { ...SAME, isFirst: false, status: 'PAYOUT_PROCESSED', failed: false },
    },
  },
  'payout.changed_repeat': {
    see: async (api) => {
      const first = await pay(api)
      const changes = [{ amount: '1500.01' }, { user_id: users.ben }, to('Another Test Bank')]
      const answers: string[] = []
      for (const change of changes) {
        const again = await pay(api, change)
        const isFirst = again.body.id === first.body.id && again.body.amount === 1500
        answers.push(isFirst ? 'first' : outcomeOf(again))
      }
      return answers
    },
    as: {
      invalid: Array(3).fill('400 4000'),
      conflict: Array(3).fill('409 4090'),
      first: Array(3).fill('first'),
    },
  },
  'payout.balance': {
    see: async (api) => [
      outcomeOf(await pay(api, { amount: '99999999.00' })),
      outcomeOf(await pay(api, { currency: 'JPY', amount: '100' })),
    ],
    as: {
      by_case: ['400 4000', '404 4040'],
      invalid: ['400 4000', '400 4000'],
      not_found: ['404 4040', '404 4040'],
    },
  },
  'payout.status': {
    see: async (api) => {
      const first = (await pay(api)).body.status
      return [first, (await pay(api)).body.status]
    },
    as: {
      processed: ['PAYOUT_PROCESSED', 'PAYOUT_PROCESSED'],
      pending: ['PAYOUT_PENDING', 'PAYOUT_PROCESSED'],
    },
  },
  'payout.statuses': {
    see: async (api) => [
      (await pay(api, STUCK)).body.status,
      (await pay(api, { ...to('Marina Test Bank', '00000001'), customer_payout_id: ownId(8) })).body
        .status,
    ],
    as: {
      three: ['PAYOUT_PENDING', 'PAYOUT_FAILED'],
      initiated: ['PAYOUT_INITIATED', 'PAYOUT_REJECTED'],
    },
  },
  'payout.transitions': {
    see: async (api) => {
      const before = await balanceIn(api, 'NGN')
      const { id } = (await pay(api)).body
      api.sandbox.advance('3d')
      await api.make(`/_sandbox/payouts/${id}/advance`, { to: 'PAYOUT_FAILED' })
      const { status, created_at, updated_at, ...again } = (await pay(api)).body
      const isBack = (await balanceIn(api, 'NGN')) === before
      return { same: again.id === id, status, isNewer: updated_at > created_at, isBack }
    },
    as: {
      failed: { same: true, status: 'PAYOUT_FAILED', isNewer: true, isBack: true },
      returned: { same: true, status: 'PAYOUT_RETURNED', isNewer: true, isBack: true },
    },
  },
  'payout.fee': {
    see: async (api) => {
      const before = Number(await balanceIn(api, 'NGN'))
      const { amount, rail_fee } = (await pay(api)).body
      const tiny = outcomeOf(await pay(api, { amount: '50.00', customer_payout_id: ownId(8) }))
      return { amount, rail_fee, paid: before - Number(await balanceIn(api, 'NGN')), tiny }
    },
    as: {
      on_top: { amount: 1500, rail_fee: 50, paid: 1650, tiny: '200' },
      deducted: { amount: 1500, rail_fee: 50, paid: 1500, tiny: '400 4000' },
    },
  },
  'payout.source': {
    see: async (api) => {
      const sums = async () => ({
        fiat: Number(await balanceIn(api, 'NGN')),
        crypto: await api.read<number>(
          `/payment/api/v1/offramp-audit/crypto-balance/USDC/ethereum/${users.ada}`,
        ),
      })
      const before = await sums()
      const seen: string[] = []
      for (const [n, number] of ['0690000031', '00000001'].entries()) {
        await pay(api, { ...to('Marina Test Bank', number), customer_payout_id: ownId(n + 1) })
        const { fiat, crypto } = await sums()
        const spent = (before.crypto - crypto).toFixed(2)
        seen.push(`${before.fiat - fiat} NGN ${spent} USD`)
      }
      const poor = await pay(api, { amount: '4900000.00', customer_payout_id: ownId(8) })
      return [...seen, outcomeOf(poor)]
    },
    as: {
      fiat: ['1550 NGN 0.00 USD', '1550 NGN 0.00 USD', '200'],
      custody: ['0 NGN 1.11 USD', '0 NGN 1.11 USD', '400 4000'],
    },
  },
  'payout.account_number': {
    see: async (api) => {
      const answers: string[] = []
      for (const [place, [currency, bank, number]] of [
        ['EUR', 'Rhine Test Bank', 'DE89370400440532013000'],
        ['EUR', 'Rhine Test Bank', 'DE89370400440532013001'],
        ['NGN', 'Marina Test Bank', '0690000031'],
        ['NGN', 'Marina Test Bank', '069000003'],
        ['KES', 'M-PESA', '254712123456'],
        ['KES', 'M-PESA', 'ada.okafor'],
        ['KES', 'Uhuru Test Bank', 'x'.repeat(34)],
        ['KES', 'Uhuru Test Bank', 'x'.repeat(35)],
        ['USD', 'Hudson Test Bank', '4000-1234'],
      ].entries()) {
        const more = { currency, amount: '10.00', customer_payout_id: ownId(place + 1) }
        answers.push(outcomeOf(await pay(api, { ...more, ...to(bank ?? '', number) })))
      }
      return answers
    },
    as: {
      any: Array(9).fill('200'),
      by_rail: [
        ...['200', '400 4000', '200', '400 4000', '200', '400 4000', '200', '400 4000'],
        '400 4000',
      ],
    },
  },
}
