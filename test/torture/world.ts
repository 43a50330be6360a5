import { randomUUID } from 'node:crypto'
import { accounts, users } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'
import type { Counts } from './counts.js'
import type { Replica, Reply } from './replica.js'
import type { Caller, Tenant } from './tenant.js'

export const BALANCES = `/_sandbox/users/${users.ada}/balances`
export const CURRENCY = 'KES'
const PAYOUT = '/payment/api/v1/payout'
const OF_FIXTURES = /^cccccccc-/
/** Replicas learn the database's time from round trips, which a busy machine slows down. */
const CLOCK_TOLERANCE_MS = 1_000
const PATIENCE_MS = 30_000
const PAGE = 1_000

export type Outcome = 'done' | 'not done' | 'unknown'

/** A client may believe a 503 only if it says that the change was not made. */
export const outcomeOf = (reply: Reply | undefined): Outcome => {
  if (!reply || /not known/.test(reply.body?.message)) return 'unknown'
  return reply.status < 300 ? 'done' : 'not done'
}

interface JournalEntry {
  readonly seq: number
  readonly command: string
  readonly cause: { readonly timer?: string }
  readonly input: Readonly<Record<string, string>>
  readonly changes: readonly unknown[]
}

/** One world: the acts of its clients, and the answers to them. */
export class TorturedWorld {
  readonly #caller: Caller
  readonly #replicas: readonly Replica[]
  readonly #counts: Counts
  /** Amounts, each different. */
  readonly #credits: Record<Outcome, Set<string>> = {
    done: new Set(),
    'not done': new Set(),
    unknown: new Set(),
  }
  /** Payouts that were acknowledged, or that a read has shown. */
  readonly #payouts = new Set<string>()
  /** The payouts that each read has shown. */
  readonly #reads: ReadonlySet<string>[] = []
  /** Bounds of the world’s time less the time of this process. */
  readonly #clock = { least: -Infinity, most: Infinity }
  #amounts = 0

  constructor(replicas: readonly Replica[], tenant: Tenant, counts: Counts) {
    this.#replicas = replicas
    this.#caller = tenant.openWorld()
    this.#counts = counts
  }

  /** Reads twice as often as it writes. */
  async use(until: number): Promise<void> {
    while (Date.now() < until) {
      const die = Math.random()
      if (die < 0.15) await this.#pay()
      else if (die < 0.45) await this.#credit()
      else if (die < 0.5) await this.#transfer()
      else if (die < 0.6) await this.#readClock()
      else await this.#readPayouts()
    }
  }

  /** Calls any replica. */
  async call(method: string, path: string, body?: object): Promise<Reply | undefined> {
    const up = this.#replicas.filter(({ isUp }) => isUp)
    const replica = up[Math.floor(Math.random() * up.length)]
    return replica?.call(method, path, this.#caller, body)
  }

  async #credit(): Promise<void> {
    const amount = String(++this.#amounts)
    const outcome = outcomeOf(await this.call('POST', BALANCES, { currency: CURRENCY, amount }))
    this.#credits[outcome].add(amount)
    this.#counts.add(`credits ${outcome}`)
  }

  /** Retries as a client of the contract does: with the same id until it is answered. */
  async #pay(): Promise<void> {
    const customer_payout_id = randomUUID()
    const body = { ...payoutRequest(), customer_payout_id, amount: '100.00' }
    await untilAnswered(() => this.call('POST', PAYOUT, body))
    this.#payouts.add(customer_payout_id)
    this.#counts.add('payouts')
  }

  /** A transfer sets timers, which any replica may fire. */
  async #transfer(): Promise<void> {
    const body = { user_id: users.ada, account_id: accounts.adaEur, source_currency: 'USD' }
    await this.call('POST', '/_sandbox/transfers', { ...body, source_amount: '500.00' })
  }

  /** A read shows all that was acknowledged, or read, before it began. */
  async #readPayouts(): Promise<void> {
    const before = [...this.#payouts]
    const reply = await this.call('GET', '/_sandbox/payouts?size=1000')
    if (reply?.status !== 200) return
    const items: { customer_payout_id: string }[] = reply.body.items
    const shown = items.map((it) => it.customer_payout_id).filter((id) => !OF_FIXTURES.test(id))
    this.#reads.push(new Set(shown))
    for (const id of before) if (!shown.includes(id)) this.#find(`a read misses payout ${id}`)
    for (const id of shown) this.#payouts.add(id)
    this.#counts.add('reads')
  }

  async #readClock(): Promise<void> {
    const sent = Date.now()
    const reply = await this.call('GET', '/_sandbox/clock')
    if (reply?.status !== 200) return
    const now = Date.parse(reply.body.now)
    const clock = this.#clock
    clock.least = Math.max(clock.least, now - Date.now())
    clock.most = Math.min(clock.most, now - sent)
    const off_ms = clock.least - clock.most
    if (off_ms > CLOCK_TOLERANCE_MS) this.#find(`its time differs by ${off_ms} ms`)
  }

  /** Compares the journals that replicas show with what clients were answered. Returns the longest one. */
  async check(replicas: readonly Replica[]): Promise<readonly JournalEntry[]> {
    const journals = await Promise.all(replicas.map((it) => this.#readJournal(it)))
    journals.sort((a, b) => a.length - b.length)
    const longest = journals.at(-1) ?? []
    for (const it of journals) {
      // Timers may fire between two reads.
      const isSame = JSON.stringify(it) === JSON.stringify(longest.slice(0, it.length))
      if (!isSame) this.#find('replicas show different journals')
    }
    this.#checkEntries(longest)
    const audit = await untilAnswered(() => this.call('GET', '/_sandbox/audit'))
    for (const it of audit.body.violations) this.#find(`audit: ${it}`)
    return longest
  }

  async #readJournal(replica: Replica): Promise<JournalEntry[]> {
    const entries: JournalEntry[] = []
    for (let after = 0; ; ) {
      const path = `/_sandbox/journal?size=${PAGE}&after=${after}`
      const { body } = await untilAnswered(() => replica.call('GET', path, this.#caller))
      entries.push(...body.items)
      if (body.items.length < PAGE) return entries
      after = body.next
    }
  }

  #checkEntries(entries: readonly JournalEntry[]): void {
    const first = entries[0]?.seq ?? 0
    const timers: string[] = []
    const credits: string[] = []
    const payouts: string[] = []
    for (const [i, { seq, cause, command, input, changes }] of entries.entries()) {
      if (seq !== first + i) this.#find(`its journal has a gap before ${seq}`)
      if (cause.timer !== undefined) timers.push(cause.timer)
      if (command === 'balance.credit') credits.push(String(Number(input.amount)))
      // A repeat is an entry, too, without a payout of its own.
      if (command === 'payout.create' && changes.length > 0) {
        payouts.push(input.customer_payout_id ?? '')
      }
    }
    this.#findTwice('timer', timers)
    this.#findTwice('credit', credits)
    this.#findTwice('payout', payouts)
    this.#findLost('credit', this.#credits.done, credits)
    this.#findLost('payout', this.#payouts, payouts)
    for (const it of credits) {
      if (this.#credits['not done'].has(it)) this.#find(`credit ${it} was made, and denied`)
    }
    for (const read of this.#reads)
      this.#findLost('payout of a read', payouts.slice(0, read.size), read)
  }

  #findTwice(noun: string, made: readonly string[]): void {
    const again = made.filter((it, i) => made.indexOf(it) < i)
    for (const it of again) this.#find(`${noun} ${it} was made twice`)
  }

  #findLost(noun: string, expected: Iterable<string>, made: Iterable<string>): void {
    const found = new Set(made)
    for (const it of expected) if (!found.has(it)) this.#find(`${noun} ${it} was lost`)
  }

  #find(finding: string): void {
    this.#counts.find(`${this.#caller.key}: ${finding}`)
  }
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

/** No fault lasts as long as this takes to give up. */
export const untilAnswered = async (ask: () => Promise<Reply | undefined>): Promise<Reply> => {
  const end = Date.now() + PATIENCE_MS
  for (;;) {
    const reply = await ask()
    if (reply?.status === 200) return reply
    if (Date.now() > end) throw new Error(`no answer: ${JSON.stringify(reply)}`)
    await pause(100 * Math.random())
  }
}
