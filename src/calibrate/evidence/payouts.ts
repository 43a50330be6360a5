import type { AssumptionId } from '../../assumptions/ids.js'
import { canonical, type Exchange, getField, getText, isOk, isRedacted } from '../exchange.js'
import {
  type Answered,
  CLOSE_MS,
  clientIdOf,
  isNobody,
  overlaps,
  type Repeat,
  type Traffic,
  userOf,
} from '../traffic.js'
import { accepts, type EvidenceOf, type Left, type Say, seen } from './rows.js'

type Payout = Answered<'createPayout'>
type PayoutRepeat = Repeat<'createPayout'>

const isFailed = (status: string | null | undefined): boolean =>
  /^PAYOUT_(?:FAILED|REJECTED|RETURNED)$/.test(status ?? '')
const isPending = (status: string | null | undefined): boolean =>
  /^PAYOUT_(?:PENDING|INITIATED)$/.test(status ?? '')

const amountOf = (x: Exchange): number => Number(getField(x.body, 'amount'))
const isPlainAmount = (x: Exchange): boolean =>
  /^[1-9]\d{0,10}(?:\.\d\d)?$/.test(getText(x.body, 'amount') ?? '')
const recipientOf = (x: Exchange): string | undefined =>
  getText(x.body, 'recipient_details.recipient_account_number')
const countRecipients = (list: readonly Exchange[]): number => new Set(list.map(recipientOf)).size

/** A recipient may always fail or stay pending; three that do are no chance. */
const SEVERAL = 3
const DAY_MS = 24 * 3_600_000

/** The payout of a repeat, if its answer shows one. */
const repeated = ({ again }: PayoutRepeat): Payout | undefined =>
  isOk(again) && again.answer !== undefined ? (again as Payout) : undefined

/** Each repeat with the status that the payout had last. */
const withStatusBefore = (t: Traffic): readonly (PayoutRepeat & { was: string })[] => {
  const last = new Map<string, string>()
  return t.repeats('createPayout').map((pair) => {
    const { first } = pair
    const id = first.answer.id ?? ''
    const was = last.get(id) ?? first.answer.status ?? ''
    const shown = repeated(pair)?.answer
    if (shown?.id === id) last.set(id, shown.status ?? '')
    return { ...pair, was }
  })
}

const KEEPING = ['current', 'replay', 'a_day', 'failed_again'] as const

const findRepeat = (t: Traffic, say: Say<(typeof KEEPING)[number] | 'conflict' | 'second'>) => {
  const pairs = withStatusBefore(t).filter(({ isSame }) => isSame)
  const isAnother = ({ first, again }: PayoutRepeat) => {
    const shown = isOk(again) ? (again as Payout).answer?.id : undefined
    return typeof shown === 'string' && shown !== first.answer.id
  }
  const soon = pairs.filter((it) => isAnother(it) && it.again.at - it.first.at < CLOSE_MS)
  const isPayingTwice = countRecipients(soon.map(({ first }) => first)) >= SEVERAL
  for (const pair of pairs) {
    const { first, again, was } = pair
    const shown = repeated(pair)?.answer
    const gap = again.at - first.at
    if (again.status === 409) say('conflict', 'refused as a conflict', first, again)
    else if (!shown) continue
    else if (shown.id !== first.answer.id) {
      const hasFailed = isFailed(was) || gap >= CLOSE_MS || (isPending(was) && !isPayingTwice)
      const others = [
        ...(gap >= DAY_MS ? ['a_day' as const] : []),
        ...(hasFailed ? ['failed_again' as const] : []),
      ]
      say(['second', ...others], 'the repeat makes another payout', first, again)
    } else {
      const isReplay = canonical(shown) === canonical(first.answer)
      const isStillFailed = isFailed(was) || (isFailed(shown.status) && !isReplay)
      const fits = {
        current: true,
        replay: isReplay,
        a_day: gap < DAY_MS,
        failed_again: !isStillFailed,
      }
      say(
        KEEPING.filter((name) => fits[name]),
        'the repeat shows the first payout',
        first,
        again,
      )
    }
  }
}

