import type { AssumptionId } from '../../assumptions/ids.js'
import { parseInstant } from '../../kernel/time.js'
import { type Exchange, getText, isOk, signature } from '../exchange.js'
import {
  type Answered,
  balanceKey,
  isClose,
  type Repeat,
  type Traffic,
  userOf,
  walletKey,
} from '../traffic.js'
import type { EvidenceOf, Left, Say } from './rows.js'

type Wallet = Answered<'createCustodyWallet'>

/** An earlier request that created a wallet for the same user and chain with another reference. */
const findNeighbour = (t: Traffic, x: Exchange): Wallet | undefined =>
  t.newWallets.get(walletKey(x))?.find((y) => y.source === x.source && y.n < x.n)

const findWalletRepeat = (
  t: Traffic,
  say: Say<'same' | 'conflict' | 'second'>,
  left: Left,
): void => {
  const mayShareChain = !left('wallet.same_chain').includes('conflict')
  for (const { first, again, isSame } of t.repeats('createCustodyWallet')) {
    if (!isSame) continue
    if (again.status === 409) {
      if (mayShareChain) say('conflict', 'refused as a conflict', first, again)
      else sayOfConflict(t, say, { first, again, isSame })
    } else if (isOk(again) && again.answer !== undefined) {
      const isFirst = getText(again.answer, 'id') === first.answer.id
      say(isFirst ? 'same' : 'second', isFirst ? 'the same wallet' : 'another wallet', first, again)
    } else if (again.status === 422 || again.status === 202)
      say([], `status ${again.status}`, first, again)
  }
}

/** The chain may be taken, and not the reference: the refusal of a new reference has that signature. */
const sayOfConflict = (
  t: Traffic,
  say: Say<'same' | 'conflict' | 'second'>,
  { first, again }: Repeat<'createCustodyWallet'>,
): void => {
  const taken = t
    .of('createCustodyWallet')
    .find(
      (y) =>
        y.status === 409 &&
        t.isComplete &&
        walletKey(y) === walletKey(again) &&
        t.before(y).length === 0 &&
        findNeighbour(t, y),
    )
  if (!taken) say(['conflict', 'second'], 'refused as a conflict', first, again)
  else if (signature(taken) === signature(again))
    say('second', 'refused as another wallet on the chain is', first, again, taken)
  else say('conflict', 'refused, but not as another wallet on the chain is', first, again, taken)
}

const findSameChain = (t: Traffic, say: Say<'allowed' | 'conflict'>): void => {
  for (const x of t.of('createCustodyWallet')) {
    const other = t.before(x).length === 0 ? findNeighbour(t, x) : undefined
    if (!other) continue
    if (x.status === 409 && t.isComplete)
      say('conflict', 'a second wallet on the chain is refused', other, x)
    else if (t.isNew(x)) say('allowed', 'a second wallet on the chain', other, x)
  }
}

const findWalletStatus = (t: Traffic, say: Say<'active' | 'pending'>): void => {
  for (const list of t.newWallets.values())
    for (const x of list) {
      const { status } = x.answer
      if (status === 'PENDING') say('pending', 'PENDING', x)
      else if (status && t.isComplete) say(status === 'ACTIVE' ? 'active' : [], status, x)
    }
}

const isExact = ({ params: { crypto = '', blockchain = '' } }: Exchange): boolean =>
  crypto === crypto.toUpperCase() && blockchain === blockchain.toLowerCase()

const findSpelling = (t: Traffic, say: Say<'any_case' | 'exact'>): void => {
  const plain = t.balances
  for (const x of t.of('getCryptoBalance')) {
    const exact = isExact(x)
      ? undefined
      : plain.get(balanceKey(x))?.find((y) => isExact(y) && isClose(x, y))
    if (!exact) continue
    if (x.status === 200 && x.answer === exact.answer && exact.answer > 0)
      say('any_case', 'another spelling gives the same balance', x, exact)
    else if (x.status >= 400) say(x.status === 400 ? 'exact' : [], 'another spelling', x, exact)
  }
}

const findAsset = (t: Traffic, say: Say<'account' | 'solana'>): void => {
  const accounts = t.facts.accounts ?? {}
  for (const x of t.ok('initiateOfframp')) {
    const asset = `${x.answer.crypto} ${x.answer.chain}`.toLowerCase()
    const { crypto, chain } = accounts[getText(x.body, 'account_id') ?? ''] ?? {}
    const own = crypto && `${crypto} ${chain}`.toLowerCase()
    if (asset !== 'usdc solana') say('account', asset, x)
    else if (own && own !== asset) say('solana', `${asset}, though the account has ${own}`, x)
  }
}

const isBeyondLimits = (amount: number): boolean => amount < 10 || amount > 10_000

/** A list of the user that was read long enough after a deposit shows it, if it ever does. */
const ARRIVED_MS = 10_000

const findLimits = (t: Traffic, say: Say<'any' | 'unmatched'>): void => {
  for (const { at, address, crypto, chain, amount } of t.facts.deposits ?? []) {
    const asked = t.ok('initiateOfframp').find(({ answer }) => {
      const isExpected = answer.crypto === crypto && answer.chain === chain
      return isExpected && answer.address === address
    })
    if (!asked || !isBeyondLimits(amount)) continue
    const lists = (t.wholeLists('getOfframpAudit').get(userOf(asked) ?? '') ?? []).filter(
      (x) => (x.date ?? x.at) - parseInstant(at) > ARRIVED_MS,
    )
    const last = lists.at(-1)
    const listed = lists.find(({ answer }) =>
      answer.transactions?.some(({ crypto_amount }) => crypto_amount === amount),
    )
    if (listed) say('any', 'the deposit is listed', listed)
    else if (last) say('unmatched', 'the deposit is not listed', last)
  }
}

export const walletEvidence = {
  'wallet.repeat': {
    needs: 'createCustodyWallet twice with one customer_wallet_ref',
    find: findWalletRepeat,
  },
  'wallet.same_chain': {
    needs: 'createCustodyWallet twice for one user and chain, with two references',
    find: findSameChain,
  },
  'wallet.status': { needs: 'createCustodyWallet with a new reference', find: findWalletStatus },
  'chain.spelling': {
    needs: 'getCryptoBalance of usdc on Polygon and of USDC on polygon, for a user who has some',
    find: findSpelling,
  },
  'offramp.asset': {
    needs: 'initiateOfframp, with the asset of the account in the facts',
    find: findAsset,
  },
  'deposit.limits': {
    needs: 'a deposit of 5 in the facts, then getOfframpAudit of the whole list',
    find: findLimits,
  },
} satisfies Partial<EvidenceOf<AssumptionId>>
