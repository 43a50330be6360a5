import type { Client } from '../../support/client.js'
import {
  accounts,
  addresses,
  BEGINNING,
  NOBODY,
  ownId,
  transferId,
  users,
} from '../../support/fixture-ids.js'
import { offrampRequest, walletRequest } from '../../support/requests.js'
import type { Audit, Instruction, OfframpItem, Wallet } from '../../support/wire.js'
import { type CasesOf, outcomeOf, posted } from '../reading-case.js'

const WALLET = '/payment/api/v1/custody-wallet'
const OFFRAMP = '/payment/api/v1/offramp'
const LONG_NAME = 'x'.repeat(300)

/** A transfer with the address of its source. */
interface Sourced {
  readonly source_info: {
    readonly source_account_details: {
      readonly masked_details: string
      readonly payment_rail: string
    }
  }
}

const wallet = (api: Client, more: object = {}) =>
  api.post<Wallet>(WALLET, { ...walletRequest(), ...more })

const initiate = (api: Client, more: object = {}) =>
  api.post<Instruction>(OFFRAMP, { ...offrampRequest(), ...more })

const audit = async (api: Client, user = users.ada): Promise<readonly OfframpItem[]> =>
  (await api.read<Audit<OfframpItem>>(`/payment/api/v1/offramp-audit/${user}?size=100`))
    .transactions

export const walletCases: CasesOf<'wallet'> = {
  'wallet.chain': {
    see: async (api) => {
      const seen: unknown[] = []
      for (const [n, chain] of ['celo', LONG_NAME].entries()) {
        const { status, body } = await wallet(api, { chain, customer_wallet_ref: ownId(n + 1) })
        seen.push(status, body.blockchain)
      }
      return seen
    },
    as: { refused: [400, undefined, 400, undefined], accepted: [201, 'celo', 201, LONG_NAME] },
  },
  'wallet.repeat': {
    see: async (api) => {
      const first = await wallet(api)
      const again = await wallet(api)
      return [outcomeOf(again), again.body.id === first.body.id]
    },
    as: { same: ['200', true], conflict: ['409 4090', false], second: ['201', false] },
  },
  'wallet.same_chain': {
    see: async (api) => {
      const first = await wallet(api, { chain: 'tron' })
      const second = await wallet(api, { chain: 'tron', customer_wallet_ref: ownId(3) })
      return [outcomeOf(first), outcomeOf(second)]
    },
    as: { allowed: ['201', '201'], conflict: ['201', '409 4090'] },
  },
  'wallet.status': {
    see: async (api) => {
      const [first, again] = [await wallet(api), await wallet(api)]
      return [first.body.status, again.body.status]
    },
    as: { active: ['ACTIVE', 'ACTIVE'], pending: ['PENDING', 'ACTIVE'] },
  },
}

export const chainCases: CasesOf<'chain' | 'address'> = {
  'chain.spelling': {
    see: async (api) => {
      const wallet = { ...walletRequest(), chain: 'Polygon' }
      const first = await api.post<{ blockchain?: string }>(WALLET, wallet)
      const balance = `/payment/api/v1/offramp-audit/crypto-balance`
      const [item] = await audit(api)
      const status = `/payment/api/v1/fx-audit/status/${transferId(1)}`
      const { source_info } = await api.read<Sourced>(status)
      return [
        outcomeOf(first),
        first.body.blockchain,
        await posted(api, WALLET, wallet),
        outcomeOf(await api.get(`${balance}/usdc/Polygon/${users.ada}`)),
        (await initiate(api)).body.chain,
        item?.blockchain,
        source_info.source_account_details.payment_rail,
      ]
    },
    as: {
      lower: ['400 4000', undefined, '400 4000', '200', 'polygon', 'ethereum', 'polygon'],
      any_case: ['201', 'polygon', '200', '200', 'polygon', 'ethereum', 'polygon'],
      exact: ['400 4000', undefined, '400 4000', '400 4000', 'polygon', 'ethereum', 'polygon'],
      upper: ['201', 'POLYGON', '200', '200', 'POLYGON', 'ETHEREUM', 'POLYGON'],
    },
  },
  'address.case': {
    see: async (api) => {
      const total = '/payment/api/v1/custody-wallet/total-balances'
      const tokens = await api.read<{ contract_address: string }[]>(total)
      const sources = [await api.read<Sourced>(`/payment/api/v1/fx-audit/status/${transferId(1)}`)]
      const addresses = [
        (await api.make<{ wallet_address: string }>(WALLET, walletRequest())).wallet_address,
        (await api.make<{ address: string }>(OFFRAMP, offrampRequest())).address,
        ...tokens.map(({ contract_address }) => contract_address),
        ...sources.map(({ source_info }) => source_info.source_account_details.masked_details),
      ]
      const evm = addresses.filter((address) => address.startsWith('0x'))
      return [
        evm.some((address) => address !== address.toLowerCase()),
        addresses.every((address) => address === address.toLowerCase()),
      ]
    },
    as: { checksummed: [true, false], lower: [false, false] },
  },
}

