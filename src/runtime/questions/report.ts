import type { ConfirmedReading } from '../../assumptions/answers-file.js'
import { type AssumptionId, assumptionIds } from '../../assumptions/ids.js'
import { compareByRisk, RISKS, type Risk } from '../../assumptions/register/assumption.js'
import { assumptions } from '../../assumptions/register/index.js'
import { AssumptionUsage, type ReadingUsage } from '../../assumptions/usage.js'
import { readIn } from '../../domain/assumptions.js'
import type { World } from '../../domain/world.js'
import type { LogRecord } from '../../history/log-record.js'
import type { RequestLog } from '../../history/request-log.js'
import { sentTarget, showExchange } from '../../history/views.js'
import { toIso } from '../../kernel/time.js'
import { inSlices } from '../../lib/slices.js'
import { truncate } from '../../lib/text.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import type { Sandbox } from '../sandbox.js'

interface NamedReading {
  readonly name: string
  readonly description: string
}

/** A request whose response relied on the assumption. Long bodies are shortened. */
export interface Example {
  readonly request_id: string
  readonly at: string
  readonly method: string
  /** Includes the query. */
  readonly path: string
  readonly request: unknown
  readonly status: number | null
  readonly response: unknown
}

/** An open question of the contract that traffic relied on. */
export interface Question {
  readonly id: AssumptionId
  readonly risk: Risk
  readonly question: string
  readonly operations: readonly string[]
  /** The world's reading, or that of its responses if they differ from the settled one. */
  readonly assumed: NamedReading
  readonly others: readonly NamedReading[]
  readonly consequence: string
  readonly basis: string
  readonly hits: number
  readonly last_hit: string | null
}

/** A question without an answer, or one whose answer some responses did not follow. */
export interface OpenQuestion extends Question {
  /** The answer that the responses did not follow; null without an answer. */
  readonly settled: ConfirmedReading | null
  /** The question as text for the operator of the service. */
  readonly message: string
  /** Null when the log no longer has such a request. */
  readonly example: Example | null
}

/** A high risk whose operations were called, but no response relied on it. */
interface UnexercisedQuestion extends Question {
  readonly message: string
}

export interface SettledQuestion extends Question {
  readonly settled: ConfirmedReading
}

/** A subject that the contract does not mention, so the sandbox has no readings for it. */
interface LeftOut {
  readonly topic: string
  readonly question: string
}

/** The open questions that the traffic of one or all worlds relied on. */
export interface QuestionsReport {
  readonly at: string
  readonly seed: string
  readonly requests: number
  readonly open: readonly OpenQuestion[]
  readonly settled: readonly SettledQuestion[]
  readonly unexercised: readonly UnexercisedQuestion[]
  /** The same in every report. */
  readonly left_out: readonly LeftOut[]
}

/** Questions for the operator of the service. No test run can answer them. */
const LEFT_OUT: readonly LeftOut[] = [
  {
    topic: 'Webhooks',
    question:
      'Are there webhooks or other events? If not, how often may a client poll for a change of status?',
  },
  {
    topic: 'Registering accounts',
    question:
      'How is a destination account registered, changed and listed, and what does the service check?',
  },
  {
    topic: 'Reading a wallet',
    question: 'Which call returns a wallet with its balances, and which one lists all wallets?',
  },
  {
    topic: 'Permissions',
    question:
      'Which permissions are there besides read-only, and which one does each operation need?',
  },
  {
    topic: 'Limits',
    question:
      'Which rate limits and quotas apply, and how large may a body, an image and an amount be?',
  },
]

export const isIdle = ({ requests, open, settled }: QuestionsReport): boolean =>
  requests + open.length + settled.length === 0

interface Source {
  readonly sandbox: Sandbox
  readonly world: World
  readonly counts: AssumptionUsage
}

/** Reports on the traffic in `logs`, with the readings of `live`. Other requests run meanwhile. */
export const reportQuestions = async (
  sandbox: Sandbox,
  live: LiveWorld,
  logs: readonly RequestLog[] = [live.requests],
): Promise<QuestionsReport> => {
  const { count, called, examples } = await inSlices(readTraffic(logs))
  const { world } = live
  const source = { sandbox, world, counts: AssumptionUsage.sum(logs.map(({ usage }) => usage)) }
  return {
    at: toIso(world.now),
    seed: world.seed,
    requests: count,
    open: assumptionIds
      .flatMap((id) => openOn(source, id))
      .sort(worstFirst)
      .map((it) => {
        const example = findExample(it, examples)
        return {
          ...it,
          message: findMessage(it),
          example: example ? toExample(example) : null,
        }
      }),
    settled: assumptionIds.flatMap((id) => settledOn(source, id)).sort(worstFirst),
    unexercised: unexercisedBy(source, called),
    left_out: LEFT_OUT,
  }
}

interface Traffic {
  readonly count: number
  readonly called: ReadonlySet<string | undefined>
  /** The newest exchange for each set of assumptions, the oldest of them first. */
  readonly examples: readonly LogRecord[]
}

function* readTraffic(logs: readonly RequestLog[]): Generator<void, Traffic> {
  const called = new Set<string | undefined>()
  const examples = new Map<string, LogRecord>()
  let count = 0
  for (const log of logs) {
    for (const logRecord of log.walk()) {
      yield
      if (!logRecord) continue
      const { operation, assumed } = logRecord
      count++
      called.add(operation?.id)
      examples.delete(assumed)
      if (assumed !== '') examples.set(assumed, logRecord)
    }
  }
  return { count, called, examples: [...examples.values()] }
}

