import { randomUUID } from 'node:crypto'
import { accounts, users } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'
import type { Counts } from './counts.js'
import type { Replica, Reply } from './replica.js'

const BALANCES = `/_sandbox/users/${users.ada}/balances`
const PAYOUT = '/payment/api/v1/payout'
const CURRENCY = 'KES'
/** The balance that the fixtures give. */
const START = 500_000
const OF_FIXTURES = /^cccccccc-/

type Outcome = 'done' | 'not done' | 'unknown'

/** A client may believe a 503 only if it says that the change was not made. */
const outcomeOf = (reply: Reply | undefined): Outcome => {
  if (!reply) return 'unknown'
  if (reply.status < 300) return 'done'
  return /not known/.test(reply.body?.message) ? 'unknown' : 'not done'
}

/** The requests of clients in one world, and their outcomes. */
export class TorturedWorld {
  readonly key = `SandboxWorld${randomUUID().replaceAll('-', '').slice(0, 20)}`
  readonly #replicas: readonly Replica[]
  readonly #counts: Counts
  /** Amounts of credits, each different, by outcome. */
  readonly #credits: Record<Outcome, Set<string>> = {
    done: new Set(),
    'not done': new Set(),
    unknown: new Set(),
  }
  /** Payouts that were acknowledged, or that a read has shown. */
  readonly #payouts = new Set<string>()
  #amounts = 0

  constructor(replicas: readonly Replica[], counts: Counts) {
    this.#replicas = replicas
    this.#counts = counts
  }

  call(method: string, path: string, body?: object): Promise<Reply | undefined> {
    const up = this.#replicas.filter(({ isUp }) => isUp)
    const replica = up[Math.floor(Math.random() * up.length)] ?? this.#replicas[0]
    return replica?.call(method, path, this.key, body) ?? Promise.resolve(undefined)
  }

  async credit(): Promise<void> {
    const amount = String(++this.#amounts)
    const outcome = outcomeOf(await this.call('POST', BALANCES, { currency: CURRENCY, amount }))
    this.#credits[outcome].add(amount)
    this.#counts.add(`credits ${outcome}`)
  }

  /** Retries as a client of the contract does: with the same id until it is answered. */
  async pay(): Promise<void> {
    const customer_payout_id = randomUUID()
    const body = { ...payoutRequest(), customer_payout_id, amount: '100.00' }
    for (let tries = 0; tries < 50; tries++) {
      const reply = await this.call('POST', PAYOUT, body)
      if (reply && reply.status < 300) {
        this.#payouts.add(customer_payout_id)
        this.#counts.add('payouts')
        return
      }
      if (reply && reply.status < 500) {
        this.#counts.find(`payout: ${reply.status} ${JSON.stringify(reply.body)}`)
        return
      }
      await pause(50 * Math.random())
    }
  }

  /** A transfer sets timers, which any replica may fire. */
  async transfer(): Promise<void> {
    const body = { user_id: users.ada, account_id: accounts.adaEur, source_currency: 'USD' }
    await this.call('POST', '/_sandbox/transfers', { ...body, source_amount: '500.00' })
  }

  /** A read shows all that was acknowledged, or read, before it began. */
  async read(): Promise<void> {
    const before = [...this.#payouts]
    const reply = await this.call('GET', '/_sandbox/payouts?size=1000')
    if (reply?.status !== 200) return
    const shown = new Set<string>(
      reply.body.items.map((it: { customer_payout_id: string }) => it.customer_payout_id),
    )
    for (const id of before) if (!shown.has(id)) this.#counts.find(`a read misses payout ${id}`)
    for (const id of shown) if (!OF_FIXTURES.test(id)) this.#payouts.add(id)
    this.#counts.add('reads')
  }

  /** Compares the journals of all replicas with what clients were answered. */
  async check(): Promise<void> {
    const journals = await Promise.all(this.#replicas.map((it) => this.#readJournal(it)))
    const texts = journals.map((entries) => JSON.stringify(entries))
    if (new Set(texts).size > 1) this.#counts.find(`replicas show other journals of ${this.key}`)
    const audit = await untilAnswered(() => this.call('GET', '/_sandbox/audit'))
    for (const it of audit.body.violations) this.#counts.find(`audit: ${it}`)
    this.#checkEntries(journals[0] ?? [])
  }

  async #readJournal(replica: Replica): Promise<JournalEntry[]> {
    const entries: JournalEntry[] = []
    for (let after = 0; ; ) {
      const path = `/_sandbox/journal?size=1000&after=${after}`
      const { body } = await untilAnswered(() => replica.call('GET', path, this.key))
      entries.push(...body.items)
      if (body.items.length === 0) return entries
      after = body.next
    }
  }

  #checkEntries(entries: readonly JournalEntry[]): void {
    const timers = new Set<string>()
    const credits = new Map<string, number>()
    const paid = new Map<string, number>()
    for (const [i, { seq, cause, command, input, changes }] of entries.entries()) {
      if (i > 0 && seq !== (entries[i - 1]?.seq ?? 0) + 1) this.#counts.find(`gap before ${seq}`)
      if (cause.timer !== undefined) {
        if (timers.has(cause.timer)) this.#counts.find(`timer ${cause.timer} fired twice`)
        timers.add(cause.timer)
        this.#counts.add('timers')
      }
      if (command === 'balance.credit') addTo(credits, String(Number(input.amount)))
      // A repeat is an entry, too, without a payout of its own.
      if (command === 'payout.create' && changes.length > 0) addTo(paid, input.customer_payout_id)
    }
    this.#counts.add('entries', entries.length)
    const { done, unknown, 'not done': refused } = this.#credits
    for (const it of done) if (credits.get(it) !== 1) this.#wrong('credit', it, credits)
    for (const it of unknown) if ((credits.get(it) ?? 0) > 1) this.#wrong('credit', it, credits)
    for (const it of refused) if (credits.has(it)) this.#counts.find(`credit ${it} was made`)
    for (const it of this.#payouts) if (paid.get(it) !== 1) this.#wrong('payout', it, paid)
  }

  #wrong(noun: string, id: string, found: ReadonlyMap<string, number>): void {
    this.#counts.find(`${noun} ${id} of ${this.key} was made ${found.get(id) ?? 0} times`)
  }
}

