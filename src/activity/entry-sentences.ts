import type { Clock, Tables } from '../domain/schema.js'
import type { CommandName } from '../domain/world.js'
import { isNoun, nouns } from '../history/explain.js'
import { capitalize, formatMoney, pluralize, shortId, statusWord } from '../history/format.js'
import { forEachChange, forEachWrittenRow } from '../kernel/command-record.js'
import type { Cause, DomainEvent, Entry, RuleCause } from '../kernel/entry.js'
import type { Row } from '../kernel/row.js'
import { nextStep, type Timer } from '../kernel/timer-records.js'
import { HAPPY_PATH } from '../scenarios/language/catalogue.js'
import { isAutomatic } from '../worlds/snapshots.js'
import { type Because, findBecause } from './because.js'
import {
  causeSentence,
  type Prose,
  plannedStatus,
  recordRef,
  requestRef,
  scenarioRef,
  text,
  toPlainText,
  withReason,
} from './record-sentences.js'
import type { View } from './view.js'

/** An act of somebody, or a planned one. Every text about an entry consists of these parts. */
export interface Step {
  readonly cause: Cause | RuleCause
  /** Such as `marked it as`. */
  readonly verb: Prose
  /** Such as `Failed: account_closed`. */
  readonly object: Prose
  /** Why a rule did it. */
  readonly because?: Because | undefined
  /** Why it was refused. */
  readonly refused?: string | undefined
  readonly event?: DomainEvent | undefined
}

type KernelCommand = 'timer.pass' | 'world.redo' | 'world.undo'

/** The verb and the object of each command. Names in braces are fields of its input, or of its record. */
const ACTS = {
  'account.register': 'registered|an account for {user}',
  'api_key.create': 'created|the key {name}',
  'api_key.set': 'altered|a key',
  'balance.credit': 'credited|{money} to {user}',
  'clock.set': 'started|the clock',
  'consent.create': 'recorded|a consent',
  'deposit.receive': 'deposited|{money} to {address}',
  'fixtures.load': 'loaded|the fixtures',
  'next.arm': 'armed|the next {operation}',
  'next.disarm': 'disarmed|the next call',
  'offramp.initiate': 'asked for|a deposit address for {user}',
  'payout.create': 'made|a payout of {money} for {user}',
  'payout.move': 'marked {record} as|{to}',
  'rate.set': 'set|the rate of {base}/{quote} to {rate}',
  'reading.choose': 'chose|{reading} for {id}',
  'rule.fire': 'met|{rule}',
  'scenario.post': 'posted|a scenario',
  'scenarios.activate': 'changed|the scenarios',
  'snapshot.drop': 'deleted|the snapshot {name}',
  'snapshot.restore': 'restored|the snapshot {name}',
  'snapshot.take': 'took|the snapshot {name}',
  'timer.cancel': 'dropped|a plan',
  'timer.fire': 'fired|a planned step',
  'timer.pass': 'passed|a step of its plan',
  'transfer.move': 'marked {record} as|{to}',
  'transfer.read': 'read|the status of {record}',
  'transfer.resume': 'resumed|{record}',
  'transfer.start': 'started|a transfer of {money} for {user}',
  'user.create': 'created|{first_name} {last_name}',
  'user.move': 'marked {record} as|{to}',
  'wallet.create': 'created|a wallet for {user}',
  'world.begin': 'reset|the world',
  'world.fork': 'began|from the snapshot {name}',
  'world.redo': 'redid|what was taken back',
  'world.undo': 'went back|to an earlier state',
} satisfies Readonly<Record<CommandName | KernelCommand, string>>

const REPEATS: Readonly<Record<string, string>> = {
  'payout.repeated': 'asked again for|{record}: nothing was paid again',
  'wallet.repeated': 'asked again for|{record}: no second wallet was created',
}

/** Of events that another command may emit. */
const EVENT_ACTS: Readonly<Record<string, string>> = {
  'balance.credited': ACTS['balance.credit'],
  'payout.moved': ACTS['payout.move'],
  ...REPEATS,
  'rule.fired': 'left|{record} unchanged',
  'transfer.created': ACTS['transfer.start'],
  'transfer.moved': ACTS['transfer.move'],
  'user.moved': ACTS['user.move'],
}

export type StepView = Pick<View, 'sandbox' | 'tables'>

type Values = Readonly<Record<string, unknown>>

const moneyIn = ({ amount, currency, crypto, source_amount, source_currency }: Values): string =>
  formatMoney(text(amount ?? source_amount), text(currency ?? crypto ?? source_currency)).trim()

type Fill = (tables: Tables, values: Values, about?: string) => Prose[number]

