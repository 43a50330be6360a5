import { createReader, getField, isObject } from '../exchange.js'
import { ABOVE_BALANCE, PAYMENT, type ProbeRequest, type Step } from './plan.js'
import { fillRequest, learn, type Values } from './values.js'

export interface ProbeAnswer {
  readonly status: number
  readonly body: unknown
}

export interface Wire {
  /** Resolves to status 0 without an answer. */
  readonly send: (request: ProbeRequest, step: number) => Promise<ProbeAnswer>
  /** The second one begins before the first is answered. */
  readonly sendTwice: (request: ProbeRequest, step: number) => Promise<ProbeAnswer>
  readonly now: () => number
  /** Whether the user wants it to end. */
  readonly isOver: () => boolean
}

/** The state of a probe, over all its runs. */
export interface Progress {
  readonly values: Values
  /** The time of the last request of each step. */
  readonly sent: Map<number, number>
  /** The sum of the accepted payouts. */
  paid: number
  errors: number
}

export const startProgress = (values: Values): Progress => ({
  values,
  sent: new Map(),
  paid: 0,
  errors: 0,
})

/** Notes a request of this run, or of a recording that is resumed. */
export const noteAnswer = (
  progress: Progress,
  step: number,
  at: number,
  request: ProbeRequest,
  { status, body }: ProbeAnswer,
): void => {
  progress.sent.set(step, at)
  progress.errors = status === 0 || status >= 500 ? progress.errors + 1 : 0
  if (status < 200 || status >= 300) return
  learn(progress.values, request, body)
  progress.paid += amountOf(request)
}

export const amountOf = ({ path, body }: ProbeRequest): number =>
  path === `${PAYMENT}/payout` ? Number(getField(body, 'amount')) : 0

const AGENT = /"sandramp-probe\/([0-9a-f]{8})\.(\d+)"/

/** The header by which a recording shows the run and the step of a request. */
export const nameAgent = (run: string, step: number): string => `sandramp-probe/${run}.${step}`

export const findRun = (entries: readonly unknown[]): string | undefined =>
  AGENT.exec(JSON.stringify(entries[0]) ?? '')?.[1]

/** Notes the requests of a recording that is resumed. */
export const noteEntries = (progress: Progress, entries: readonly unknown[]): void => {
  const read = createReader([])
  for (const entry of entries) {
    const step = Number(AGENT.exec(JSON.stringify(entry))?.[2])
    const x = read(entry, { n: 0, number: 0, source: 0 })
    if (!x || !step) continue
    const request = { method: 'POST', path: x.path, ...(x.body && { body: x.body }) } as const
    noteAnswer(progress, step, x.at, request, { status: x.status, body: x.answer })
  }
  progress.errors = 0
}

const HOUR_MS = 3_600_000
const MAX_ERRORS = 3
const MAX_TRANSFERS = 12
/** The newest are those of the deposits. */
const MAX_REPEATED = 3

/** Whether it is time for a step, and it was not sent before. */
export const isDue = (
  { number, hours = 0, isRepeated }: Step,
  since: number | undefined,
  { sent }: Progress,
  now: number,
): boolean =>
  (isRepeated || !sent.has(number)) &&
  (hours === 0 || (since !== undefined && now - since >= hours * HOUR_MS))

/** Sends the steps that are due. Returns why it stopped before the end. */
export const runProbe = async (
  steps: readonly Step[],
  progress: Progress,
  wire: Wire,
  maxTotal: number,
): Promise<string | undefined> => {
  let end: string | undefined
  const send = async (number: number, template: ProbeRequest, how = wire.send) => {
    const request = fillRequest(template, progress.values)
    if (!request || end !== undefined) return undefined
    if (wire.isOver()) end = 'interrupted'
    else if (progress.paid + amountOf(request) > maxTotal && !isHuge(template))
      end = `the payouts would exceed ${maxTotal} in total`
    if (end !== undefined) return undefined
    const at = wire.now()
    const answer = await how(request, number)
    noteAnswer(progress, number, at, request, answer)
    if (answer.status === 429 || answer.status === 503) end = `status ${answer.status}`
    else if (progress.errors >= MAX_ERRORS) end = `${MAX_ERRORS} errors in a row`
    return answer
  }
  const follow = async ({ number, follow: kind, request, isRepeated }: Step, body: unknown) => {
    const most = isRepeated ? MAX_REPEATED : MAX_TRANSFERS
    const reads = kind === 'pages' ? nextPages(request.path, body) : transferReads(body, most)
    for (const read of reads) await send(number, { method: 'GET', path: read })
  }
  for (const step of steps) {
    const { number, request, plain, isTwice } = step
    const first = step.hours ? steps.find((it) => isSame(it, step)) : undefined
    if (!isDue(step, first && progress.sent.get(first.number), progress, wire.now())) continue
    const answer = await send(number, request, isTwice ? wire.sendTwice : wire.send)
    if (answer?.status === 400 && plain) await send(number, plain)
    if (answer && step.follow) await follow(step, answer.body)
    if (end !== undefined) return end
  }
  return undefined
}

const isSame = (a: Step, b: Step): boolean =>
  JSON.stringify(a.request) === JSON.stringify(b.request)

export const isHuge = ({ body }: ProbeRequest): boolean =>
  getField(body, 'amount') === ABOVE_BALANCE

const nextPages = (path: string, body: unknown): string[] => {
  const pages = getField(body, 'pagination.total_pages')
  const count = typeof pages === 'number' ? Math.min(pages, 100) : 0
  return Array.from({ length: Math.max(count - 1, 0) }, (_, n) => `${path}?page=${n + 1}`)
}

/** Of the newest transfers of a list. */
const transferReads = (body: unknown, most: number): string[] => {
  const list = getField(body, 'transactions')
  return (Array.isArray(list) ? list : [])
    .filter(isObject)
    .sort((a, b) => (String(a.created_at) < String(b.created_at) ? 1 : -1))
    .slice(0, most)
    .map(({ id }) => `${PAYMENT}/fx-audit/status/${String(id)}`)
}
