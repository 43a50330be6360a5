import type { Child } from 'hono/jsx'
import { toPayoutResponse } from '../../contract/payout.js'
import { getPayout, PAYOUT_TRANSITIONS } from '../../domain/payouts.js'
import type { Payout } from '../../domain/schema.js'
import { findCauses, type Noun, type WhyEntry } from '../../history/explain.js'
import type { DomainEvent } from '../../kernel/entry.js'
import { clampInstant, toIso } from '../../kernel/time.js'
import { compareByDue, type Timer } from '../../kernel/timers.js'
import { ActionButton, FoldedForm } from '../components/form.js'
import { Json } from '../components/json.js'
import { Id, Text, Time, UserLink } from '../components/links.js'
import { Money } from '../components/money.js'
import { Code, markOf, Status } from '../components/status.js'
import { Table } from '../components/table.js'
import type { Tab } from '../components/tabs.js'
import type { Step } from '../components/timeline.js'
import { escapeBidi, formatBetween, formatMoney, statusWord } from '../format.js'
import { type DrawPage, type PageContext, readingsOf } from '../page-context.js'
import {
  causeSentence,
  eventTitle,
  payoutSentence,
  payoutTitle,
  scenarioRef,
} from '../sentences.js'
import { recordPage } from './record-page.js'

const FAIL_REASONS = ['account_closed', 'rejected_by_bank', 'limit_exceeded', 'returned']

export const payoutPage: DrawPage = (ctx, { id: written = '' }) => {
  const payout = getPayout(ctx.tables, written.toLowerCase())
  const { id, status, account_details: to, currency } = payout
  const entries = findHistory(ctx, 'payouts', id)
  const timers = findTimers(ctx, id)
  const attempts = countAttempts(entries)
  const [timer] = timers
  const left = ctx.tables.balances.of(`user:${payout.user_id}`).get(currency)?.amount
  return recordPage(ctx, {
    id,
    list: { text: 'Payouts', path: '/payouts' },
    title: payoutTitle(payout),
    heading: (
      <>
        <Money amount={payout.amount} asset={currency} /> to {to.bank_name}
      </>
    ),
    sentence: payoutSentence(ctx.tables, { payout, now: ctx.world.now, timer, attempts }),
    actions: <Status status={status} />,
    steps: [
      ...possibleSteps(ctx, payout, timers),
      { kind: 'now', at: toIso(ctx.world.now), what: 'Now' },
      ...pastSteps(ctx, id, entries, (event) => <PayoutMoney payout={payout} event={event} />),
    ],
    tabs: [readTab(toPayoutResponse(payout, readingsOf(ctx))), journalTab(ctx, entries)],
    facts: [
      [
        'From',
        <>
          <UserLink ctx={ctx} id={payout.user_id} />
          {left ? (
            <>
              , <Money amount={left.toFixed()} asset={currency} /> left
            </>
          ) : null}
        </>,
      ],
      [
        'To',
        <>
          <bdi>{to.bank_name}</bdi>, <bdi>{to.account_holder_name}</bdi>
          <br />
          <code>
            <bdi>{to.recipient_account_number}</bdi>
          </code>
        </>,
      ],
      [
        'Rail',
        <>
          {payout.rail}, fee <Money amount={payout.rail_fee} asset={currency} />
        </>,
      ],
      ['Reference', payout.reference ?? 'none until it is processed'],
      ['Client’s id', <Id id={payout.customer_payout_id} />],
      ['Made', <Time ctx={ctx} at={payout.created_at} />],
    ],
  })
}

/** What may follow: each legal move, with the time of a planned one. */
const possibleSteps = (ctx: PageContext, payout: Payout, timers: readonly Timer[]): Step[] => {
  const { id, status } = payout
  const plans = plannedMoves(timers)
  const given = { ctx, operation: 'advancePayout' } as const
  return PAYOUT_TRANSITIONS[status].toReversed().map((to): Step => {
    const plan = plans.find((it) => it.to === to)
    const isBad = to === 'PAYOUT_FAILED'
    const name = status === 'PAYOUT_PROCESSED' ? 'Return' : 'Fail'
    return {
      kind: `planned ${markOf(to)}`,
      at: plan?.at === undefined ? (plan ? 'later' : 'or') : toIso(plan.at),
      what: statusWord(to),
      cause: plan
        ? ['Planned by ', scenarioRef(plan.timer.plan.scenario)]
        : [
            isBad
              ? 'Possible at any time'
              : 'Nothing is planned: it stands still until you move it',
          ],
      actions: isBad ? (
        <FoldedForm
          {...given}
          given={{ id, to }}
          summary={`${name}…`}
          submit={`${name} it now`}
          kind="danger"
          fields={[
            {
              name: 'reason',
              suggestions: FAIL_REASONS,
              value: status === 'PAYOUT_PROCESSED' ? 'returned' : 'account_closed',
            },
          ]}
        />
      ) : (
        <>
          <ActionButton {...given} given={{ id, to }} kind="main">
            Process now
          </ActionButton>
          {plan?.at === undefined ? null : (
            <ActionButton ctx={ctx} operation="advanceClock" given={{ to: toIso(plan.at) }}>
              Move the clock there
            </ActionButton>
          )}
        </>
      ),
    }
  })
}