const FILLS: Readonly<Record<string, Fill>> = {
  money: (_, values) => moneyIn(values),
  user: (tables, { user_id, id }) => recordRef(tables, text(user_id ?? id)),
  record: (tables, { id, record }, about) =>
    id === about ? 'it' : recordRef(tables, text(id), record as object | undefined),
  operation: (_, { operation }) => text(operation) || 'call',
  rule: (_, { rule }) => scenarioRef(text(rule).split('/')[0] ?? ''),
  to: (_, { to, reason }) => withReason(statusWord(text(to)), text(reason)),
  address: (_, { address }) => shortId(text(address)),
}

/** `turned on|bank-rejects`; empty for an entry that was read back, because it lacks the names before. */
const switchedAct = (entry: Entry): string => {
  const done: string[] = []
  const namesIn = (row: unknown): string[] =>
    (Object(row).names ?? []).filter((it: string) => it !== HAPPY_PATH)
  forEachChange(entry, 'playlist', (_, after, before) => {
    if (before === undefined) return
    for (const it of namesIn(after)) if (!namesIn(before).includes(it)) done.push(`turned on|${it}`)
    for (const it of namesIn(before))
      if (!namesIn(after).includes(it)) done.push(`turned off|${it}`)
  })
  const [first = '', ...more] = done
  return [first, ...more.map((it) => it.replace('|', ' '))].join(' and ')
}

/** Whether it moved a clock and left it as fast as it was. */
const keepsSpeed = (entry: Entry): boolean => {
  let isKept = false
  forEachChange(entry, 'clock', (_, after, before) => {
    const [a, b] = [before, after] as (Clock | null | undefined)[]
    isKept = !!a && a.speed === b?.speed && a.world_ms !== b.world_ms
  })
  return isKept
}

/** An entry, or the next step of a plan. */
type Act = Entry | Pick<Entry, 'command' | 'input' | 'cause'>

const findAct = (entry: Act): string => {
  const { command, cause, input } = entry
  const usual = (ACTS as Readonly<Record<string, string>>)[command] ?? `ran|${command}`
  const { mode, rule, snapshot } = Object(input)
  switch (command) {
    case 'clock.set': {
      const isMove =
        cause.kind === 'library' || ('operation' in cause && cause.operation === 'advanceClock')
      return isMove || ('seq' in entry && keepsSpeed(entry))
        ? 'moved|the clock'
        : mode === 'manual'
          ? 'paused|the clock'
          : usual
    }
    case 'world.begin':
      return cause.kind === 'boot' ? 'began|the world' : usual
    case 'rule.fire':
      return rule ? usual : 'sent|a request that rules count'
    case 'scenarios.activate':
      return ('seq' in entry && switchedAct(entry)) || usual
    case 'world.undo':
      return snapshot ? `took back|the ${String(snapshot).replace('before-', '')}` : usual
    default:
      return usual
  }
}

const findRecord = (tables: Tables, id: string) => {
  for (const noun of Object.keys(nouns) as (keyof typeof nouns)[]) {
    const record = tables[noun].get(id)
    if (record) return record
  }
  return undefined
}

/** A record as its entry left it: since an undo, its id may name another one. */
const findWritten = (entry: Act, id: string): Row | undefined => {
  let found: Row | undefined
  if ('changes' in entry)
    forEachWrittenRow(entry, (table, it, _, after) => {
      if (it === id && isNoun(table)) found = after
    })
  return found
}

/** An act on the record `about`, which it calls `it`. */
const toStep = (tables: Tables, entry: Act, event?: DomainEvent, about?: string): Step => {
  const { cause } = entry
  const refused = 'seq' in entry ? entry.refused : undefined
  if (cause.kind === 'fixtures') return { cause, verb: ['came'], object: ['with the fixtures'] }
  const id = text(event?.subject ?? event?.id)
  const record = findWritten(entry, id) ?? findRecord(tables, id)
  // The reason of a record is that of its newest step.
  const { reason: _, ...fields } = { reason: null, ...record }
  const values = { ...Object(entry.input), ...fields, ...event, ...(id && { id }), record }
  const other = event && (event.subject || event.type !== 'rule.fired') && EVENT_ACTS[event.type]
  const parts = (other || findAct(entry)).split('|').map((part) =>
    part
      .split(/\{(\w+)\}/)
      .map((it, i) =>
        i % 2 === 0 ? it : (FILLS[it]?.(tables, values, about) ?? String(values[it] ?? '')),
      )
      .filter((it) => it !== ''),
  )
  const [verb = [], object = []] = parts
  return { cause: causeOf(cause, event), verb, object, refused: refused?.message, event }
}

/** An event of a rule without steps names the rule. */
const causeOf = (cause: Cause, event?: DomainEvent): Cause | RuleCause => {
  if (event?.type !== 'rule.fired' || !event.subject) return event?.cause ?? cause
  const [scenario = '', rule] = event.id.split('/')
  const [subject, source] = [text(event.subject), text(event.source)]
  return { kind: 'rule', subject, scenario, rule: Number(rule), step: 0, source }
}

