import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ActivityGroup, ListedWorld } from '../../generated/api-types.js'
import { formatCount, formatMoney, statusWord } from '../../src/history/format.js'
import type { Client } from '../support/client.js'
import { openConsole, textOf } from '../support/console-visit.js'
import { accountId, ownId, users } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'

interface Story {
  readonly steps: readonly { readonly done: boolean }[]
}

interface Item {
  readonly customer_payout_id?: string
  readonly id: string
  readonly status: string
  readonly amount?: string | number
  readonly currency?: string
}

/** One value as often as all others together. */
const often = (first: number, ...others: number[]) =>
  fc.oneof(fc.constant(first), fc.constantFrom(...others))

/** Steps of a client and of somebody who steers the world. Numbers choose among few values, so that they meet. */
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ pay: fc.nat(3), sum: often(0, 1), to: often(0, 1, 2) }) },
  { weight: 3, arbitrary: fc.record({ fault: often(0, 1, 2, 3, 4, 5, 6) }) },
  { weight: 2, arbitrary: fc.record({ move: fc.nat(5) }) },
  { weight: 2, arbitrary: fc.record({ post: fc.nat(4) }) },
  { weight: 1, arbitrary: fc.record({ advance: fc.constantFrom('1s', '1h', '3d') }) },
)

type Step = Partial<Record<'pay' | 'sum' | 'to' | 'fault' | 'move' | 'post', number>> & {
  readonly advance?: string
}

/** A client that loses an answer and pays again with a new id. */
const PAIR: readonly Step[] = [{ fault: 0 }, { pay: 0 }, { pay: 1 }]

const histories = fc
  .tuple(fc.boolean(), fc.array(step, { minLength: 4, maxLength: 12, size: 'max' }))
  .map(([hasPair, steps]): readonly Step[] => [...(hasPair ? PAIR : []), ...steps])

const FAULTS = [
  { then: { drop: 'after' } },
  { then: { drop: 'before' } },
  { then: { delay_ms: 1 } },
  { then: { respond: { status: 503 } } },
  { operation: 'createPayout', then: { fail: true } },
  { operation: 'createPayout', then: { stop: true } },
  { operation: 'createPayout', then: { return: true } },
]

const POSTS = [
  ['/_sandbox/undo', {}],
  ['/_sandbox/redo', {}],
  ['/_sandbox/reset', {}],
  [
    '/_sandbox/transfers',
    { user_id: users.ada, account_id: accountId(1), source_amount: '13', source_currency: 'USD' },
  ],
  [`/_sandbox/users/${users.ada}/balances`, { amount: '5', currency: 'NGN' }],
] as const

/** 00…04 at the end lets a payout return after it was paid. */
const NUMBERS = ['0690000031', '0000000001', '0000000004']

const play = async (api: Client, { pay, sum = 0, to = 0, ...step }: Step): Promise<void> => {
  if (pay !== undefined) {
    const request = payoutRequest()
    const recipient_account_number = NUMBERS[to] ?? ''
    const recipient_details = { ...request.recipient_details, recipient_account_number }
    const own = { customer_payout_id: ownId(pay), amount: `${1500 + sum}.00`, recipient_details }
    await api.post('/payment/api/v1/payout', { ...request, ...own }).catch(() => undefined)
  }
  if (step.fault !== undefined) await api.post('/_sandbox/next', FAULTS[step.fault])
  if (step.advance) await api.post('/_sandbox/clock/advance', { by: step.advance })
  const [path, body] = POSTS[step.post ?? -1] ?? []
  if (path) await api.post(path, body)
  if (step.move === undefined) return
  const noun = step.move % 2 === 0 ? 'payouts' : 'transfers'
  const { items } = await api.read<{ items: Item[] }>(`/_sandbox/${noun}?size=3`)
  const id = items[step.move >> 1]?.id
  const moved = noun === 'payouts' ? { to: 'PAYOUT_FAILED', reason: 'account_closed' } : {}
  if (id) await api.post(`/_sandbox/${noun}/${id}/advance`, moved)
}

const read = async (api: Client) => {
  const list = async <T>(path: string) =>
    (await api.read<{ items: T[] }>(`/_sandbox/${path}${path.includes('?') ? '&' : '?'}size=1000`))
      .items
  const payouts = await list<Item>('payouts')
  const transfers = await list<Item>('transfers')
  const groups = await list<ActivityGroup>('activity')
  const requests = await list<{ id: string }>('requests')
  const worlds = await list<ListedWorld>('worlds')
  const stories = new Map<string, Story>()
  for (const { id } of [...payouts, ...transfers])
    stories.set(id, await api.read<Story>(`/_sandbox/records/${id}/story`))
  return { payouts, transfers, groups, requests, worlds, stories }
}

