import { fiatBalances } from '../world/balances.js'
import { Big } from '../world/big.js'
import { assetOf, type Token } from '../world/chains.js'
import { decimalsOf } from '../world/currencies.js'
import { Refusal } from '../world/kernel/refusal.js'
import { round } from '../world/money.js'
import type { Instruction } from '../world/offramps.js'
import { type Rail, rateBetween } from '../world/rails.js'
import { fullName, type User } from '../world/users.js'
import type { Tables } from '../world/world.js'
import { userGiven } from './filters.js'
import { because, type Step, userOrStep } from './onboarding-steps.js'
import { controlCurl, demoCurl } from './try.js'
import type { View } from './view.js'

/** An id that a client might choose, another one each time. */
const ownId = (prefix: string, n: number): string =>
  `${prefix}-0000-4000-8000-${String(n).padStart(12, '0')}`

/** What follows where an active user is there. */
const withUser = (view: View, next: (user: User) => Step): Step => {
  const found = userOrStep(view)
  return 'words' in found ? found : next(found)
}

/** Rails that reach any bank. */
const bankRails = ({ rails }: Tables): Rail[] =>
  rails.list('all', '').filter(({ providers }) => providers.length === 0)

const NO_RAIL: Step = {
  words: 'The fixtures have no rail that reaches banks, so there can be none.',
}

/** What leads to a payout. */
export const stepToPayout = (view: View): Step =>
  withUser(view, (user) => {
    const rails = bankRails(view.tables)
    const [first] = rails
    if (!first) return NO_RAIL
    const balances = fiatBalances(view.tables, user.id)
    const affordable = rails.find((rail) => {
      const balance = balances.find(({ currency }) => currency === rail.currency)
      return balance && new Big(balance.amount).gte(amountFor(rail).plus(rail.payout_fee))
    })
    return affordable ? paying(view, user, affordable) : crediting(view, user, first)
  })

/** Ten, and enough that the fee leaves something of it, whoever bears it. */
const amountFor = ({ payout_fee }: Rail): Big => new Big(payout_fee).times(2).plus(10)

const inCurrency = (amount: Big, { currency }: Rail): string => round(amount, decimalsOf(currency))

const paying = (view: View, user: User, rail: Rail): Step => ({
  words: 'A client makes one:',
  command: demoCurl(view, '/payment/api/v1/payout', {
    user_id: user.id,
    currency: rail.currency,
    customer_payout_id: ownId('c0ffee00', view.tables.payouts.next),
    amount: inCurrency(amountFor(rail), rail),
    recipient_details: {
      bank_name: 'Marina Test Bank',
      account_holder_name: fullName(user),
      recipient_account_number: '0690000031',
    },
  }),
})

const crediting = (view: View, user: User, rail: Rail): Step => ({
  words: 'Nobody can pay out of an empty balance. Credit the user:',
  command: controlCurl(view, `/users/${user.id}/balances`, {
    currency: rail.currency,
    amount: inCurrency(amountFor(rail).times(100), rail),
  }),
})

/** What leads to a custody wallet. */
export const stepToWallet = (view: View): Step =>
  withUser(view, (user) => {
    const { chains, wallets } = view.tables
    const chain = chains
      .list('all', '')
      .find(({ id }) => wallets.count('user_chain', `${user.id} ${id}`) === 0)
    if (!chain) return { words: 'The fixtures have no chain for another one.' }
    return {
      words: 'A client makes one:',
      command: demoCurl(view, '/payment/api/v1/custody-wallet', {
        user_id: user.id,
        chain: chain.id,
        customer_wallet_ref: ownId('b0b00000', wallets.next),
      }),
    }
  })

/** What leads to a deposit into a wallet. */
export const stepToDeposit = (view: View): Step => {
  const [wallet] = view.tables.wallets.list('all', '')
  if (!wallet) return because('There is no wallet.', stepToWallet(view))
  const tokens = view.tables.tokens.list('all', '')
  const token = tokens.find(({ chain }) => chain === wallet.blockchain)
  if (!token) return { words: `The fixtures have no token on ${wallet.blockchain}.` }
  return {
    words: 'Let some arrive:',
    command: controlCurl(view, '/deposits', {
      address: wallet.wallet_address,
      amount: '100',
      crypto: token.symbol,
    }),
  }
}

/** What leads to a deposit address. */
export const stepToAddress = (view: View): Step =>
  withUser(view, (user) => {
    const [account] = view.tables.accounts.list('user', user.id)
    if (!account) return registering(view, user)
    return {
      words: 'A client asks for one:',
      command: demoCurl(view, '/payment/api/v1/offramp', {
        user_id: user.id,
        account_id: account.id,
      }),
    }
  })

/** What an address expects by itself (offramp.asset). */
const USUAL = assetOf('USDC', 'polygon')

const registering = (view: View, user: User): Step => {
  const { tables } = view
  const token = tables.tokens.get(USUAL) ?? tables.tokens.list('all', '')[0]
  if (!token) return { words: 'The fixtures have no token, so no crypto can be expected anywhere.' }
  const rail = bankRails(tables).find(({ currency }) => hasRate(tables, token.symbol, currency))
  if (!rail) {
    return {
      words: `The fixtures have no rail with a rate from ${token.symbol}, so there can be none.`,
    }
  }
  return {
    words: 'It belongs to a bank account to which the money goes on. Register one:',
    command: controlCurl(view, `/users/${user.id}/accounts`, {
      currency: rail.currency,
      account_number: '0690000031',
      ...expecting(token),
    }),
  }
}

const expecting = ({ id, symbol, chain }: Token) => (id === USUAL ? {} : { crypto: symbol, chain })

const hasRate = (tables: Tables, source: string, target: string): boolean => {
  try {
    return rateBetween(tables, source, target) !== ''
  } catch (error) {
    if (error instanceof Refusal) return false
    throw error
  }
}

/** What leads to a transfer: for most people, crypto at the deposit address of an offramp. */
export const stepToTransfer = (view: View): Step => {
  const instruction = instructionOf(view)
  if (!instruction) return because('There is no deposit address.', stepToAddress(view))
  return {
    words: 'Let some arrive:',
    command: controlCurl(view, '/deposits', { address: instruction.address, amount: '100' }),
  }
}

const instructionOf = (view: View): Instruction | undefined => {
  const { accounts, instructions, users } = view.tables
  const user = users.get(userGiven(view) ?? '')?.id
  if (user === undefined) return instructions.first('all', '')
  return accounts
    .list('user', user)
    .map(({ id }) => instructions.first('account', id))
    .find((it) => it !== undefined)
}
