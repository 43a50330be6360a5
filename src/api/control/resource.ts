import type * as z from 'zod'
import type { Tables } from '../../domain/schema.js'
import type { Selection } from '../../domain/selection.js'
import { type Operation, ok, operation, type ShapeOf } from '../../http/operation/operation.js'
import { notFound } from '../../kernel/refusal.js'
import type { Row } from '../../kernel/row.js'
import type { Table } from '../../kernel/table.js'
import { EXAMPLES, idPath, userPath } from './fields.js'
import { listPage, listSchema, type pageQuery } from './lists.js'

type Noun = 'user' | 'wallet' | 'deposit' | 'transfer' | 'offramp' | 'payout'

interface Resource<R extends Row, Index extends string, Q extends typeof pageQuery> {
  readonly noun: Noun
  readonly table: (tables: Tables) => Table<R, Index>
  readonly schema: z.ZodType
  readonly show: (record: R, tables: Tables) => unknown
  /** The filters of the list, and the records that they select. */
  readonly query: Q
  readonly select: (query: ShapeOf<Q>) => Selection<R, Index>
  readonly listId?: string
  readonly listDescription: string
  readonly readDescription: string
}

export const resource = <R extends Row, Index extends string, Q extends typeof pageQuery>({
  noun,
  table,
  schema,
  show,
  query,
  select,
  ...rest
}: Resource<R, Index, Q>): readonly [list: Operation, read: Operation] => {
  const path = `/_sandbox/${noun}s`
  const title = capitalized(noun)
  return [
    operation({
      id: rest.listId ?? `list${title}s`,
      method: 'get',
      path,
      tag: `${title}s`,
      summary: `List ${noun}s`,
      description: rest.listDescription,
      query,
      answers: { 200: { description: 'One page', schema: listSchema(schema, `${title}List`) } },
      handle: ({ world: { tables }, query }) =>
        listPage(table(tables), select(query), query, (record) => show(record, tables)),
    }),
    operation({
      id: `read${title}`,
      method: 'get',
      path: `${path}/{id}`,
      tag: `${title}s`,
      summary: `Read ${withArticle(noun)}`,
      description: rest.readDescription,
      params: noun === 'user' ? userPath() : idPath(EXAMPLES[`${noun}s`]),
      answers: { 200: { description: `The ${noun}`, schema } },
      handle: ({ world: { tables }, params: { id } }) =>
        ok(show(knownRecord(table(tables), id, noun), tables)),
    }),
  ]
}

export const capitalized = (word: string): string =>
  `${word.charAt(0).toUpperCase()}${word.slice(1)}`

export const withArticle = (noun: string): string => `${/^[aio]/i.test(noun) ? 'an' : 'a'} ${noun}`

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
