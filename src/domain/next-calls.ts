import { notFound, ruleViolation } from '../kernel/refusal.js'
import type { NextCall, Tx } from './schema.js'
import { getUser } from './users.js'

const MAX_ARMED = 200

export type NextCallInput = Pick<
  NextCall,
  'operation' | 'user_id' | 'times' | 'then' | 'optional' | 'yaml'
> & {
  readonly rules: readonly object[]
}

/** The API has validated the rules. */
export const armNextCall = (tx: Tx, { rules, ...input }: NextCallInput): NextCall => {
  const { next_calls } = tx.tables
  if (input.user_id !== null) getUser(tx.tables, input.user_id)
  if (next_calls.count('armed', '') >= MAX_ARMED) {
    throw ruleViolation(undefined, `${MAX_ARMED} calls are armed already. Disarm some first`)
  }
  const id = tx.uuid()
  const n = next_calls.next
  const placed = rules.map((rule) => ({ ...rule, source: `armed as ${id}` }))
  const scenario = { name: `next-${n}`, rules: placed }
  tx.emit({ type: 'next.armed', id })
  return tx.add('next_calls', { id, n, ...input, left: input.times, scenario })
}

/** Disarms one call, or all. Records that earlier calls created still follow their rules. */
export const disarmNextCalls = (tx: Tx, { id }: { readonly id?: string }): readonly NextCall[] => {
  const armed = tx.tables.next_calls.list('armed', '')
  const calls = id === undefined ? armed : armed.filter((call) => call.id === id)
  if (id !== undefined && calls.length === 0) throw notFound('id', `no armed call has the id ${id}`)
  for (const call of calls) {
    tx.replace('next_calls', call, { ...call, left: 0 })
    tx.emit({ type: 'next.disarmed', id: call.id })
  }
  return calls
}

export const takeNextCall = (tx: Tx, id: string): void => {
  const call = tx.tables.next_calls.get(id)
  if (!call || call.left === 0) return
  tx.emit({ type: 'next.taken', id, source: call.scenario.name })
  if (call.taken && call.left === null) return
  tx.replace('next_calls', call, { ...call, left: call.left && call.left - 1, taken: true })
}
