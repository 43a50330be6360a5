import type { AssumptionId } from '../../assumptions/ids.js'
import { parseInstant } from '../../kernel/time.js'
import type { Exchange } from '../exchange.js'
import { CLOSE_MS, isNobody, type Traffic, userOf } from '../traffic.js'
import type { EvidenceOf, Say } from './rows.js'

/** The chains on which answers show each token. */
const chainsByToken = (t: Traffic): ReadonlyMap<string, ReadonlySet<string>> => {
  const chains = new Map<string, Set<string>>()
  const add = (token: string | null | undefined, chain: string | null | undefined) => {
    if (!token || !chain) return
    const known = chains.get(token.toLowerCase()) ?? new Set()
    chains.set(token.toLowerCase(), known.add(chain.toLowerCase()))
  }
  for (const { params } of t.ok('getCryptoBalance')) add(params.crypto, params.blockchain)
  for (const { answer } of t.ok('initiateOfframp')) add(answer.crypto, answer.chain)
  for (const { it } of t.offramps) add(it.crypto_currency, it.blockchain)
  return chains
}

const findTotal = (t: Traffic, say: Say<'per_chain' | 'per_token'>): void => {
  const chains = chainsByToken(t)
  for (const x of t.ok('getTotalCustodyBalances')) {
    const tokens = x.answer.map(({ crypto }) => crypto?.toLowerCase() ?? '')
    if (new Set(tokens).size < tokens.length) say('per_chain', 'a token has two entries', x)
    else if (tokens.some((token) => (chains.get(token)?.size ?? 0) > 1))
      say('per_token', 'a token of two chains has one entry', x)
  }
}

/** The date of an answer has whole seconds. */
const SECOND_MS = 1_000

const findScope = (t: Traffic, say: Say<'wallets' | 'with_offramps'>): void => {
  for (const { at, crypto, chain, amount, address } of t.facts.deposits ?? []) {
    const asked = t.ok('initiateOfframp').find(({ answer }) => answer.address === address)
    const time = parseInstant(at)
    const clock = (x: Exchange) => x.date ?? x.at
    const reads = t.balances.get(`${crypto} ${chain} ${asked && userOf(asked)}`.toLowerCase()) ?? []
    const before = reads.findLast((x) => clock(x) + SECOND_MS <= time && time - clock(x) < CLOSE_MS)
    const after = reads.find((x) => clock(x) >= time && clock(x) - time < CLOSE_MS)
    const detail = t.details.findLast(
      ({ it, x }) =>
        it.source_amount === amount &&
        after !== undefined &&
        x.n > after.n &&
        it.source_currency?.toLowerCase() === crypto.toLowerCase(),
    )
    const converted = detail?.it.conversion_processed_at
    if (!before || !after || !detail) continue
    if (converted && parseInstant(converted) < clock(after) + SECOND_MS) continue
    if (!converted && /FAILED|CANCELLED/.test(detail.it.status ?? '')) continue
    const rise = after.answer - before.answer
    if (Math.abs(rise - amount) < 0.011)
      say('with_offramps', 'the balance rises by the deposit', before, after)
    else if (rise === 0) say('wallets', 'the balance stays', before, after)
  }
}

/** No service has these. */
const INVENTED = /nocoin|nochain/i

const findUnknown = (t: Traffic, say: Say<'invalid' | 'not_found'>): void => {
  const users = new Set(t.users.map(({ it }) => it.id?.toLowerCase()))
  const pairs = new Set(
    t.ok('getCryptoBalance').map(({ params }) => `${params.crypto} ${params.blockchain}`),
  )
  for (const x of t.of('getCryptoBalance')) {
    const pair = `${x.params.crypto} ${x.params.blockchain}`
    if (isNobody(userOf(x)) || !users.has(userOf(x))) continue
    if (INVENTED.test(pair))
      say(
        x.status === 400 ? 'invalid' : x.status === 404 ? 'not_found' : [],
        'an unknown token or chain',
        x,
      )
    else if (x.status === 404 && pairs.has(pair)) say('not_found', 'a user without a wallet', x)
  }
}

export const balanceEvidence = {
  'balance.total': {
    needs: 'getTotalCustodyBalances, and getCryptoBalance of a token on two chains',
    find: findTotal,
  },
  'balance.scope': {
    needs: 'a deposit in the facts, with getCryptoBalance before and just after it',
    find: findScope,
  },
  'crypto.unknown': {
    needs: 'listUsers, and getCryptoBalance of NOCOIN for a known user',
    find: findUnknown,
  },
} satisfies Partial<EvidenceOf<AssumptionId>>
