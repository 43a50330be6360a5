import { invalidValue, inWords } from '../lib/app-error.js'
import type { PageContext } from './page-context.js'

const ROWS_PER_PAGE = 50

const MAX_LENGTH = 500

export const param = ({ query }: PageContext, name: string): string | undefined => {
  const text = query.get(name)?.trim() || undefined
  if (text === undefined || (text.length <= MAX_LENGTH && !text.includes('\0'))) return text
  const received = inWords(text.includes('\0') ? 'a text with U+0000' : `${text.length} characters`)
  throw invalidValue(name, received, `text of at most ${MAX_LENGTH} characters, without U+0000`)
}

export const enumParam = <T extends string>(
  ctx: PageContext,
  name: string,
  accepted: readonly T[],
): T | undefined => {
  const given = param(ctx, name)
  const found = accepted.find((it) => it === given)
  if (given === undefined || found) return found
  throw invalidValue(name, given, [...new Set(accepted)].join(', '))
}

export const pageParam = (ctx: PageContext): number => {
  const text = ctx.query.get('page') ?? '0'
  if (!/^\d{1,7}$/.test(text)) throw invalidValue('page', text, 'a whole number from 0')
  return Number(text)
}

export const withParam = (ctx: PageContext, name: string, value: string): PageContext => {
  const query = new URLSearchParams(ctx.query)
  query.set(name, value)
  return { ...ctx, query }
}

export const takePage = <R>(
  ctx: PageContext,
  records: Iterable<R>,
  fits: (record: R) => boolean = () => true,
  order?: (a: R, b: R) => number,
) => {
  const start = pageParam(ctx) * ROWS_PER_PAGE
  const most = start + ROWS_PER_PAGE + 1
  const found = order ? takeFirst(records, fits, order, most) : takeSome(records, fits, most)
  const rest = found.slice(start)
  return { records: rest.slice(0, ROWS_PER_PAGE), hasMore: rest.length > ROWS_PER_PAGE }
}

/** The address of the page with changed parameters. A list gives one several values, undefined removes it. */
export const addressWith = (
  { path, query }: PageContext,
  changes: Readonly<Record<string, string | readonly string[] | undefined>>,
): string => {
  const changed = new URLSearchParams(query)
  for (const [name, value] of Object.entries(changes)) {
    changed.delete(name)
    for (const it of [value ?? []].flat()) changed.append(name, it)
  }
  return changed.size === 0 ? path : `${path}?${changed}`
}

const takeSome = <R>(records: Iterable<R>, fits: (record: R) => boolean, most: number): R[] => {
  const found: R[] = []
  for (const record of records) if (fits(record) && found.push(record) === most) break
  return found
}

/** The first records in an order. It searches no text behind them, so records that are nearly in the order cost little. */
const takeFirst = <R>(
  records: Iterable<R>,
  fits: (record: R) => boolean,
  order: (a: R, b: R) => number,
  most: number,
): R[] => {
  const found: R[] = []
  let last: R | undefined
  for (const record of records) {
    if (last && order(record, last) > 0) continue
    if (!fits(record) || found.push(record) < 2 * most) continue
    found.sort(order).length = most
    last = found.at(-1)
  }
  return found.sort(order).slice(0, most)
}