export const offrampCases: CasesOf<'offramp'> = {
  'offramp.asset': {
    see: async (api) => {
      const first = await initiate(api)
      const again = await initiate(api)
      return [first.body.crypto, first.body.chain, again.body.address === first.body.address]
    },
    as: { account: ['USDC', 'polygon', true], solana: ['USDC', 'solana', true] },
  },
  'offramp.address': {
    see: async (api) => {
      const first = await initiate(api)
      const again = await initiate(api)
      const deposit = { address: again.body.address, amount: '100' }
      const { matched } = await api.make<{ matched: string }>('/_sandbox/deposits', deposit)
      return [again.body.address === first.body.address, matched]
    },
    as: { same: [true, 'offramp'], fresh: [false, 'offramp'] },
  },
  'offramp.listed': {
    see: async (api) => {
      const before = (await audit(api)).length
      const account = await api.make<{ account_id: string }>(
        `/_sandbox/users/${users.ada}/accounts`,
        { currency: 'GBP', account_number: 'GB29NWBK60161331926819' },
      )
      const { body } = await initiate(api, { account_id: account.account_id })
      const listed = await audit(api)
      const more = listed.length - before
      api.sandbox.advance('1m')
      await api.make('/_sandbox/deposits', { address: body.address, amount: '100' })
      const arrived = await audit(api)
      const [newest] = listed
      return {
        more,
        amount: more ? newest?.crypto_amount : null,
        after: arrived.length - before,
        same: arrived[0]?.id === newest?.id && arrived[0]?.created_at === newest?.created_at,
      }
    },
    as: {
      on_deposit: { more: 0, amount: null, after: 1, same: false },
      on_initiate: { more: 1, amount: 0, after: 1, same: true },
    },
  },
  'offramp.id': {
    see: async (api) => {
      const [item] = await audit(api)
      return api.sandbox.tables.transfers.get(item?.id ?? '') !== undefined
    },
    as: { own: false, transfer: true },
  },
  'offramp.foreign_account': {
    see: async (api) => [
      await posted(api, OFFRAMP, { user_id: users.ada, account_id: accounts.benEur }),
      await posted(api, OFFRAMP, { user_id: users.ada, account_id: NOBODY }),
    ],
    as: {
      not_found: ['404 4040', '404 4040'],
      invalid: ['400 4000', '400 4000'],
      forbidden: ['403 4033', '404 4040'],
    },
  },
  'offramp.below_fee': {
    see: async (api) => {
      const before = (await audit(api)).length
      const deposit = { address: addresses.adaEur, amount: '0.5' }
      const { matched } = await api.make<{ matched: string }>('/_sandbox/deposits', deposit)
      const listed = await audit(api)
      return [matched, listed.length - before, listed[0]?.status === 'failed']
    },
    as: { failed: ['offramp', 1, true], unmatched: ['unmatched', 0, false] },
  },
  'offramp.created_at': {
    see: async (api) => {
      const all = api.sandbox.tables.instructions.all()
      const { created_at } = all.find(({ address }) => address === addresses.adaEur) ?? {}
      await api.make('/_sandbox/deposits', { address: addresses.adaEur, amount: '100' })
      const [item] = await audit(api)
      return [item?.created_at === BEGINNING, item?.created_at === created_at]
    },
    as: { deposit: [true, false], initiation: [false, true] },
  },
  'offramp.other_token': {
    see: async (api) => {
      const before = (await audit(api)).length
      const deposit = {
        address: addresses.adaEur,
        crypto: 'USDT',
        chain: 'ethereum',
        amount: '100',
      }
      const { matched } = await api.make<{ matched: string }>('/_sandbox/deposits', deposit)
      const listed = await audit(api)
      const [newest] = listed
      return [matched, listed.length - before, newest?.crypto_amount === 100]
    },
    as: { unmatched: ['unmatched', 0, false], converted: ['offramp', 1, true] },
  },
}

export const depositCases: CasesOf<'deposit'> = {
  'deposit.limits': {
    worldOnly: true,
    see: async (api) => {
      const before = (await audit(api)).length
      const matched: string[] = []
      for (const amount of ['9.99', '10', '10000', '10000.01']) {
        const deposit = { address: addresses.adaEur, amount }
        matched.push((await api.make<{ matched: string }>('/_sandbox/deposits', deposit)).matched)
      }
      return [...matched, (await audit(api)).length - before]
    },
    as: {
      any: [...Array(4).fill('offramp'), 4],
      unmatched: ['unmatched', 'offramp', 'offramp', 'unmatched', 2],
    },
  },
  'deposit.inactive_user': {
    see: async (api) => {
      const pause = { status: 'paused' }
      await api.make(`/_sandbox/users/${users.ada}/status`, pause)
      const deposit = { address: addresses.adaEur, amount: '100' }
      const { matched } = await api.make<{ matched: string }>('/_sandbox/deposits', deposit)
      const [item] = await audit(api)
      api.sandbox.advance({ until: 'idle' })
      const [later] = await audit(api)
      return [matched, item?.status, item?.crypto_amount, later?.status]
    },
    as: {
      converted: ['offramp', 'pending', 100, 'payment_processed'],
      failed: ['offramp', 'failed', 100, 'failed'],
    },
  },
}
