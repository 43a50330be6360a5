import type { Client } from '../client.js'
import type { Transport } from '../open-sandbox.js'

/** An operation as the shared cases see it: how it is called, and what it answers when all is well. */
export interface Subject {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  /** With real values in place of parameters. */
  readonly path: string
  /** Makes a well-formed body; undefined for operations without one. */
  readonly body?: () => unknown
  readonly success: 200 | 201
  /** The error for `{}`; 'accepted' where it is valid, and a missing body means the same. */
  readonly empty?: string
}

export interface Place {
  readonly over: Transport
  readonly subject: Subject
}

/** How many records each table has, and all the money there is: what a refusal must leave alone. */
export const footprint = ({ sandbox }: Client): Record<string, unknown> => {
  const sizes = Object.entries(sandbox.tables).map(([name, table]) => [
    name,
    'size' in table ? table.size : 'sums',
  ])
  return { ...Object.fromEntries(sizes), money: sandbox.audit().assets }
}