interface JournalEntry {
  readonly seq: number
  readonly command: string
  readonly cause: { readonly timer?: string }
  readonly input: Readonly<Record<string, string>>
  readonly changes: readonly unknown[]
}

const addTo = (counts: Map<string, number>, id = ''): void =>
  void counts.set(id, (counts.get(id) ?? 0) + 1)

/** A world with one client, whose undo and resets a model foretells. */
export class ModelledWorld {
  readonly #world: TorturedWorld
  readonly #counts: Counts
  #balance = START
  /** Balances that undos return to, newest last. */
  #before: number[] = []
  #n = 0

  constructor(replicas: readonly Replica[], counts: Counts) {
    this.#world = new TorturedWorld(replicas, counts)
    this.#counts = counts
  }

  async step(): Promise<void> {
    const die = Math.random()
    if (die < 0.5) await this.#credit()
    else if (die < 0.8) await this.#undo()
    else if (die < 0.85) await this.#reset()
    await this.#compare()
    this.#counts.add('modelled steps')
  }

  async #credit(): Promise<void> {
    const amount = 2 ** (this.#n++ % 30)
    const body = { currency: CURRENCY, amount: String(amount) }
    await this.#act('POST', BALANCES, body, this.#balance + amount, () => {
      this.#before.push(this.#balance)
      this.#balance += amount
    })
  }

  async #undo(): Promise<void> {
    const to = this.#before.at(-1)
    if (to === undefined || to === this.#balance) return
    await this.#act('POST', '/_sandbox/undo', undefined, to, () => {
      this.#balance = this.#before.pop() ?? START
    })
  }

  async #reset(): Promise<void> {
    if (this.#balance === START) return
    await this.#act('POST', '/_sandbox/reset', undefined, START, () => {
      this.#before = [this.#balance]
      this.#balance = START
    })
  }

  /** Applies a step to the model if it was made. The balance shows whether one of unknown outcome was. */
  async #act(
    method: string,
    path: string,
    body: object | undefined,
    then: number,
    apply: () => void,
  ): Promise<void> {
    const outcome = outcomeOf(await this.#world.call(method, path, body))
    if (outcome === 'done') apply()
    if (outcome === 'unknown' && (await this.#readBalance()) === then) apply()
  }

  async #readBalance(): Promise<number> {
    const reply = await untilAnswered(() => this.#world.call('GET', BALANCES))
    const own = reply.body.items.find((it: { currency: string }) => it.currency === CURRENCY)
    return Number(own?.amount ?? 0)
  }

  async #compare(): Promise<void> {
    const found = await this.#readBalance()
    if (found === this.#balance) return
    this.#counts.find(`a balance is ${found}, and the model says ${this.#balance}`)
    this.#balance = found
  }
}

export const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms))

export const untilAnswered = async (ask: () => Promise<Reply | undefined>): Promise<Reply> => {
  for (;;) {
    const reply = await ask()
    if (reply?.status === 200) return reply
    await pause(100)
  }
}
