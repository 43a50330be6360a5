import { type Selection, selectPage } from '../domain/selection.js'
import type { PageRequest } from '../domain/user-history.js'
import type { Row } from '../kernel/row.js'
import type { Table } from '../kernel/table.js'
import { invalidValue } from '../lib/app-error.js'
import type { PageContext } from './page-context.js'

/** Rows per page. */
export const ROWS = 50

/** Returns undefined for a missing or empty parameter. Throws for other values. */
export const enumParam = <T extends string>(
  { query }: PageContext,
  name: string,
  accepted: readonly T[],
): T | undefined => {
  const given = query.get(name) ?? ''
  if (given === '') return undefined
  const found = accepted.find((it) => it === given)
  if (found) return found
  throw invalidValue(name, given, accepted.join(', '))
}

/** Returns undefined for a missing or empty parameter. */
export const param = ({ query }: PageContext, name: string): string | undefined =>
  query.get(name)?.trim() || undefined

/** Adds the text filter of the page. A typed amount may contain commas. */
export const textFilter = <R extends Row, Index extends string>(
  ctx: PageContext,
  selection: Selection<R, Index>,
  textsOf: (record: R) => readonly (string | null)[],
): Selection<R, Index> => {
  const typed = param(ctx, 'text')?.toLowerCase()
  if (typed === undefined) return selection
  const text = /^[\d,.]+$/.test(typed) ? typed.replaceAll(',', '') : typed
  const { also = () => true } = selection
  const holds = (it: string | null) => it?.toLowerCase().includes(text)
  return { ...selection, also: (record) => also(record) && textsOf(record).some(holds) }
}

/** The page number in the address, from 0. */
const pageNumber = ({ query }: PageContext, parameter: string): number => {
  const text = query.get(parameter) ?? '0'
  if (/^\d{1,7}$/.test(text)) return Number(text)
  throw invalidValue(parameter, text, 'a whole number from 0')
}

/** One page of a list. */
export interface Rows<R> {
  readonly records: readonly R[]
  readonly page: number
  /** The number of rows on all pages; undefined if unknown. */
  readonly total: number | undefined
  readonly more: boolean
  /** The query parameter of the page number. */
  readonly parameter: string
}

/** A page beyond the end, such as after a reset, becomes the last page. */
const lastPage = (total: number): number => Math.max(Math.ceil(total / ROWS) - 1, 0)

export const pageOf = <R extends Row, Index extends string>(
  ctx: PageContext,
  table: Table<R, Index>,
  selection: Selection<R, Index>,
  parameter = 'page',
): Rows<R> => {
  const asked = pageNumber(ctx, parameter)
  const found = selectPage(table, selection, { page: asked, size: ROWS })
  const { total } = found
  const page = Math.min(asked, lastPage(total))
  const { records } = page === asked ? found : selectPage(table, selection, { page, size: ROWS })
  return { records, page, total, more: (page + 1) * ROWS < total, parameter }
}

/** For a list in memory, in display order. */
export const pageOfArray = <R>(
  ctx: PageContext,
  all: readonly R[],
  parameter = 'page',
): Rows<R> => {
  const total = all.length
  const page = Math.min(pageNumber(ctx, parameter), lastPage(total))
  const end = (page + 1) * ROWS
  return { records: all.slice(page * ROWS, end), page, total, more: end < total, parameter }
}

/** For a list that is counted where it is stored. */
export const pageOfStored = async <R>(
  ctx: PageContext,
  take: (page: PageRequest) => Promise<Pick<Rows<R>, 'records'> & { readonly total: number }>,
): Promise<Rows<R>> => {
  const parameter = 'page'
  const asked = pageNumber(ctx, parameter)
  const found = await take({ page: asked, size: ROWS })
  const { total } = found
  const page = Math.min(asked, lastPage(total))
  const { records } = page === asked ? found : await take({ page, size: ROWS })
  return { records, page, total, more: (page + 1) * ROWS < total, parameter }
}

/** For a list that is slow to count: takes one row more than it shows. `most` limits its length. */
export const pageOfSource = async <R>(
  ctx: PageContext,
  take: (from: number, count: number) => Promise<readonly R[]>,
  most: number,
): Promise<Rows<R>> => {
  const parameter = 'page'
  const page = pageNumber(ctx, parameter)
  const found = await take(page * ROWS, ROWS + 1)
  if (found.length === 0 && page > 0) {
    return { ...pageOfArray(ctx, await take(0, most), parameter), total: undefined }
  }
  return {
    records: found.slice(0, ROWS),
    page,
    total: undefined,
    more: found.length > ROWS,
    parameter,
  }
}

/** The address of the page with changed parameters. Undefined removes a parameter. */
export const addressWith = (
  { currentPath }: PageContext,
  changes: Readonly<Record<string, string | undefined>>,
): string => {
  const url = new URL(currentPath, 'http://local')
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) url.searchParams.delete(name)
    else url.searchParams.set(name, value)
  }
  return url.pathname + url.search
}