const PayoutMoney = ({ payout, event }: { payout: Payout; event: DomainEvent }) => {
  const { amount, rail_fee, currency, account_details, fee_kept } = payout
  if (event.type === 'payout.created') {
    return (
      <>
        <Money sign="−" amount={amount} asset={currency} />
        <br />
        <small>−{formatMoney(rail_fee, currency)} fee</small>
      </>
    )
  }
  if (event.to === 'PAYOUT_PROCESSED') {
    return (
      <small>
        {formatMoney(amount, currency)}
        <br />
        leave for <bdi>{account_details.bank_name}</bdi>
      </small>
    )
  }
  if (event.to !== 'PAYOUT_FAILED') return null
  return (
    <>
      <Money sign="+" amount={amount} asset={currency} />
      <br />
      <small>{fee_kept ? 'without' : 'with'} the fee</small>
    </>
  )
}

// Parts of all records.

export const findHistory = ({ live }: PageContext, noun: Noun, id: string): readonly WhyEntry[] =>
  findCauses(live.journal.all(), live.beginning, noun, id, live.world.now).entries

/** The pending timers of a record, next one first. */
export const findTimers = ({ tables }: PageContext, id: string): Timer[] =>
  tables.timers.list('subject', id).sort(compareByDue)

interface PlannedMove {
  readonly to: string
  /** Undefined if this move or an earlier one waits for reads. */
  readonly at: number | undefined
  readonly timer: Timer
}

export const plannedMoves = (timers: readonly Timer[]): PlannedMove[] =>
  timers.flatMap((timer) => {
    let at = timer.due ?? undefined
    return timer.plan.steps.slice(timer.done).flatMap(({ after_ms, after_reads, input }, i) => {
      if (i > 0) at = at === undefined || after_reads ? undefined : clampInstant(at + after_ms)
      const { to } = input as { to?: unknown }
      return typeof to === 'string' ? [{ to, at, timer }] : []
    })
  })

const isRepeat = ({ type }: DomainEvent): boolean => type.endsWith('.repeated')
const isCreation = ({ type }: DomainEvent): boolean => type.endsWith('.created')

const countAttempts = (entries: readonly WhyEntry[]): number =>
  entries.flatMap(({ events }) => events).filter((it) => isCreation(it) || isRepeat(it)).length

/** One step per event of the record, newest first. */
export const pastSteps = (
  ctx: PageContext,
  id: string,
  entries: readonly WhyEntry[],
  money: (event: DomainEvent) => Child,
): Step[] => {
  const begin = entries.find(({ events }) => events.some((it) => it.id === id))?.at ?? ''
  let attempt = 0
  const steps = entries.flatMap((entry) =>
    entry.events
      .filter((event) => event.id === id)
      .map((event): Step => {
        const isAttempt = isCreation(event) || isRepeat(event)
        if (isAttempt) attempt++
        const cause = event.cause ?? entry.cause
        const after = formatBetween(begin, entry.at)
        return {
          kind: kindOf(cause.kind, event),
          at: entry.at,
          what: escapeBidi(eventTitle(event, attempt)),
          cause: [
            ...causeSentence(cause, after === '0 s' ? ', at once' : `, ${after} after the start`),
            ...(isAttempt && cause.kind === 'request' ? [`, attempt ${attempt}`] : []),
          ],
          money: money(event),
          details: {
            summary: `Entry ${entry.seq}`,
            body: (
              <p class="note">
                {escapeBidi(entry.sentence)}
                {cause.kind === 'request' ? <Answer ctx={ctx} request={cause.request} /> : null}
              </p>
            ),
          },
        }
      }),
  )
  return steps.reverse()
}

/** A square is a call, and a teal one is yours. Other steps have the mark of their status. */
const kindOf = (cause: string, { to }: DomainEvent): string => {
  if (cause === 'control' || cause === 'library') return 'you'
  return cause === 'request' ? 'call' : markOf(String(to))
}

const Answer = ({ ctx, request }: { ctx: PageContext; request: string }) => {
  const logged = ctx.live.requests.find(request)
  return logged ? (
    <>
      {' '}
      Answer: <Code status={logged.status} isPending={logged.pending} />
    </>
  ) : null
}

export const readTab = (answer: unknown): Tab => ({
  name: 'read',
  text: 'What a client reads',
  body: () => <Json text={JSON.stringify(answer)} label="What a client reads" />,
})

export const journalTab = (ctx: PageContext, entries: readonly WhyEntry[]): Tab => ({
  name: 'journal',
  text: 'Journal',
  count: entries.length,
  body: () => (
    <Table
      label="Journal"
      rows={entries.toReversed()}
      columns={[
        { name: 'Time', cell: ({ at }) => <Time ctx={ctx} at={at} /> },
        { name: 'Entry', kind: 'number', cell: ({ seq }) => seq },
        { name: 'Command', cell: ({ command }) => <code>{command}</code> },
        {
          name: 'What',
          kind: 'reason',
          cell: ({ sentence }) => <Text ctx={ctx} prose={[sentence]} />,
        },
      ]}
    />
  ),
})
