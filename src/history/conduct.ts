import { parseInstant } from '../kernel/time.js'
import { groupBy } from '../lib/group-by.js'
import { plural } from '../lib/text.js'
import { isDelivered, isUnclear } from './delivered.js'
import type { LoggedExchange } from './views.js'

/** How a client behaved, by habit. */
export const HABITS = {
  id_reuse: 'ids after an unknown outcome',
  retry_after: 'retry-after',
  backoff: 'backoff',
  attempts: 'attempts',
  polling: 'polling',
  refusals: 'refused payments',
  timeouts: 'timeouts',
  late_reads: 'reads after the end',
} as const
export type Habit = keyof typeof HABITS
const HABIT_NAMES = Object.keys(HABITS) as Habit[]

export interface ConductLine {
  readonly habit: Habit
  /** `not_seen`: no request exercised the habit. */
  readonly state: 'ok' | 'note' | 'not_seen'
  readonly text: string
  /** Numbers in the request log. */
  readonly requests: readonly number[]
}

/** Judges the exchanges of one world, oldest first. A note fails nothing. */
export const judgeConduct = (exchanges: readonly LoggedExchange[]): ConductLine[] => {
  const called = exchanges.filter(({ operation }) => operation !== null)
  return HABIT_NAMES.map((habit) => toLine(habit, OBSERVERS[habit](called)))
}

/** `retry-after: waited 12 of 2000 ms, requests 2 and 3` */
export const formatConduct = ({ habit, text, requests }: ConductLine): string => {
  const numbers = requests.slice(0, MAX_NUMBERS).join(', ')
  const more = requests.length > MAX_NUMBERS ? ', …' : ''
  return `${HABITS[habit]}: ${text}${numbers && ` (requests ${numbers}${more})`}`
}

const MAX_NUMBERS = 6

/** The habits in one log with requests. */
export interface Conduct {
  /** Empty for the only log, or the first one. */
  readonly where: string
  readonly lines: readonly ConductLine[]
}

/** At most one line per habit, of the first log that broke it, else kept it; and one for all that no log shows. */
export const conductLines = (logs: readonly Conduct[]): string[] => {
  if (logs.length === 0) return []
  const chosen = HABIT_NAMES.map((habit) => {
    const same = logs.flatMap(({ where, lines }) =>
      lines
        .filter((line) => line.habit === habit && line.state !== 'not_seen')
        .map((line) => ({
          isNote: line.state === 'note',
          text: formatConduct(line) + (where && `, in ${where}`),
        })),
    )
    return same.find(({ isNote }) => isNote) ?? same[0]
  })
  const seen = chosen.flatMap((it) => it?.text ?? [])
  const unseen = HABIT_NAMES.filter((_, i) => !chosen[i]).map((it) => HABITS[it])
  return unseen.length > 0 ? [...seen, `not seen: ${unseen.join(', ')}`] : seen
}

type Observation = Omit<ConductLine, 'habit'>

const toLine = (habit: Habit, seen: readonly Observation[]): ConductLine => {
  const notes = seen.filter(({ state }) => state === 'note')
  const chosen = notes.length > 0 ? notes : seen
  const [first] = chosen
  if (!first) return { habit, state: 'not_seen', text: 'not seen', requests: [] }
  const more = chosen.length > 1 ? `, and ${chosen.length - 1} more` : ''
  const numbers = new Set(chosen.flatMap(({ requests }) => requests))
  const requests = [...numbers].sort((a, b) => a - b)
  return { habit, state: first.state, text: first.text + more, requests }
}

type Observer = (exchanges: readonly LoggedExchange[]) => Observation[]

