import { fiatBalances } from '../domain/balances.js'
import { toAsset } from '../domain/chains.js'
import { assetDecimals } from '../domain/currencies.js'
import { Decimal } from '../domain/decimal.js'
import { round } from '../domain/money.js'
import { rateBetween } from '../domain/rails.js'
import type { DepositAddress, Rail, Tables, Token, User } from '../domain/schema.js'
import { fullName } from '../domain/users.js'
import { Refusal } from '../kernel/refusal.js'
import { userGiven } from './components/filters.js'
import { controlCurl, demoCurl } from './curl.js'
import { type NextStep, userOrStep, withReason } from './onboarding-next-steps.js'
import type { PageContext } from './page-context.js'

/** An id that a client might choose, another one each time. */
const ownId = (prefix: string, n: number): string =>
  `${prefix}-0000-4000-8000-${String(n).padStart(12, '0')}`

/** What follows where an active user is there. */
const withUser = (ctx: PageContext, next: (user: User) => NextStep): NextStep => {
  const found = userOrStep(ctx)
  return 'words' in found ? found : next(found)
}

/** Rails that reach any bank. */
const bankRails = ({ rails }: Tables): Rail[] =>
  rails.list('all', '').filter(({ providers }) => providers.length === 0)

const NO_RAIL: NextStep = {
  words: 'The fixtures have no rail that reaches banks, so there can be none.',
}

/** What leads to a payout. */
export const nextStepForPayout = (ctx: PageContext): NextStep =>
  withUser(ctx, (user) => {
    const rails = bankRails(ctx.tables)
    const [first] = rails
    if (!first) return NO_RAIL
    const balances = fiatBalances(ctx.tables, user.id)
    const affordable = rails.find((rail) => {
      const balance = balances.find(({ currency }) => currency === rail.currency)
      return balance && new Decimal(balance.amount).gte(amountFor(rail).plus(rail.payout_fee))
    })
    return affordable ? paying(ctx, user, affordable) : crediting(ctx, user, first)
  })

/** Ten, and enough that the fee leaves something of it, whoever bears it. */
const amountFor = ({ payout_fee }: Rail): Decimal => new Decimal(payout_fee).times(2).plus(10)

const inCurrency = (amount: Decimal, { currency }: Rail): string =>
  round(amount, assetDecimals(currency))

const paying = (ctx: PageContext, user: User, rail: Rail): NextStep => ({
  words: 'A client makes one:',
  command: demoCurl(ctx, '/payment/api/v1/payout', {
    user_id: user.id,
    currency: rail.currency,
    customer_payout_id: ownId('c0ffee00', ctx.tables.payouts.next),
    amount: inCurrency(amountFor(rail), rail),
    recipient_details: {
      bank_name: 'Marina Test Bank',
      account_holder_name: fullName(user),
      recipient_account_number: '0690000031',
    },
  }),
})

const crediting = (ctx: PageContext, user: User, rail: Rail): NextStep => ({
  words: 'Nobody can pay out of an empty balance. Credit the user:',
  command: controlCurl(ctx, `/users/${user.id}/balances`, {
    currency: rail.currency,
    amount: inCurrency(amountFor(rail).times(100), rail),
  }),
})

/** What leads to a custody wallet. */
export const nextStepForWallet = (ctx: PageContext): NextStep =>
  withUser(ctx, (user) => {
    const { chains, wallets } = ctx.tables
    const chain = chains
      .list('all', '')
      .find(({ id }) => wallets.count('user_chain', `${user.id} ${id}`) === 0)
    if (!chain) return { words: 'The fixtures have no chain for another one.' }
    return {
      words: 'A client makes one:',
      command: demoCurl(ctx, '/payment/api/v1/custody-wallet', {
        user_id: user.id,
        chain: chain.id,
        customer_wallet_ref: ownId('b0b00000', wallets.next),
      }),
    }
  })

/** What leads to a deposit into a wallet. */
export const nextStepForDeposit = (ctx: PageContext): NextStep => {
  const [wallet] = ctx.tables.wallets.list('all', '')
  if (!wallet) return withReason('There is no wallet.', nextStepForWallet(ctx))
  const tokens = ctx.tables.tokens.list('all', '')
  const token = tokens.find(({ chain }) => chain === wallet.blockchain)
  if (!token) return { words: `The fixtures have no token on ${wallet.blockchain}.` }
  return {
    words: 'Let some arrive:',
    command: controlCurl(ctx, '/deposits', {
      address: wallet.wallet_address,
      amount: '100',
      crypto: token.symbol,
    }),
  }
}

/** What leads to a deposit address. */
export const nextStepForAddress = (ctx: PageContext): NextStep =>
  withUser(ctx, (user) => {
    const [account] = ctx.tables.accounts.list('user', user.id)
    if (!account) return registering(ctx, user)
    return {
      words: 'A client asks for one:',
      command: demoCurl(ctx, '/payment/api/v1/offramp', {
        user_id: user.id,
        account_id: account.id,
      }),
    }
  })

/** What an address expects by itself (offramp.asset). */
const USUAL = toAsset('USDC', 'polygon')

const registering = (ctx: PageContext, user: User): NextStep => {
  const { tables } = ctx
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
    command: controlCurl(ctx, `/users/${user.id}/accounts`, {
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
export const nextStepForTransfer = (ctx: PageContext): NextStep => {
  const instruction = findDepositAddress(ctx)
  if (!instruction) return withReason('There is no deposit address.', nextStepForAddress(ctx))
  return {
    words: 'Let some arrive:',
    command: controlCurl(ctx, '/deposits', { address: instruction.address, amount: '100' }),
  }
}

const findDepositAddress = (ctx: PageContext): DepositAddress | undefined => {
  const { accounts, instructions, users } = ctx.tables
  const user = users.get(userGiven(ctx) ?? '')?.id
  if (user === undefined) return instructions.first('all', '')
  return accounts
    .list('user', user)
    .map(({ id }) => instructions.first('account', id))
    .find((it) => it !== undefined)
}
