import { type Deposit, decidedByChain } from '../world/deposits.js'
import type { Readings } from '../world/readings.js'

/** Notes what a balance rests on besides its own chain: where these deposits went (wallet.other_chain). */
export const noteOtherChain = (readings: Readings, deposits: Iterable<Deposit>): void => {
  for (const deposit of deposits) readings.note('wallet.other_chain', decidedByChain(deposit))
}