/** Fields in which a request differs from the first one of its id. */
const isReallyChanged = ({ first, again }: PayoutRepeat): boolean =>
  isPlainAmount(first) &&
  isPlainAmount(again) &&
  (amountOf(first) !== amountOf(again) || recipientOf(first) !== recipientOf(again))

const findChangedRepeat = (
  t: Traffic,
  say: Say<'invalid' | 'conflict' | 'first'>,
  left: Left,
): void => {
  const repeat = left('payout.repeat')
  for (const pair of withStatusBefore(t)) {
    const { first, again, was } = pair
    if (!isReallyChanged(pair)) continue
    const shown = repeated(pair)?.answer
    if (shown?.id === first.answer.id) say('first', 'it shows the first payout', first, again)
    const mayBeNew =
      repeat.includes('second') ||
      (repeat.includes('a_day') && again.at - first.at >= DAY_MS) ||
      (repeat.includes('failed_again') && !/PROCESSED/.test(was))
    if (mayBeNew) continue
    if (again.status === 409 && !repeat.includes('conflict'))
      say('conflict', 'refused as a conflict', first, again)
    if (again.status !== 400 && again.status !== 422) continue
    const plain = t.control(again, ['customer_payout_id'])
    if (plain)
      say(
        again.status === 400 ? 'invalid' : [],
        'refused, and accepted with an id of its own',
        again,
        plain,
      )
  }
}

const findBalance = (t: Traffic, say: Say<'by_case' | 'invalid' | 'not_found'>): void => {
  const { poor } = t.facts.users ?? {}
  const paid = t.ok('createPayout')
  for (const x of t.of('createPayout')) {
    if (![400, 404].includes(x.status) || isNobody(userOf(x)) || !isPlainAmount(x)) continue
    if (t.isTaken(x) || !t.isActive(x)) continue
    const small = t.control(x, ['amount', 'customer_payout_id'], (y) => amountOf(y) < amountOf(x))
    const isLarge = small && (t.isComplete || clientIdOf(small) === clientIdOf(x))
    if (isLarge)
      say(
        x.status === 404 ? 'not_found' : ['by_case', 'invalid'],
        'more than the balance',
        x,
        small,
      )
    if (poor === undefined || userOf(x) !== poor) continue
    const body = canonical(x.body, ['user_id', 'customer_payout_id'])
    const other = paid.find((y) => canonical(y.body, ['user_id', 'customer_payout_id']) === body)
    if (other) say(x.status === 404 ? ['by_case', 'not_found'] : 'invalid', 'no balance', x, other)
  }
}

const findStatus = (t: Traffic, say: Say<'processed' | 'pending'>): void => {
  const made = t.newPayouts
  const done = made.filter(({ answer }) => answer.status === 'PAYOUT_PROCESSED')
  const open = made.filter(({ answer }) => isPending(answer.status))
  if (done.length > open.length) say('processed', 'new payouts are processed', ...done)
  else if (done.length === 0 && countRecipients(open) >= SEVERAL)
    say('pending', 'new payouts to several recipients are pending', ...open)
}

const findTransitions = (t: Traffic, say: Say<'failed' | 'returned'>): void => {
  for (const pair of withStatusBefore(t)) {
    const { first, again, was } = pair
    const shown = repeated(pair)?.answer
    if (!shown || shown.id !== first.answer.id) continue
    if (shown.status === 'PAYOUT_RETURNED') say('returned', 'PAYOUT_RETURNED', first, again)
    else if (was === 'PAYOUT_PROCESSED' && isFailed(shown.status))
      say('failed', 'failed after it was processed', first, again)
  }
}