type Facts = Awaited<ReturnType<typeof read>>

/** A page without JSON, commands and values of forms. */
const wordsOf = (html: string): string =>
  html.replace(/<(pre|code)\b.*?<\/\1>|data-copy="[^"]*"|<option value="null">/gs, ' ')

const chipsOf = (html: string): Record<string, number> =>
  Object.fromEntries(
    [...html.matchAll(/class="chip"[^>]*>([^<]+?) <small>([\d,]+)<\/small>/g)].map(
      ([, text = '', count = '']) => [text, Number(count.replaceAll(',', ''))],
    ),
  )

const UNDER_WAY = /^(PAYOUT_PENDING|PENDING|FUNDS_RECEIVED|CONVERSION_PROCESSED|PAYMENT_SUBMITTED)$/

/** The payments of all pairs. */
const twiceIn = ({ worlds }: Facts): ReadonlySet<string> =>
  new Set(worlds.flatMap(({ problems }) => problems.filter(isPair).flatMap((it) => it.records)))

const isPair = ({ word }: ListedWorld['problems'][number]): boolean => word === 'Looks paid twice'

const isPlanned = ({ stories }: Facts, { id }: Item): boolean =>
  stories.get(id)?.steps.some(({ done }) => !done) ?? false

/** The number of each chip of the payments. */
const countPayments = (facts: Facts): Record<string, number> => {
  const all = [...facts.payouts, ...facts.transfers]
  const underWay = all.filter(({ status }) => UNDER_WAY.test(status))
  const counts = {
    All: all.length,
    Payouts: facts.payouts.length,
    Transfers: facts.transfers.length,
    'Under way': underWay.length,
    'Waiting for you': underWay.filter((it) => !isPlanned(facts, it)).length,
    Processed: all.filter(({ status }) => /^PAY(OUT|MENT)_PROCESSED$/.test(status)).length,
    Failed: all.filter(({ status }) => status.endsWith('FAILED')).length,
    Cancelled: all.filter(({ status }) => status === 'CANCELLED').length,
    'Paid twice': twiceIn(facts).size,
  }
  return Object.fromEntries(
    Object.entries(counts).filter(([name, n]) => n > 0 || /^(All|Payouts|Transfers)$/.test(name)),
  )
}

const movingText = (facts: Facts): RegExp => {
  const all = [...facts.payouts, ...facts.transfers]
  const planned = all.filter((it) => isPlanned(facts, it))
  const moving = planned.filter(({ status }) => UNDER_WAY.test(status)).length
  const waiting = countPayments(facts)['Waiting for you'] ?? 0
  const returning = planned.length - moving
  const parts = [
    moving > 0 && `${moving} (is|are) moving, the next \\S+ .*?\\.`,
    waiting > 0 && `${waiting} (is|are) waiting for you\\.`,
    returning > 0 && `${returning} will be returned, .*?\\.`,
  ].filter(Boolean)
  return new RegExp(`Payments ${parts.join(' ') || 'All of them are at their end\\.'}`)
}

