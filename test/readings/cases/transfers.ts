import { expect } from 'vitest'
import { TRANSFER_STATUSES } from '../../../src/domain/schema.js'
import type { Client } from '../../support/client.js'
import { startTransfer } from '../../support/control.js'
import { addresses, users } from '../../support/fixture-ids.js'
import type { Audit, BalanceEntry, OfframpItem, Transfer } from '../../support/wire.js'
import { type CasesOf, outcome, outcomeOf } from '../reading-case.js'

const FX = '/payment/api/v1/fx-audit'
const AUDIT = `${FX}/${users.ada}`
const BALANCE = '/payment/api/v1/offramp-audit/crypto-balance'

interface Item {
  readonly id: string
  readonly target_currency: string
  readonly source_amount: number
  readonly target_amount: number
  readonly exchange_rate: number
  readonly fees: number
  readonly status: string
  readonly created_at: string
}

const items = async (api: Client, query = '?size=100'): Promise<readonly Item[]> =>
  (await api.read<Audit<OfframpItem>>(`${AUDIT}${query}`)).transactions as unknown as Item[]

const read = (api: Client, id: string): Promise<Transfer> =>
  api.read<Transfer>(`${FX}/status/${id}`)

const move = (api: Client, id: string, to: string) =>
  api.post(`/_sandbox/transfers/${id}/advance`, { to })

export const auditCases: CasesOf<'audit' | 'transfer_audit'> = {
  'audit.pages': {
    see: async (api) => [
      await outcome(api, 'GET', `${AUDIT}?page=99`),
      await outcome(api, 'GET', `${FX}/${users.underReview}?page=1`),
      (await api.read<Audit<OfframpItem>>(`${FX}/${users.underReview}`)).pagination.total_pages,
    ],
    as: {
      empty: ['200', '200', 0],
      not_found: ['404 4040', '404 4040', 0],
    },
  },
  'audit.amounts': {
    see: async (api) => {
      const { id } = await startTransfer(api)
      const item = (await items(api)).find((it) => it.id === id) as Item
      await api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '100' })
      const path = `/payment/api/v1/offramp-audit/${users.ada}`
      const offramp = (await api.read<Audit<OfframpItem>>(path)).transactions[0] as OfframpItem
      return [
        Math.round(item.source_amount * item.exchange_rate - item.target_amount),
        Math.round(offramp.crypto_amount * offramp.exchange_rate - offramp.fiat_amount),
      ]
    },
    as: { net: [1, 1], gross: [0, 0] },
  },
  'audit.size': {
    see: async (api) => {
      const seen: unknown[] = []
      for (const query of ['size=101', 'size=0', 'page=-1&size=x']) {
        const answer = await api.get<Partial<Audit<OfframpItem>>>(`${AUDIT}?${query}`)
        const { page, size } = answer.body.pagination ?? {}
        seen.push(answer.status === 200 ? [page, size] : outcomeOf(answer))
      }
      return seen
    },
    as: {
      refused: ['400 4000', '400 4000', '400 4000'],
      clamped: [
        [0, 100],
        [0, 1],
        [0, 5],
      ],
    },
  },
  'audit.spelling': {
    see: async (api) => {
      const listed = await items(api)
      const statuses = [...new Set(listed.map(({ status }) => status))].sort()
      return [statuses, listed.every(({ target_currency: it }) => it === it.toLowerCase())]
    },
    as: {
      lower: [TRANSFER_STATUSES.map((name) => name.toLowerCase()).sort(), true],
      upper: [TRANSFER_STATUSES.toSorted(), false],
      summary: [['cancelled', 'completed', 'failed', 'pending'], true],
    },
  },
  'transfer_audit.offramps': {
    see: async (api) => {
      const listed = await items(api)
      const kinds = listed.map(({ id }) => api.sandbox.tables.transfers.get(id)?.kind)
      return kinds.includes('offramp')
    },
    as: { listed: true, left_out: false },
  },
}