/** Returns the question if responses used a reading that nobody has confirmed. */
const openOn = (
  { sandbox, world, counts }: Source,
  id: AssumptionId,
): Omit<OpenQuestion, 'message' | 'example'>[] => {
  const settled = sandbox.confirmed.get(id) ?? null
  const readings = [...counts.readingsOf(id)]
    .filter(([name]) => name !== settled?.reading)
    .sort(([, a], [, b]) => b.hits - a.hits)
  const [[most] = []] = readings
  if (most === undefined) return []
  const active = readIn(world.tables, id)
  const isActive = settled === null || readings.some(([name]) => name === active)
  const hits = readings.map(([, it]) => it)
  return [{ ...toQuestion(id, isActive ? active : most, hits), settled }]
}

/** Returns the question if responses used the confirmed reading. */
const settledOn = ({ sandbox, world, counts }: Source, id: AssumptionId): SettledQuestion[] => {
  const confirmed = sandbox.confirmed.get(id)
  const hits = confirmed && counts.readingsOf(id).get(confirmed.reading)
  return hits ? [{ ...toQuestion(id, readIn(world.tables, id), [hits]), settled: confirmed }] : []
}

/** High risks of called operations: a test that never meets the case proves nothing about it. */
const unexercisedBy = (
  { sandbox, world, counts }: Source,
  called: ReadonlySet<string | undefined>,
): UnexercisedQuestion[] =>
  assumptionIds
    .filter(
      (id) =>
        assumptions[id].risk === 'high' &&
        !sandbox.confirmed.has(id) &&
        counts.of(id).hits === 0 &&
        assumptions[id].operations.some((operation) => called.has(operation)),
    )
    .map((id) => {
      const question = toQuestion(id, readIn(world.tables, id), [])
      return { ...question, message: findMessage(question) }
    })

const toQuestion = (id: AssumptionId, assumed: string, hits: readonly ReadingUsage[]): Question => {
  const { question, operations, readings, basis, risk, consequence } = assumptions[id]
  const told = readings.map(({ name, means }) => ({ name, description: means }))
  return {
    id,
    risk,
    consequence,
    question,
    operations,
    assumed: told.find(({ name }) => name === assumed) ?? { name: assumed, description: assumed },
    others: told.filter(({ name }) => name !== assumed),
    basis,
    hits: hits.reduce((sum, it) => sum + it.hits, 0),
    last_hit: hits.length === 0 ? null : toIso(Math.max(...hits.map((it) => it.last_hit))),
  }
}

/** Highest risk first, then most hits, then the order of the register. */
const worstFirst = (a: Question, b: Question): number => compareByRisk(a, b) || b.hits - a.hits

/** `2 high, 1 low` */
export const countsByRisk = (questions: readonly { readonly risk: Risk }[]): string =>
  RISKS.map((risk) => ({ risk, count: questions.filter((it) => it.risk === risk).length }))
    .filter(({ count }) => count > 0)
    .map(({ risk, count }) => `${count} ${risk}`)
    .join(', ')

/** `create custody wallet` for `createCustodyWallet`. */
export const nameOperation = (operation: string): string =>
  operation.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

/** The question as text for the operator, with the reading of a world. */
export const toMessage = (id: AssumptionId, reading: string): string =>
  findMessage(toQuestion(id, reading, []))

const findMessage = ({ question, assumed, others, operations }: Question): string => {
  const where =
    operations.length === 0 ? 'In every call' : `In ${operations.map(nameOperation).join(', ')}`
  const choices = others.map(({ description }) => `“${description}”`).join(' or ')
  return `${where}: ${question} We take it to be “${assumed.description}”. Is that right, or is it ${choices}?`
}

/** The best example used the active reading and relied on few other assumptions. The newest one wins. */
const findExample = (
  { id, assumed }: Question,
  exchanges: readonly LogRecord[],
): LogRecord | undefined => {
  let best: { readonly exchange: LogRecord; readonly rank: number } | undefined
  for (const exchange of exchanges) {
    const parts = exchange.assumed.split(', ')
    const own = parts.find((part) => part.startsWith(`${id}=`))
    if (own === undefined) continue
    const rank = parts.length + (own === `${id}=${assumed.name}` ? 0 : 1_000)
    if (rank <= (best?.rank ?? Number.POSITIVE_INFINITY)) best = { exchange, rank }
  }
  return best?.exchange
}

const toExample = (logRecord: LogRecord): Example => {
  const { id, at, method, request, status, response } = showExchange(logRecord)
  return {
    request_id: id,
    at,
    method,
    path: sentTarget(logRecord),
    request: summarize(request.body),
    status,
    response: summarize(response.body),
  }
}

const MAX_TEXT = 120
const MAX_ITEMS = 2

/** Cuts long texts and lists; a placeholder counts the omitted items. */
export const summarize = (value: unknown): unknown => {
  if (typeof value === 'string') return truncate(value, MAX_TEXT)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) {
    const more = value.length - MAX_ITEMS
    const items = value.slice(0, MAX_ITEMS).map(summarize)
    return more > 0 ? [...items, `… and ${more} more`] : items
  }
  return Object.fromEntries(Object.entries(value).map(([name, it]) => [name, summarize(it)]))
}