/** Checks the claims of a page about a payment. */
const checkPayment = (facts: Facts, it: Item, html: string): void => {
  const text = textOf(wordsOf(html))
  const [, status] = /class="status [^"]*" title="([^"]*)"/.exec(html) ?? []
  expect(status).toBe(it.status)
  expect(/Paid (twice|\d times):/.test(text)).toBe(twiceIn(facts).has(it.id))
  const planned = facts.stories.get(it.id)?.steps.filter(({ done }) => !done) ?? []
  expect(html.match(/class="step planned/g)?.length ?? 0).toBeGreaterThanOrEqual(planned.length)
  const isWaiting = UNDER_WAY.test(it.status) && planned.length === 0
  if (/since \d/.test(text)) expect(/, and it (waits|does not move)/.test(text)).toBe(isWaiting)
  const group = facts.groups.find(({ payout, earlier }) => payout === it.id && !earlier)
  const [, asked] = /Asked for (twice|\d+ times), paid once/.exec(text) ?? []
  if (asked) expect(asked === 'twice' ? 2 : Number.parseInt(asked, 10)).toBe(group?.attempts.length)
  const isPaidOnce = /PROCESSED/.test(it.status) && !twiceIn(facts).has(it.id)
  expect(!/paid once/.test(text) || isPaidOnce).toBe(true)
  if (it.status === 'PAYOUT_FAILED') {
    expect(text).toMatch(/Failed for good|your client does not know/)
    expect(text).not.toContain('pays another')
  }
  if (it.amount)
    expect(text).toContain(formatMoney(String(it.amount), (it.currency ?? '').toUpperCase()))
}

/** Checks the line and the detail of a request. */
const checkGroup = (facts: Facts, group: ActivityGroup, html: string): void => {
  const [line = ''] =
    /<li id="line-[^"]*"><a[^>]*aria-current="true".*?<\/li>|<li id="line-(?:(?!<li id="line-).)*aria-label="Attempts".*?<\/ol>/s.exec(
      html,
    ) ?? []
  const text = textOf(line)
  const [, attempts, count] = /(\d+) attempts, (\d+) (?:payout|wallet)s?/.exec(text) ?? []
  if (attempts) {
    expect(Number(attempts)).toBe(group.attempts.length)
    const made = facts.payouts.filter((it) => it.customer_payout_id === group.client_id)
    expect(Number(count)).toBe(group.earlier ? 0 : made.length)
  }
  expect(/aid (twice|\d times):/.test(text)).toBe(twiceIn(facts).has(group.payout ?? ''))
  expect(group.paid_twice !== null).toBe(twiceIn(facts).has(group.payout ?? ''))
  if (group.outcome && !group.lost) expect(line).toContain(`title="${group.outcome}"`)
}

test('each number, status and count of the console is that of the API', async () => {
  await fc.assert(
    fc.asyncProperty(histories, async (steps) => {
      const { api, visitor } = await openConsole({ scenarios: ['magic-values', 'happy-path'] })
      for (const it of steps) await play(api, it)
      const facts = await read(api)
      const look = async (path: string) => {
        const { html } = await visitor.look(path)
        const words = wordsOf(html)
        expect(words.match(/.{40}\b(null|undefined|NaN)\b.{20}/s)?.[0]).toBeUndefined()
        const total = formatCount(facts.payouts.length + facts.transfers.length)
        expect(words).toContain(`Payments <small>${total}</small>`)
        return html
      }
      const payments = await look('/payments')
      expect(chipsOf(payments)).toEqual(countPayments(facts))
      expect(textOf(wordsOf(payments))).toMatch(movingText(facts))
      for (const status of ['waiting', 'failed', 'paid_twice']) {
        const rows = (await look(`/payments?status=${status}`)).match(/class="open-row"/g) ?? []
        const name = status === 'waiting' ? 'Waiting for you' : statusWord(status)
        expect(rows.length).toBe(countPayments(facts)[name] ?? 0)
      }
      for (const it of facts.payouts.slice(0, 8))
        checkPayment(facts, it, await look(`/payouts/${it.id}`))
      for (const it of facts.transfers.slice(0, 3))
        checkPayment(facts, it, await look(`/transfers/${it.id}`))
      const chips = chipsOf(await look('/'))
      if (facts.groups.length > 0) expect(chips.All).toBe(facts.groups.length)
      for (const kind of ['failed', 'faults', 'paid_twice', 'repeats']) {
        const { pagination } = await api.read<{ pagination: { total_elements: number } }>(
          `/_sandbox/activity?kind=${kind}`,
        )
        if (facts.groups.length > 0) expect(chips[statusWord(kind)]).toBe(pagination.total_elements)
      }
      for (const group of facts.groups.slice(0, 8))
        checkGroup(facts, group, await look(`/?request=${group.attempts[0]?.request}`))
      const ada = textOf(await look(`/users/${users.ada}`))
      const { items } = await api.read<{ items: Item[] }>(`/_sandbox/users/${users.ada}/balances`)
      for (const { amount = '', currency = '' } of items)
        expect(ada).toContain(formatMoney(String(amount), currency.toUpperCase()))
      const { with_problems } = await api.read<{ with_problems: number }>('/_sandbox/worlds')
      const worlds = textOf(await look('/worlds'))
      expect(worlds).toContain(
        with_problems > 0 ? `With a problem: ${with_problems}.` : 'None has a problem.',
      )
      for (const { text } of facts.worlds.flatMap(({ problems }) => problems))
        expect(worlds).toContain(text)
      for (const path of [
        '/users',
        '/users?show=deposits',
        '/ledger',
        '/control',
        '/questions',
        '/connect',
        '/find?q=1500',
      ])
        await look(path)
    }),
    { numRuns: 6 },
  )
})
