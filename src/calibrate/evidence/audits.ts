import type { AssumptionId } from '../../assumptions/ids.js'
import { parseInstant } from '../../kernel/time.js'
import { groupBy } from '../../lib/group-by.js'
import { type Exchange, isOk } from '../exchange.js'
import {
  type Answered,
  AUDITS,
  type AuditId,
  type Found,
  isNobody,
  type Traffic,
  type TransferDetail,
  type TransferItem,
  userOf,
} from '../traffic.js'
import { type EvidenceOf, type Find, type Left, type Say, seen } from './rows.js'

const CRYPTO = /^(?:usdc|usdt|dai)$/i
const isWhole = (text: string | undefined): boolean => text !== undefined && /^\d{1,9}$/.test(text)

/** The audit that an answer shows, of a user that the service knows. */
const pageOf = (x: Exchange) =>
  isOk(x) && x.answer !== undefined ? (x as Answered<AuditId>).answer.pagination : undefined

const queryOf = (x: Exchange): ReadonlyMap<string, string> => new Map(x.query)

/** Users with a list that was read, by operation. */
const readUsers = (t: Traffic, id: AuditId): ReadonlySet<string | undefined> =>
  new Set(t.ok(id).map((x) => (x.answer.pagination ? userOf(x) : undefined)))

const findPages = (t: Traffic, say: Say<'empty' | 'not_found'>): void => {
  for (const id of AUDITS) {
    const users = readUsers(t, id)
    for (const x of t.of(id)) {
      const query = queryOf(x)
      const isPlain = x.query.every(
        ([name, value]) => /^(?:page|size)$/.test(name) && isWhole(value),
      )
      const page = Number(query.get('page') ?? 0)
      if (!isPlain || page === 0 || query.size !== x.query.length || isNobody(userOf(x))) continue
      const { size, total_elements: total } = pageOf(x) ?? {}
      if (x.status === 404 && users.has(userOf(x))) say('not_found', 'a page after the last one', x)
      else if (size && total && page * size >= total)
        say('empty', 'a page after the last one is empty', x)
      else if (![200, 400, 403, 404].includes(x.status)) say([], `status ${x.status}`, x)
    }
  }
}

const findAmounts = (t: Traffic, say: Say<'net' | 'gross'>): void => {
  const nameTerms = ({ id, exchange_rate: rate }: TransferDetail | TransferItem) => `${id} ${rate}`
  const details = new Map(t.details.map((found) => [nameTerms(found.it), found]))
  for (const { it, x } of t.transfers) {
    const detail = details.get(nameTerms(it))
    const paid = detail?.it.destination_amount
    const listed = it.target_amount
    if (!detail || !paid || !listed || !it.fees) continue
    if (listed === paid) say('net', 'as in the detail', x, detail.x)
    else if (listed > paid) say('gross', 'more than in the detail', x, detail.x)
  }
}

const findSize = (t: Traffic, say: Say<'refused' | 'clamped'>): void => {
  for (const id of AUDITS) {
    const users = readUsers(t, id)
    for (const x of t.of(id)) {
      const size = queryOf(x).get('size')
      const isUsual = isWhole(size) && Number(size) >= 1 && Number(size) <= 100
      if (x.query.length !== 1 || size === undefined || isUsual) continue
      if (!users.has(userOf(x)) || isNobody(userOf(x)) || x.answer === undefined) continue
      const shown = pageOf(x)?.size
      const nearest = /^-?\d+$/.test(size) ? Math.min(Math.max(Number(size), 1), 100) : undefined
      if (shown === undefined) say(x.status === 400 ? 'refused' : [], `size=${size}`, x)
      else if (nearest !== undefined)
        say(shown === nearest ? 'clamped' : [], `size=${size} gives ${shown}`, x)
      else say('clamped', `size=${size} is accepted`, x)
    }
  }
}

const findOfframps = (t: Traffic, say: Say<'listed' | 'left_out'>): void => {
  for (const { it, x } of t.transfers)
    if (CRYPTO.test(it.source_currency ?? '')) say('listed', `${it.source_currency}`, x)
  const offramps = t.wholeLists('getOfframpAudit')
  for (const [user, lists] of t.wholeLists('getTransferAudit')) {
    const earlier = offramps.get(user)?.find(({ answer }) => answer.transactions?.length)
    const list = earlier && lists.find((x) => x.source === earlier.source && x.n > earlier.n)
    if (
      earlier &&
      list &&
      !list.answer.transactions?.some((it) => CRYPTO.test(it.source_currency ?? ''))
    )
      say('left_out', 'the list lacks the offramps', earlier, list)
  }
}

const isUnconverted = (status: string | null | undefined): boolean =>
  /^(?:pending|funds_received)$/i.test(status ?? '')

const timeOf = (text: string | null | undefined): number => parseInstant(text ?? '')