const findFee = (t: Traffic, say: Say<'on_top' | 'deducted'>): void => {
  for (const x of t.newPayouts) {
    const fee = x.answer.rail_fee
    if (typeof fee === 'number' && amountOf(x) >= 1 && amountOf(x) <= fee)
      say('on_top', 'an amount no larger than the fee is paid', x)
  }
  for (const x of t.of('createPayout')) {
    if (x.status !== 400 || !isPlainAmount(x) || t.isTaken(x)) continue
    const paid = t.control(x, ['amount'], (y) => {
      const fee = (y as Payout).answer.rail_fee
      return typeof fee === 'number' && amountOf(x) <= fee && fee < amountOf(y)
    })
    if (paid) say('deducted', 'refused up to the fee, and accepted above it', x, paid)
  }
}

const totalsOf = ({ answer }: Answered<'getTotalCustodyBalances'>): ReadonlyMap<string, number> =>
  new Map(answer.map((it) => [it.contract_address ?? '', it.balance ?? 0]))

const findSource = (t: Traffic, say: Say<'fiat' | 'custody'>): void => {
  const reads = t.ok('getTotalCustodyBalances')
  for (const [index, before] of reads.entries()) {
    const after = reads[index + 1]
    if (!after || after.source !== before.source || after.at - before.at >= CLOSE_MS) continue
    const paid = t.newPayouts.filter(
      ({ n, answer }) => n > before.n && n < after.n && !isFailed(answer.status),
    )
    const [from, to] = [totalsOf(before), totalsOf(after)]
    const isSure =
      paid.some(({ answer }) => answer.status === 'PAYOUT_PROCESSED') ||
      countRecipients(paid) >= SEVERAL
    if (paid.length === 0) continue
    if ([...from].some(([token, held]) => (to.get(token) ?? 0) < held))
      say('custody', 'custody balances fall', before, ...paid, after)
    else if (isSure && [...from].every(([token, held]) => to.get(token) === held))
      say('fiat', 'custody balances stay', before, ...paid, after)
  }
}

const PROVIDERS = /^\s*(?:m-?pesa|safaricom m-pesa|mtn.*|airtel.*|orange money)\s*$/i
const FORMS: Readonly<Record<string, RegExp>> = {
  NGN: /^\d{10}$/,
  EUR: /^[A-Z]{2}\d\d[A-Z0-9]{11,30}$/,
}

/** A number that the rail of its currency cannot pay to. */
const isOddNumber = (x: Exchange): boolean => {
  const form = FORMS[getText(x.body, 'currency') ?? '']
  const bank = getText(x.body, 'recipient_details.bank_name') ?? ''
  const number = recipientOf(x) ?? ''
  return form !== undefined && !PROVIDERS.test(bank) && !form.test(number) && !isRedacted(number)
}

/** Requests that were under way together for so long overlapped at the service too. */
const OVERLAP_MS = 100

const findInFlight = (t: Traffic, say: Say<'waits' | 'conflict'>, left: Left): void => {
  const rules = [
    ['createPayout', 'payout.repeat', false],
    ['createCustodyWallet', 'wallet.repeat', left('wallet.same_chain').includes('conflict')],
  ] as const
  for (const [operation, rule, mayConflict] of rules) {
    const repeat: readonly string[] = left(rule)
    for (const x of t.of(operation)) {
      const [y, more] = t
        .sharing(x)
        .filter((it) => it !== x && it.source === x.source && it.n > x.n)
      if (!y || more || !overlaps(x, y) || t.before(x).length > 0) continue
      if (canonical(x.body) !== canonical(y.body) || !(isOk(x) || isOk(y))) continue
      const isWaiting = x.end - y.at > OVERLAP_MS && y.end >= x.end
      const refused = [x, y].find(({ status }) => status === 409)
      const isAlone = t.isNew(x) || t.isNew(y)
      if (!isAlone || (mayConflict && repeat.includes('second'))) continue
      if (refused && !repeat.includes('conflict'))
        say('conflict', 'one of two requests at once is refused', x, y)
      else if (refused && repeat.join() === 'conflict' && x.end - y.at > OVERLAP_MS)
        say(
          y.end >= x.end ? 'waits' : 'conflict',
          'refused after, or before, the first was done',
          x,
          y,
        )
      else if (!refused && isOk(x) && isOk(y) && isWaiting)
        say('waits', 'the second request waited for the first', x, y)
    }
  }
}

