import { createHash } from 'node:crypto'
import { getField, isObject } from '../exchange.js'
import type { Facts } from '../facts.js'
import type { ProbeRequest, Step } from './plan.js'

/** By the names that the plan has in braces. */
export type Values = Map<string, unknown>

const NAME = /\{([\w.]+)\}/g
/** The service names these in its answers. */
const LEARNED = ['consent', 'asset', 'fee']

/** `run`: eight hexadecimal digits that no other probe has. */
export const toValues = (facts: Facts, run: string, now: number): Values => {
  const { users = {}, accounts = {}, payouts } = facts
  const ofUser = (user: string | undefined) =>
    Object.entries(accounts).filter(([, it]) => user !== undefined && it.user === user)
  const own = ofUser(users.main)
  const [first] = payouts?.recipients ?? []
  const named: Record<string, unknown> = {
    ...prefix('users', users),
    ...prefix('keys', facts.keys),
    ...prefix('payouts', payouts),
    ...prefix('payouts.recipients', [undefined, ...(payouts?.recipients ?? [])]),
    ...prefix('accounts', [undefined, ...own.map(([id]) => id)]),
    'accounts.paused': ofUser(users.paused)[0]?.[0],
    'payouts.odd': first && {
      ...first,
      recipient_account_number: first.recipient_account_number.slice(0, -1),
    },
    'payouts.less': payouts && (Number(payouts.amount) * 0.99).toFixed(2),
    'deposits.transfer': facts.deposits?.at(-1)?.transfer,
    run,
    digits: String(Number.parseInt(run, 16) % 10 ** 8).padStart(8, '0'),
    a_minute_ago: new Date(now - 60_000).toISOString(),
  }
  return new Map(Object.entries(named).filter(([, value]) => value !== undefined))
}

const prefix = (start: string, values: object = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [`${start}.${name}`, value]))

/** The fact in the file that a name of the plan comes from. */
export const factOf = (name: string): string => DERIVED[name] ?? name.replace(/\.\d+$/, '')

const DERIVED: Readonly<Record<string, string>> = {
  'accounts.paused': 'accounts',
  'payouts.less': 'payouts.amount',
  'payouts.odd': 'payouts.recipients',
}

/** The names that a step lacks. */
export const findMissing = ({ request, plain }: Step, values: Values): string[] => {
  const names = [...JSON.stringify([request, plain]).matchAll(NAME)].map(([, name = '']) => name)
  if (request.isReadOnly) names.push('keys.read_only')
  return names.filter(
    (name) => !values.has(name) && !name.startsWith('id.') && !LEARNED.includes(name),
  )
}

/** Undefined if an earlier answer lacks a value. */
export const fillRequest = (request: ProbeRequest, values: Values): ProbeRequest | undefined => {
  let isWhole = true
  const find = (name: string): unknown => {
    if (name.startsWith('id.')) return toId(String(values.get('run')), name)
    if (!values.has(name)) isWhole = false
    return values.get(name) ?? null
  }
  const filled = JSON.stringify(request)
    .replace(/"\{([\w.]+)\}"/g, (_, name: string) => JSON.stringify(find(name)))
    .replace(NAME, (_, name: string) => String(find(name)))
  return isWhole ? (JSON.parse(filled) as ProbeRequest) : undefined
}

const toId = (run: string, name: string): string => {
  const hash = createHash('sha256')
    .update(run + name)
    .digest('hex')
  return `${run}-${hash.slice(0, 4)}-4000-8000-${hash.slice(4, 16)}`
}

/** Keeps what later requests need of an answer. */
export const learn = (values: Values, { path }: ProbeRequest, answer: unknown): void => {
  const fee = getField(answer, 'rail_fee')
  if (path.endsWith('/tnc')) values.set('consent', answer)
  if (path.endsWith('/offramp') && isObject(answer) && !values.has('asset'))
    values.set('asset', `${answer.crypto}/${answer.chain}`)
  if (typeof fee === 'number' && !values.has('fee')) values.set('fee', fee.toFixed(2))
}