/** A step for each event; for an entry without events, one for its command. */
export const toSteps = (
  view: StepView,
  entry: Entry,
  events: readonly DomainEvent[],
  about?: string,
): Step[] => {
  const all = entry.refused || events.length === 0 ? [undefined] : events
  return all.map((event) => {
    const id = text(event?.subject ?? event?.id ?? Object(entry.input).id)
    return withBecause(view, id, toStep(view.tables, entry, event, about))
  })
}

const withBecause = (view: StepView, id: string, step: Step): Step => {
  const record = findRecord(view.tables, id)
  const because = record && findBecause(view, step.cause, record)
  return because ? { ...step, because } : step
}

/** The next step of a timer, which has not happened. */
export const plannedStep = (view: StepView, timer: Timer, about?: string): Step => {
  const { command = '', input } = nextStep(timer) ?? {}
  const { scenario, rule, source } = timer.plan
  const cause: Cause = { kind: 'timer', timer: timer.id, scenario, rule, step: timer.done, source }
  const { verb, ...step } = toStep(view.tables, { command, input, cause }, undefined, about)
  return withBecause(view, timer.plan.subject, {
    ...step,
    verb: ['will ', ...verb.map(toInfinitive)],
  })
}

/** `100.00 USDC → 84.60 EUR: Payment submitted`, or `10.00 EUR to Rhine Test Bank: will alter a key` */
export const timerSentence = (view: StepView, timer: Timer): Prose => {
  const { verb, object } = plannedStep(view, timer)
  const what = statusWord(plannedStatus(timer)) || toPlainText([...verb, ' ', ...object])
  return [recordRef(view.tables, timer.plan.subject), `: ${what}`]
}

const toInfinitive = (part: Prose[number], i: number): Prose[number] =>
  i === 0 && typeof part === 'string' ? part.replace(/^(\w+)ed\b/, '$1') : part

/** `Failed: account_closed`, or `Credited 1.00 EUR to Ada Okafor` */
export const stepTitle = ({ verb, object, event }: Step): string =>
  capitalize(toPlainText(event?.to === undefined ? [...verb, ' ', ...object] : object))

/** `, because account number ends in 01 (magic-values.yaml:24)` with a link to the line, or ` (request …)` */
export const reasonProse = ({ cause, because }: Step): Prose => {
  if ('request' in cause) return [' (', requestRef(cause.request), ')']
  if (!('source' in cause)) return []
  const { scenario, source } = cause
  if (scenario.startsWith('next-')) return []
  const line = source.split(':').at(-1)
  const path = `/scenarios/${scenario}?line=${line}#line-${line}`
  const words = because?.words
  return [words ? `, because ${words} (` : ' (', { text: source, path }, ')']
}

/** `Scenario magic-values, at once, because account number ends in 01 (magic-values.yaml:24)` */
export const stepCause = (step: Step, later: string): Prose => {
  const who = causeSentence(step.cause)
  return 'source' in step.cause ? [...who, later, ...reasonProse(step)] : who
}

/** `account number ends in 01 (magic-values.yaml:14)` */
export const becauseText = ({ cause, because }: Step): string | undefined => {
  if (!('source' in cause)) return undefined
  const { scenario, source } = cause
  const { text } = scenarioRef(scenario)
  return scenario.startsWith('next-') ? text : `${because?.words ?? text} (${source})`
}

const actorOf = (cause: Step['cause']): Prose[number] => {
  if (cause.kind === 'fixtures') return 'It'
  const [who = ''] = causeSentence(cause)
  return typeof who === 'string' ? who.replace(/,.*/, '') : who
}

const actProse = (step: Step): Prose => [
  step.refused === undefined ? '' : 'Refused: ',
  actorOf(step.cause),
  ' ',
  ...step.verb,
  ' ',
  ...step.object,
]

/** `Scenario magic-values marked it as Failed: account_closed, because account number ends in 01 (magic-values.yaml:24)` */
export const stepSentence = (step: Step): Prose => [
  ...actProse(step),
  ...reasonProse(step),
  step.refused === undefined ? '' : `: ${step.refused}`,
]

/** `You credited 5,000.00 NGN to Tola Adeyemi` */
export const entrySentence = (tables: Tables, entry: Entry): Prose => {
  const { command, input, events } = entry
  const step = toStep(
    tables,
    entry,
    events.find(({ type, cause }) => !cause && (REPEATS[type] || !EVENT_ACTS[type])),
  )
  const isOwn = command === 'snapshot.take' && isAutomatic({ name: text(Object(input).name) })
  return actProse(isOwn ? { ...step, cause: { kind: 'boot' } } : step)
}

/** `3 changes by your client, 1 refused` */
export const clientChanges = (entries: readonly Entry[]): string => {
  const refused = entries.filter((it) => it.refused).length
  const end = refused > 0 ? `, ${refused} refused` : ''
  return `${pluralize(entries.length - refused, 'change')} by your client${end}`
}