const findGate = (t: Traffic, say: Say<'refused' | 'forbidden' | 'accepted'>): void => {
  const accounts = t.facts.accounts ?? {}
  for (const x of t.of('createCustodyWallet', 'initiateOfframp', 'createPayout')) {
    if (!t.isInactive(x)) continue
    const account = accounts[getText(x.body, 'account_id') ?? '']
    const isOwn = x.operation !== 'initiateOfframp' || account?.user === userOf(x)
    if (t.isNew(x)) say('accepted', 'possible for a user who is not active', x)
    else if (x.status === 403 && isOwn) say('forbidden', 'forbidden', x)
    else if (x.status === 400 && isOwn && isPlainFor(t, x))
      say('refused', 'refused for a user who is not active', x)
  }
}

/** The same request is possible for another user, so that only the user can be at fault. */
const isPlainFor = (t: Traffic, x: Exchange): boolean => {
  if (x.operation === 'initiateOfframp') return Object.keys(x.body ?? {}).length === 2
  if (x.operation !== 'createCustodyWallet' || !t.isComplete || t.before(x).length > 0) return false
  const own = ['user_id', 'customer_wallet_ref']
  const isPlainRef = /^[0-9a-f-]{14}4[0-9a-f-]{21}$/.test(getText(x.body, own[1] ?? '') ?? '')
  const body = canonical(x.body, own)
  return (
    isPlainRef &&
    t.ok('createCustodyWallet').some((y) => canonical(y.body, own) === body && t.isActive(y))
  )
}

const repeatsNothing = (left: Left): boolean =>
  left('payout.repeat').every((it) => it === 'conflict' || it === 'second')

export const payoutEvidence = {
  'payout.repeat': {
    needs: 'createPayout twice with one customer_payout_id; after 24 hours and after a failure too',
    find: findRepeat,
  },
  'payout.changed_repeat': {
    needs:
      'createPayout with a used customer_payout_id and another amount, then with an id of its own',
    find: findChangedRepeat,
    isMoot: repeatsNothing,
  },
  'payout.balance': {
    needs:
      'createPayout of more than the balance between two lists of users, then of a small amount',
    find: findBalance,
  },
  'payout.status': { needs: 'createPayout to three recipients', find: findStatus },
  'payout.statuses': {
    needs: 'createPayout to a recipient that fails',
    find: seen(
      {
        PAYOUT_PENDING: 'three',
        PAYOUT_FAILED: 'three',
        PAYOUT_INITIATED: 'initiated',
        PAYOUT_REJECTED: 'initiated',
      },
      (t) =>
        t
          .ok('createPayout')
          .filter(({ answer }) => !/PROCESSED|RETURNED/.test(answer.status ?? ''))
          .map((x) => [x.answer.status, x]),
    ),
  },
  'payout.transitions': {
    needs: 'createPayout again after the bank returned the money',
    find: findTransitions,
    isMoot: (left) => left('payout.repeat').every((it) => !['current', 'a_day'].includes(it)),
  },
  'payout.fee': {
    needs: 'createPayout of an amount up to rail_fee, then of more with the same id',
    find: findFee,
  },
  'payout.source': {
    needs: 'getTotalCustodyBalances before and after createPayout, within two minutes',
    find: findSource,
  },
  'payout.account_number': {
    needs: 'createPayout in NGN with nine digits as recipient_account_number, then with ten',
    find: accepts({
      operation: 'createPayout',
      isOdd: isOddNumber,
      fields: ['recipient_details.recipient_account_number'],
      accepted: 'any',
      refused: 'by_rail',
    }),
  },
  'repeat.in_flight': {
    needs: 'two equal calls of createPayout at once',
    find: findInFlight,
  },
  'user.gate': {
    needs: 'createCustodyWallet for a user who is not active, between two lists of users',
    find: findGate,
  },
} satisfies Partial<EvidenceOf<AssumptionId>>