const findRateFixed = (t: Traffic, say: Say<'deposit' | 'conversion'>): void => {
  const shown = t.details.filter(({ it }) => it.exchange_rate)
  const isOver = ({ it }: (typeof shown)[number]) =>
    !isUnconverted(it.status) && Boolean(it.conversion_processed_at)
  for (const list of groupBy(shown, ({ it, x }) => `${x.source} ${it.id}`).values()) {
    const before = list.find(({ it }) => isUnconverted(it.status))
    const after = before && list.find((found) => found.x.n > before.x.n && isOver(found))
    if (before && after && before.it.exchange_rate !== after.it.exchange_rate)
      say('conversion', 'the rate changed until the conversion', before.x, after.x)
  }
  for (const { currency, at } of t.facts.rate_moves ?? []) {
    const move = parseInstant(at)
    const sent = (t.facts.deposits ?? []).map((it) => ({
      ...it,
      isLater: parseInstant(it.at) > move,
    }))
    const find = (isLater: boolean) =>
      shown.find(
        (found) =>
          isOver(found) &&
          found.it.target_currency?.toUpperCase() === currency &&
          timeOf(found.it.conversion_processed_at) > move &&
          sent.some((it) => it.isLater === isLater && it.amount === found.it.source_amount),
      )
    const [across, later] = [find(false), find(true)]
    if (!across || !later || pairOf(across.it) !== pairOf(later.it)) continue
    const isNew = across.it.exchange_rate === later.it.exchange_rate
    say(
      isNew ? 'conversion' : 'deposit',
      'the market moved before the conversion',
      across.x,
      later.x,
    )
  }
}

const pairOf = ({ source_currency, target_currency }: TransferDetail): string =>
  `${source_currency}/${target_currency}`.toLowerCase()

const DIRECTIONS = ['target_per_source', 'source_per_target'] as const
const CURRENCIES = ['target', 'source'] as const

/** The directions of the rate and the currencies of the fee by which the amounts of a transfer agree. */
const findTerms = (it: TransferDetail) => {
  const { source_amount: sent, destination_amount: paid, exchange_rate: rate, fees } = it
  if (!sent || !paid || !rate || !fees || rate === 1) return []
  return DIRECTIONS.flatMap((direction) =>
    CURRENCIES.flatMap((currency) => {
      const isDirect = direction === 'target_per_source'
      const factor = isDirect ? rate : 1 / rate
      const expected = currency === 'target' ? sent * factor - fees : (sent - fees) * factor
      // The rounding of an inverse rate, and of a fee in the source currency.
      const slack =
        0.011 +
        (isDirect ? 0 : sent * factor * (0.6e-8 / rate)) +
        (currency === 'target' ? 0 : 0.0051 * factor)
      return Math.abs(expected - paid) <= slack ? [{ direction, currency }] : []
    }),
  )
}

const findTerm =
  <Name extends 'direction' | 'currency'>(
    name: Name,
  ): Find<ReturnType<typeof findTerms>[number][Name]> =>
  (t, say) => {
    for (const { it, x } of t.details) {
      const found = new Set(findTerms(it).map((term) => term[name]))
      if (found.size === 1) say([...found], 'source, rate, fees and destination agree only so', x)
    }
  }

const findUnconverted = (t: Traffic, say: Say<'known' | 'null'>, left: Left): void => {
  const mayBeLater = left('audit.spelling').includes('summary')
  const lists: Found<Readonly<Record<string, unknown>>>[] = [...t.transfers, ...t.offramps]
  for (const { it, x } of [...t.details, ...lists] as typeof lists) {
    if (!isUnconverted(String(it.status)) || it.exchange_rate === undefined) continue
    const isDetail = x.operation === 'getTransferStatus'
    if (it.exchange_rate === null) say('null', 'null before the conversion', x)
    else if (isDetail || !mayBeLater) say('known', 'known before the conversion', x)
  }
}

export const auditEvidence = {
  'audit.pages': { needs: 'getTransferAudit with page=99 for a known user', find: findPages },
  'audit.amounts': {
    needs: 'getTransferAudit, and getTransferStatus of a listed transfer with a fee',
    find: findAmounts,
  },
  'audit.size': { needs: 'getTransferAudit with size=101 for a known user', find: findSize },
  'audit.spelling': {
    needs: 'getTransferAudit with a transfer that is completed',
    find: seen(
      {
        'UPPER CASE': 'upper',
        pending: ['lower', 'summary'],
        failed: ['lower', 'summary'],
        cancelled: ['lower', 'summary'],
        completed: 'summary',
        funds_received: 'lower',
        conversion_processed: 'lower',
        payment_submitted: 'lower',
        payment_processed: 'lower',
      },
      (t) =>
        [...t.offramps, ...t.transfers].map(({ it: { status }, x }) => [
          status && (status === status.toUpperCase() ? 'UPPER CASE' : status),
          x,
        ]),
    ),
  },
  'transfer_audit.offramps': {
    needs: 'getOfframpAudit, then getTransferAudit of the whole list of a user with offramps',
    find: findOfframps,
  },
  'conversion.rate_fixed': {
    needs: 'two transfers, and in the facts the move of the rate before the first conversion',
    find: findRateFixed,
  },
  'transfer.fees_currency': {
    needs: 'getTransferStatus of a transfer with a fee and a rate other than 1',
    find: findTerm('currency'),
  },
  'transfer.rate': {
    needs: 'getTransferStatus of a transfer with a fee and a rate other than 1',
    find: findTerm('direction'),
  },
  'transfer.unconverted': {
    needs: 'getTransferStatus of a pending transfer',
    find: findUnconverted,
  },
  'transfer.unreached': {
    needs: 'getTransferStatus of a transfer that is not paid yet',
    find: seen({ null: 'null', absent: 'absent' }, (t) =>
      t.details
        .filter(({ it }) => !it.payment_processed_at)
        .map(({ it, x }) => [it.payment_processed_at === null ? 'null' : 'absent', x]),
    ),
  },
} satisfies Partial<EvidenceOf<AssumptionId>>