const OBSERVERS: Readonly<Record<Habit, Observer>> = {
  id_reuse: (exchanges) =>
    exchanges.flatMap((one) => {
      if (!isUnclear(one) || idIn(one) === undefined) return []
      const next = exchanges.find((it) => it.n > one.n && isRepeat(one, it))
      if (!next) return []
      if (idIn(one) !== idIn(next)) return observe(false, 'another id', one, next)
      const isSame = contentOf(one) === contentOf(next)
      return observe(isSame, `the same id ${isSame ? 'and' : 'with another'} body`, one, next)
    }),

  retry_after: (exchanges) =>
    listSeries(exchanges).flatMap((series) =>
      series.flatMap((one, i) => {
        const next = series[i + 1]
        const wait_ms = Number(one.response.headers['retry-after'] ?? Number.NaN) * 1_000
        if (!next || Number.isNaN(wait_ms)) return []
        const gap_ms = gapOf(one, next)
        const isKept = gap_ms >= wait_ms - TOLERANCE_MS
        return observe(isKept, `waited ${gap_ms} of ${wait_ms} ms`, one, next)
      }),
    ),

  backoff: (exchanges) =>
    listSeries(exchanges).flatMap((series) => {
      const gaps = series.slice(1).map((it, i) => gapOf(series[i] as LoggedExchange, it))
      if (gaps.length < 2) return []
      const grows = (gaps.at(-1) ?? 0) > (gaps[0] ?? 0) + TOLERANCE_MS
      return observe(grows, `waited ${gaps.slice(0, 5).join(', ')} ms`, ...series)
    }),

  attempts: (exchanges) =>
    listSeries(exchanges).flatMap((series) => {
      const isClear = !isTemporary(series.at(-1) as LoggedExchange)
      const end = isClear ? 'until a clear answer' : 'and the outcome is still unknown'
      return observe(isClear, `${plural(series.length, 'attempt')} ${end}`, ...series)
    }),

  polling: (exchanges) =>
    listPolls(exchanges).flatMap((reads) => {
      const end = reads.findIndex(isFinal)
      if (end < 0) return observe(false, 'stops before the end', ...reads.slice(-1))
      const after = reads.slice(end + 1).filter((it) => !isLate(reads[end], it))
      return after.length > 1
        ? observe(false, 'goes on after the end', ...after)
        : observe(true, 'goes on until the end', reads[end] as LoggedExchange)
    }),

  refusals: (exchanges) =>
    exchanges.flatMap((it) => {
      const isRefused = isPayment(it) && isDelivered(it) && isRefusal(it.status)
      if (!isRefused) return []
      const repair = exchanges.find(
        (next) => next.n > it.n && isSuccess(next) && isRepeat(it, next),
      )
      return repair
        ? observe(true, 'repaired later', it, repair)
        : observe(false, `refused with ${it.status}, and never repaired`, it)
    }),

  timeouts: (exchanges) =>
    exchanges.flatMap((it) => {
      if (it.aborted_ms !== null) return observe(true, `left after ${it.aborted_ms} ms`, it)
      return it.pending ? observe(false, 'still waits for an answer', it) : []
    }),

  late_reads: (exchanges) =>
    listPolls(exchanges).flatMap((reads) => {
      const end = reads.find(isFinal)
      const late = end ? reads.filter((it) => isLate(end, it)) : []
      return late.length > 0 ? observe(true, 'looks again after an hour or more', ...late) : []
    }),
}

const observe = (isOk: boolean, text: string, ...all: readonly LoggedExchange[]): Observation[] => [
  { state: isOk ? 'ok' : 'note', text, requests: all.map(({ n }) => n) },
]

const TOLERANCE_MS = 20

/** The client may wait on either clock. */
const gapOf = (one: LoggedExchange, next: LoggedExchange): number =>
  Math.max(
    parseInstant(next.started_at) - parseInstant(one.started_at) - Math.floor(one.duration_ms),
    parseInstant(next.at) - parseInstant(one.at),
  )

const isTemporary = (it: LoggedExchange): boolean => isUnclear(it) || it.status === 429

const isSuccess = (it: LoggedExchange): boolean => isDelivered(it) && Number(it.status) < 300

const isRefusal = (status: number | null): boolean =>
  status !== null && status >= 400 && status < 500 && ![401, 429].includes(status)

const isPayment = ({ operation }: LoggedExchange): boolean =>
  operation === 'createPayout' || operation === 'initiateOfframp'

const idIn = ({ request }: LoggedExchange): unknown => {
  const { customer_payout_id, customer_wallet_ref } = Object(request.body)
  return customer_payout_id ?? customer_wallet_ref
}

/** The content without the id that the client draws. */
const contentOf = ({ operation, path, request }: LoggedExchange): string => {
  const { customer_payout_id: _, customer_wallet_ref: __, ...content } = Object(request.body)
  return JSON.stringify([operation, path, content])
}

const isRepeat = (one: LoggedExchange, next: LoggedExchange): boolean =>
  next.operation === one.operation &&
  (contentOf(one) === contentOf(next) || (idIn(one) !== undefined && idIn(one) === idIn(next)))

/** Attempts at one request: each but the last one failed for now. */
const listSeries = (exchanges: readonly LoggedExchange[]): LoggedExchange[][] =>
  [...groupBy(exchanges, contentOf).values()].flatMap((same) => {
    const all: LoggedExchange[][] = []
    let isOpen = false
    for (const it of same) {
      if (isOpen) all.at(-1)?.push(it)
      else if (isTemporary(it)) all.push([it])
      isOpen = isTemporary(it)
    }
    return all
  })

/** Delivered reads of one payment: of its status, or by repeats of the request that made it. */
const listPolls = (exchanges: readonly LoggedExchange[]): LoggedExchange[][] => {
  const reads = exchanges.filter(
    (it) =>
      (it.operation === 'createPayout' || it.operation === 'getTransferStatus') && isSuccess(it),
  )
  const payments = groupBy(reads, (it) => String(idIn(it) ?? it.path))
  return [...payments.values()].filter(
    ([first, ...more]) => first && (more.length > 0 || !isFinal(first)),
  )
}

const FINAL = /^(PAYOUT_PROCESSED|PAYOUT_FAILED|PAYMENT_PROCESSED|FAILED|CANCELLED|RETURNED)$/

const isFinal = ({ response }: LoggedExchange): boolean => FINAL.test(Object(response.body).status)

const HOUR_MS = 3_600_000

const isLate = (end: LoggedExchange | undefined, it: LoggedExchange): boolean =>
  end !== undefined && parseInstant(it.at) - parseInstant(end.at) >= HOUR_MS
