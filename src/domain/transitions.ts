import { illegalTransition } from '../kernel/refusal.js'

/** The statuses that may follow each status. */
export type TransitionTable<S extends string> = Readonly<Record<S, readonly S[]>>

/** The refusal lists the legal transitions. */
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
