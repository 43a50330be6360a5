import type { Client } from '../../support/client.js'
import { addresses, ownId, users } from '../../support/fixture-ids.js'
import { offrampRequest, walletRequest } from '../../support/requests.js'
import type { Audit, Instruction, OfframpItem, Wallet } from '../../support/wire.js'
import { type CasesOf, outcomeOf } from '../reading-case.js'

const WALLET = '/payment/api/v1/custody-wallet'
const OFFRAMP = '/payment/api/v1/offramp'

const wallet = (api: Client, more: object = {}) =>
  api.post<Wallet>(WALLET, { ...walletRequest(), ...more })

const initiate = (api: Client, more: object = {}) =>
  api.post<Instruction>(OFFRAMP, { ...offrampRequest(), ...more })

const audit = async (api: Client, user = users.ada): Promise<readonly OfframpItem[]> =>
  (await api.read<Audit<OfframpItem>>(`/payment/api/v1/offramp-audit/${user}?size=100`))
    .transactions

export const walletCases: CasesOf<'wallet'> = {
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

export const chainCases: CasesOf<'chain'> = {
  'chain.spelling': {
    see: async (api) => {
      const balance = `/payment/api/v1/offramp-audit/crypto-balance`
      const spelled = ['USDC/polygon', 'usdc/polygon', 'USDC/Polygon']
      const paths = spelled.map((names) => `${balance}/${names}/${users.ada}`)
      return (await Promise.all(paths.map((path) => api.get(path)))).map(outcomeOf)
    },
    as: { any_case: ['200', '200', '200'], exact: ['200', '400 4000', '400 4000'] },
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
}
