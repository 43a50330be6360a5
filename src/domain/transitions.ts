import { illegalTransition, type Refusal } from '../kernel/refusal.js'

export type TransitionTable<S extends string> = Readonly<Record<S, readonly S[]>>

/** The refusal lists the legal transitions. */
export const assertTransition = <S extends string>(
  table: TransitionTable<S>,
  what: string,
  from: S,
  to: S,
): void => {
  if (table[from].includes(to)) return
  throw illegalTransition(`${what} is ${from} and cannot become ${to}; ${listLegal(table, from)}`)
}

/** The refusal of a move without a target, from a status that has no usual next one. */
export const noNextStatus = <S extends string>(
  table: TransitionTable<S>,
  what: string,
  from: S,
): Refusal =>
  illegalTransition(`${what} is ${from}, which has no next status; ${listLegal(table, from)}`)

const listLegal = <S extends string>(table: TransitionTable<S>, from: S): string =>
  table[from].length > 0 ? `legal moves: ${table[from].join(', ')}` : `${from} is final`
