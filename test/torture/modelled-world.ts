import type { Counts } from './counts.js'
import type { Replica } from './replica.js'
import type { Tenant } from './tenant.js'
import { BALANCES, CURRENCY, outcomeOf, pause, TorturedWorld, untilAnswered } from './world.js'

/** The balance that the fixtures give. */
const START = 500_000
/** A statement of a replica that was killed arrives at the database within this time. */
const LATE_MS = 1_000

/** A world with one client, whose undos, redos and resets a model foretells. */
export class ModelledWorld {
  readonly #world: TorturedWorld
  readonly #counts: Counts
  #balance = START
  /** Balances that undos return to, newest last. */
  #before: number[] = []
  /** The balance that a redo returns to. */
  #undone: number | undefined
  #n = 0

  constructor(replicas: readonly Replica[], tenant: Tenant, counts: Counts) {
    this.#world = new TorturedWorld(replicas, tenant, counts)
    this.#counts = counts
  }

  async step(): Promise<void> {
    const die = Math.random()
    if (die < 0.5) await this.#credit()
    else if (die < 0.75) await this.#undo()
    else if (die < 0.9) await this.#redo()
    else if (die < 0.95) await this.#reset()
    const found = await this.#readBalance()
    if (found !== this.#balance) {
      this.#counts.find(`a balance is ${found}, and the model says ${this.#balance}`)
    }
    this.#counts.add('modelled steps')
  }

  async #credit(): Promise<void> {
    const amount = 2 ** (this.#n++ % 30)
    const body = { currency: CURRENCY, amount: String(amount) }
    if (await this.#act(BALANCES, this.#balance + amount, body)) {
      this.#before.push(this.#balance)
      this.#undone = undefined
      this.#balance += amount
    }
  }

  async #undo(): Promise<void> {
    const to = this.#before.at(-1)
    if (to === undefined || to === this.#balance) return
    if (!(await this.#act('/_sandbox/undo', to))) return
    this.#undone = this.#balance
    this.#balance = this.#before.pop() ?? START
  }

  async #redo(): Promise<void> {
    const to = this.#undone
    if (to === undefined || to === this.#balance) return
    if (!(await this.#act('/_sandbox/redo', to))) return
    this.#before.push(this.#balance)
    this.#balance = to
    this.#undone = undefined
  }

  async #reset(): Promise<void> {
    if (this.#balance === START) return
    if (await this.#act('/_sandbox/reset', START)) {
      this.#before = [this.#balance]
      this.#undone = undefined
      this.#balance = START
    }
  }

  /** Returns whether it was made. If no answer says so, the balance does. */
  async #act(path: string, then: number, body?: object): Promise<boolean> {
    const outcome = outcomeOf(await this.#world.call('POST', path, body))
    if (outcome !== 'unknown') return outcome === 'done'
    await pause(LATE_MS)
    return (await this.#readBalance()) === then
  }

  async #readBalance(): Promise<number> {
    const { body } = await untilAnswered(() => this.#world.call('GET', BALANCES))
    const own = body.items.find((it: { currency: string }) => it.currency === CURRENCY)
    return Number(own?.amount ?? 0)
  }
}
