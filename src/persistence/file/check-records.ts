import { assertAssumption, assertReading, ReadingError } from '../../assumptions/parse.js'
import { isRetired } from '../../assumptions/retired-readings.js'
import type { LedgerRecord } from '../../domain/balance-index.js'
import { assertStatusPath, brokenReference } from '../../domain/fixtures/validate.js'
import {
  assertDepositRoute,
  assertDestination,
  assertOfframpTransfer,
  assertQuote,
} from '../../domain/invariants.js'
import type {
  ApiKey,
  Choice,
  Deposit,
  Offramp,
  TableName,
  Tables,
  Transfer,
} from '../../domain/schema.js'
import type { CommandName } from '../../domain/world.js'
import { Refusal } from '../../kernel/refusal.js'
import type { Row } from '../../kernel/row.js'
import type { Timer } from '../../kernel/timers.js'
import { events, type Subject } from '../../scenarios/language/events.js'
import type { RecordOf } from './record-shapes.js'
import { toTable } from './state.js'

/** What records of one table keep to. */
type Rules = {
  readonly [Name in TableName]?: (tables: Tables, record: RecordOf<Name>) => void
}

const refuse = (field: string, why: string): never => {
  throw new Refusal('rule', why, `.${field}`)
}

/** Refuses a record that breaks a rule which holds between records. The message goes on from the record's place. */
export const checkRecord = (tables: Tables, table: TableName, record: Row): void => {
  checkReferences(tables, table, record)
  const rule = rules[table] as ((tables: Tables, record: Row) => void) | undefined
  rule?.(tables, record)
}

/** Fields of single tables that name a record of another one, besides those that have one meaning everywhere. */
const MORE_REFERENCES: { readonly [Name in TableName]?: readonly [field: string, TableName] } = {
  consents: ['used_by', 'users'],
  tokens: ['chain', 'chains'],
  accounts: ['chain', 'chains'],
  instructions: ['chain', 'chains'],
}

/** Fields that some reading lets name what no world knows (consent.refusals, wallet.chain). */
const FREE = ['consent_id', 'blockchain']

const checkReferences = (tables: Tables, name: TableName, record: Row): void => {
  const broken = brokenReference(tables, record, FREE)
  if (broken) {
    const { field, table, value, differs } = broken
    refuse(field, `${table} has ${differs ? `${value} with another ${differs}` : `no ${value}`}`)
  }
  const [field, table] = MORE_REFERENCES[name] ?? []
  if (field === undefined || table === undefined) return
  const value = (record as unknown as Record<string, unknown>)[field]
  if (typeof value === 'string') assertThere(tables, table, value, field)
}

const assertThere = (tables: Tables, table: TableName, id: string, field: string): void => {
  if (!toTable(tables, table).get(id)) refuse(field, `${table} has no ${id}`)
}

/** Of what a client names, an email address or a reference, there may be two by some reading. */
const checkKey = ({ api_keys }: Tables, { hash }: ApiKey): void => {
  if (api_keys.count('hash', hash) > 1) refuse('hash', 'it is another key’s, too')
}

const checkTransfer = (tables: Tables, transfer: Transfer): void => {
  assertStatusPath(transfer, '.reached')
  assertQuote(tables, transfer, '')
}

const checkDeposit = (tables: Tables, deposit: Deposit): void => {
  assertDestination(deposit, '')
  assertDepositRoute(tables, deposit, '')
  const { matched, kept } = deposit
  if (!kept) return
  const { user_id } = kept
  assertThere(tables, 'users', user_id, 'kept.user_id')
  if (matched === 'unmatched') return
  refuse('kept', `it is matched ${matched}, and so not kept aside`)
}

/** Accounts and subjects of the ledger that are records, by how they are written. */
const LEDGER_NOUNS: Readonly<Record<string, TableName>> = {
  user: 'users',
  wallet: 'wallets',
  transfer: 'transfers',
  payout: 'payouts',
  deposit: 'deposits',
}

const checkMovements = (tables: Tables, { id, movements: postings }: LedgerRecord): void => {
  const assertKnown = (account: string, field: string) => {
    const [noun = '', rest] = account.split(':', 2)
    const table = LEDGER_NOUNS[noun]
    if (table && rest !== undefined) assertThere(tables, table, rest, field)
  }
  assertKnown(id, 'id')
  for (const [i, { from, to }] of postings.entries()) {
    assertKnown(from, `movements[${i}].from`)
    assertKnown(to, `movements[${i}].to`)
  }
}

const checkReading = (_: Tables, { id, reading }: Choice): void => {
  const check = (assert: () => void, field: string) => {
    try {
      assert()
    } catch (error) {
      if (!(error instanceof ReadingError)) throw error
      throw new Refusal('rule', `.${field}${error.message}`)
    }
  }
  // An older version has written it. No reading is looked up by this id any more.
  if (isRetired(id)) return
  check(() => assertAssumption(id), 'id: ')
  check(() => assertReading(id, reading, 'reading'), '')
}

/** What plans are about. */
const subjects = Object.values(events).map(({ subject }): Subject => subject)
const TABLES = new Set(subjects.map(({ table }) => table))
/** The table of what a command moves. */
const MOVED = new Map(subjects.map(({ move, table }) => [move, table]))

/** One that is done would fire for ever, and one about nothing would be refused when it fires. */
const checkTimer = (tables: Tables, { done, plan }: Timer): void => {
  const { subject, steps } = plan
  if (done >= steps.length) {
    const accepted = 'accepted: fewer done than planned'
    refuse('done', `${done} came, but ${steps.length} steps are planned; ${accepted}`)
  }
  for (const { command } of steps) {
    const table = MOVED.get(command as CommandName)
    if (table) assertThere(tables, table, subject, 'plan.subject')
  }
  if ([...TABLES].some((table) => toTable(tables, table).get(subject))) return
  refuse('plan.subject', `no record has the id ${subject}`)
}

const checkOfframp = (tables: Tables, offramp: Offramp): void =>
  assertOfframpTransfer(tables, offramp, '')

const rules: Rules = {
  api_keys: checkKey,
  offramps: checkOfframp,
  transfers: checkTransfer,
  deposits: checkDeposit,
  ledger: checkMovements,
  readings: checkReading,
  timers: checkTimer,
}
