import type { Payout, Tables, Transfer } from '../domain/schema.js'
import { forEachChange } from '../kernel/command-record.js'
import { accumulate } from './accumulate.js'
import { createMatcher, payoutTexts, type Texts, transferTexts } from './search.js'
import type { View } from './view.js'

/** The texts of each payment in one: to look at the fields of 100,000 takes three times as long. */
class PaymentTexts {
  readonly #places = new Map<string, number>()
  readonly #ids: string[] = []
  readonly #texts: string[] = []

  set(id: string, texts: Texts): void {
    const place = this.#places.get(id) ?? this.#ids.push(id) - 1
    this.#places.set(id, place)
    this.#texts[place] = texts.join('\n')
  }

  /** The newest first. */
  *find(has: (texts: Texts) => boolean): Generator<string> {
    for (let place = this.#ids.length - 1; place >= 0; place--)
      if (has([this.#texts[place]])) yield this.#ids[place] as string
  }
}

const readTexts = <R extends Payout | Transfer>(
  noun: 'payouts' | 'transfers',
  textsOf: (tables: Tables, payment: R) => Texts,
) =>
  accumulate(
    ({ tables }) => {
      const texts = new PaymentTexts()
      for (const it of [...tables[noun].newestFirst()].reverse())
        texts.set(it.id, textsOf(tables, it as R))
      return texts
    },
    (texts, entry, { tables }) =>
      forEachChange(entry, noun, (id, it) => it && texts.set(id, textsOf(tables, it as R))),
  )

const TEXTS = {
  payouts: readTexts('payouts', payoutTexts),
  transfers: readTexts('transfers', transferTexts),
}

/** Payments of one kind that have a text, in nearly the order of the list. */
export function* findByText(
  view: View,
  noun: keyof typeof TEXTS,
  text: string,
): Generator<Payout | Transfer> {
  for (const id of TEXTS[noun](view).find(createMatcher(text))) {
    const found = view.tables[noun].get(id)
    if (found) yield found
  }
}
