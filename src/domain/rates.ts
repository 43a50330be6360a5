import { Refusal } from '../kernel/refusal.js'

import { Decimal, roundRate } from './money.js'
import { RATE_DECIMALS } from './rails.js'
import type { Rate, Tx } from './schema.js'
import { assertRates } from './seed-data/money.js'

export interface RateChange {
  readonly base: string
  readonly quote: string
  readonly rate: string
}

export const setRate = (tx: Tx, { base, quote, rate }: RateChange): Rate => {
  const id = `${base}/${quote}`
  const known = tx.tables.rates.get(id)
  if (!known) {
    const ids = tx.tables.rates.list('all', '').map((it) => it.id)
    throw new Refusal('unknown', {
      field: 'base',
      problem: `no rate leads from ${base} to ${quote}`,
      expected: ids.join(', '),
    })
  }
  const changed = { ...known, rate: roundRate(new Decimal(rate), RATE_DECIMALS) }
  const after = tx.replace('rates', known, changed)
  assertRates(tx.tables, 'rate')
  tx.emit({ type: 'rate.set', id, rate: after.rate })
  return after
}