export const transferCases: CasesOf<'transfer' | 'conversion'> = {
  'conversion.rate_fixed': {
    worldOnly: true,
    see: async (api) => {
      const { id } = await startTransfer(api)
      const rate = { base: 'USD', quote: 'EUR', rate: '0.9' }
      expect((await api.call('PUT', '/_sandbox/rates', { body: rate })).status).toBe(200)
      await move(api, id, 'FUNDS_RECEIVED')
      const before = await read(api, id)
      await move(api, id, 'CONVERSION_PROCESSED')
      const { exchange_rate, destination_amount } = await read(api, id)
      return [before.exchange_rate, exchange_rate, destination_amount]
    },
    as: { deposit: [0.85, 0.85, 424], conversion: [0.85, 0.9, 449] },
  },
  'transfer.fees_currency': {
    see: async (api) => {
      const { id } = await startTransfer(api)
      const { fees, exchange_rate } = await read(api, id)
      return [fees === 1, Math.abs(fees * exchange_rate - 1) < 0.01]
    },
    as: { target: [true, false], source: [false, true] },
  },
  'transfer.rate': {
    see: async (api) => {
      const { id } = await startTransfer(api)
      const deposit = { address: addresses.adaEur, amount: '100' }
      await api.make('/_sandbox/deposits', deposit)
      const path = `/payment/api/v1/offramp-audit/${users.ada}`
      const [offramp] = (await api.read<Audit<OfframpItem>>(path)).transactions
      const item = (await items(api)).find((it) => it.id === id)
      const rates = [await read(api, id), item, offramp].map((it) => it?.exchange_rate)
      return rates.map((rate) => rate !== undefined && rate < 1)
    },
    as: { target_per_source: [true, true, true], source_per_target: [false, false, false] },
  },
  'transfer.unconverted': {
    see: async (api) => {
      const deposit = { address: addresses.adaEur, amount: '100' }
      const { transfer_id } = await api.make<{ transfer_id: string }>('/_sandbox/deposits', deposit)
      const look = async () => {
        const path = `/payment/api/v1/offramp-audit/${users.ada}`
        const [offramp] = (await api.read<Audit<OfframpItem>>(path)).transactions
        const item = (await items(api)).find(({ id }) => id === transfer_id)
        const detail = await read(api, transfer_id)
        return [
          [detail.destination_amount, detail.exchange_rate, detail.fees],
          [item?.target_amount, item?.exchange_rate, item?.fees],
          [offramp?.fiat_amount, offramp?.exchange_rate, offramp?.crypto_amount],
        ].map((numbers) => numbers.map((number) => number === null))
      }
      const before = await look()
      await move(api, transfer_id, 'FUNDS_RECEIVED')
      await move(api, transfer_id, 'CONVERSION_PROCESSED')
      return [before, (await look()).flat().includes(true)]
    },
    as: {
      known: [Array(3).fill([false, false, false]), false],
      null: [
        [
          [true, true, true],
          [true, true, true],
          [true, true, false],
        ],
        false,
      ],
    },
  },
  'transfer.unreached': {
    see: async (api) => (await read(api, (await startTransfer(api)).id)).payment_processed_at,
    as: { null: null, absent: undefined },
  },
}

export const balanceCases: CasesOf<'balance' | 'crypto'> = {
  'balance.total': {
    see: async (api) => {
      const path = '/payment/api/v1/custody-wallet/total-balances'
      const all = await api.read<BalanceEntry[]>(path)
      const tokens = new Set(all.map(({ crypto }) => crypto))
      return [all.length > tokens.size, all.some(({ balance }) => balance === 0)]
    },
    as: { per_chain: [true, true], per_token: [false, true] },
  },
  'balance.scope': {
    see: async (api) => {
      const seen: number[] = []
      const look = async () =>
        seen.push(await api.read<number>(`${BALANCE}/USDC/polygon/${users.ada}`))
      await look()
      const deposit = { address: addresses.adaEur, amount: '100' }
      const { transfer_id } = await api.make<{ transfer_id: string }>('/_sandbox/deposits', deposit)
      await look()
      await move(api, transfer_id, 'FUNDS_RECEIVED')
      await look()
      await move(api, transfer_id, 'CONVERSION_PROCESSED')
      await look()
      const [before = 0, ...after] = seen
      return after.map((balance) => balance - before)
    },
    as: { wallets: [0, 0, 0], with_offramps: [100, 100, 0] },
  },
  'crypto.unknown': {
    see: async (api) => {
      const paths = [
        `DOGE/polygon/${users.ada}`,
        `USDC/bitcoin/${users.ada}`,
        `USDT/tron/${users.ben}`,
      ]
      const answers = await Promise.all(paths.map((path) => api.get(`${BALANCE}/${path}`)))
      return answers.map(({ status, body }) => (status === 200 ? body : status))
    },
    as: { invalid: [400, 400, 0], not_found: [404, 404, 404] },
  },
}
