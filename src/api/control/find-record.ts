import { notFound } from '../../kernel/refusal.js'

/** The record that a path names by its id; refuses an unknown one. */
export const knownRecord = <R>(
  table: { readonly get: (id: string) => R | undefined },
  id: string,
  singular: string,
): R => {
  const record = table.get(id)
  if (!record) throw notFound('id', `no ${singular} has the id ${id}`)
  return record
}
