import { type Arguments, findText, invalidFlag, UsageError } from '../lib/arguments.js'
import { schedule } from '../lib/machine-clock.js'
import { deriveTenantPrefix, drawSecret, hashSecret } from '../lib/secrets.js'
import { sessionKey } from '../lib/session-keys.js'
import { isDatabase, parseRateLimit, RATE_LIMIT_HELP } from '../runtime/options.js'
import type { PostgresIndex } from '../worlds/postgres/index-store.js'
import { openPostgresStore } from '../worlds/postgres/store.js'
import { PASSED } from './exit.js'

type Limits = readonly [worlds: string | undefined, rate: string | undefined]
type Action = (table: PostgresIndex, name: string, limits: Limits) => Promise<string>

const invalid = (field: string, received: string, expected: string) =>
  new UsageError({ field, received, expected })

const add: Action = async (table, name, limits) => {
  const token = drawSecret()
  const prefix = deriveTenantPrefix(token)
  const hashes = [hashSecret(prefix), hashSecret(token)]
  if (await table.addTenant(name, ...hashes, ...limits, sessionKey(token))) {
    return `world keys     ${prefix} and 10 of A-Z, a-z and 0-9\ncontrol token  ${token}\n`
  }
  throw invalid('name', name, 'a name that no tenant has or had')
}

const list: Action = async (table) => {
  const rows = await table.listTenants()
  const lines = rows.map(({ name, worlds, max_worlds, rate, created_at }) => {
    const limits = `worlds ${worlds}/${max_worlds ?? '∞'}  rate ${rate ?? '∞'}`
    return `${name}  ${limits}  created ${created_at.toISOString()}\n`
  })
  return lines.join('')
}

const remove: Action = async (table, name) => {
  if (await table.removeTenant(name)) return `${name} and its worlds are removed\n`
  throw invalid('name', name, 'a name of sandramp tenant list')
}

const ACTIONS: Readonly<Record<string, Action>> = { add, list, remove }
const NAME = /^[a-z0-9-]{1,64}$/

/** Prints what an action on the tenants of a database returns. Returns the exit code. */
export const tenant = async (args: Arguments): Promise<number> => {
  const [verb = '', ...names] = args.words
  const act = Object.hasOwn(ACTIONS, verb) ? ACTIONS[verb] : undefined
  if (!act) throw invalid('argument', verb, Object.keys(ACTIONS).join(', '))
  const name = names.join(' ')
  if (act === list ? name !== '' : !NAME.test(name)) {
    const expected = act === list ? 'none' : 'one of a-z, 0-9 and -, at most 64 characters'
    throw invalid('name', name, expected)
  }
  const [data, worlds, rate] = ['data', 'worlds', 'rate'].map((flag) => findText(args, flag))
  if (!isDatabase(data)) throw invalidFlag(args, 'data', data, 'the URL of a Postgres database')
  if (worlds !== undefined && !/^[1-9]\d{0,8}$/.test(worlds)) {
    throw invalidFlag(args, 'worlds', worlds, 'a whole number from 1 to 999999999')
  }
  if (rate !== undefined && !parseRateLimit(rate)) {
    throw invalidFlag(args, 'rate', rate, RATE_LIMIT_HELP)
  }
  const store = await openPostgresStore(data, { schedule, warn: console.error })
  try {
    await store.createTables()
    process.stdout.write(await act(store.index, name, [worlds, rate]))
    return PASSED
  } finally {
    await store.close()
  }
}
