import { illegalTransition } from '../kernel/refusal.js'

/** For each status, the statuses that may follow it. */
export type TransitionTable<S extends string> = Readonly<Record<S, readonly S[]>>

/** Refuses a move that the table does not hold, naming the ones that it does. */
export const assertTransition = <S extends string>(
  table: TransitionTable<S>,
  what: string,
  from: S,
  to: S,
): void => {
  const legal = table[from]
  if (legal.includes(to)) return
  const choice = legal.length > 0 ? `legal moves: ${legal.join(', ')}` : `${from} is final`
  throw illegalTransition(`${what} is ${from} and cannot become ${to}; ${choice}`)
}
