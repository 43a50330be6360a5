import { randomFillSync } from 'node:crypto'
import { type AssumptionId, assumptionIds } from '../../assumptions/ids.js'
import { compareByRisk } from '../../assumptions/register/assumption.js'
import { assumptions } from '../../assumptions/register/index.js'
import type { Choices, Readings, UsedReadings } from '../../assumptions/use.js'
import {
  ASSUMED_HEADER,
  FAULT_HEADER,
  HINT_HEADER,
  REQUEST_ID_HEADER,
} from '../../contract/header-names.js'
import { NO_HEADERS } from '../../history/headers.js'
import type { JsonResponse } from '../../history/log-record.js'
import { DeterministicRandom, formatUuid } from '../../kernel/prng.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import type { HandlerResult } from '../operation/api.js'
import { hasText, isDropped, isResponse } from './respond.js'

/** State changes at any time, and a control response is never a page. */
export const CONTROL_HEADERS = { 'cache-control': 'no-store' }

const EVENT_STREAM_TYPE = 'text/event-stream'

/** Headers of server-sent events. The last one stops nginx from buffering them. */
export const EVENT_STREAM = {
  'content-type': EVENT_STREAM_TYPE,
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}

export const isEventStream = (headers: Headers): boolean =>
  headers.get('content-type')?.startsWith(EVENT_STREAM_TYPE) ?? false

/** The headers of a response besides its own, which win. */
interface AddedHeaders {
  readonly requestId: string
  /** The value of x-sandbox-assumed; empty for none. */
  readonly assumed?: string
  /** Of the API, such as CORS. */
  readonly api?: JsonResponse['headers']
  readonly hint?: string | undefined
  /** Of the key, such as its rate limit. */
  readonly key?: JsonResponse['headers'] | undefined
}

/** Completes the headers of a response. Transports add only length, date and connection. */
export const addHeaders = (outcome: HandlerResult, added: AddedHeaders): HandlerResult => {
  if (isResponse(outcome)) {
    outcome.headers.set(REQUEST_ID_HEADER, added.requestId)
    for (const [name, value] of Object.entries(buildHeaders(added))) {
      if (!outcome.headers.has(name)) outcome.headers.set(name, value)
    }
    return outcome
  }
  if (isDropped(outcome)) {
    const { rule, partial } = outcome
    if (!partial) return outcome
    const headers = { ...buildHeaders(added, partial), [FAULT_HEADER]: rule }
    return { rule, partial: { ...partial, headers } }
  }
  const { status, text, body, trickle, garbled } = outcome
  return { status, text, body, headers: buildHeaders(added, outcome), trickle, garbled }
}

const buildHeaders = (
  { requestId, assumed = '', api = NO_HEADERS, hint, key = NO_HEADERS }: AddedHeaders,
  response?: JsonResponse,
): Record<string, string> => {
  const all: Record<string, string> = {}
  if (response && hasText(response.status)) all['content-type'] = 'application/json'
  all[REQUEST_ID_HEADER] = requestId
  all['x-content-type-options'] = 'nosniff'
  if (assumed !== '') all[ASSUMED_HEADER] = assumed
  if (api !== NO_HEADERS) Object.assign(all, api)
  if (hint !== undefined) all[HINT_HEADER] = hint
  if (key !== NO_HEADERS) Object.assign(all, key)
  const own = response?.headers ?? NO_HEADERS
  return own === NO_HEADERS ? all : Object.assign(all, own)
}

/** By risk, then by the order of the register. */
const RANKS = new Map(
  assumptionIds
    .toSorted((a, b) => compareByRisk(assumptions[a], assumptions[b]))
    .map((id, rank) => [id, rank]),
)

const rank = (id: AssumptionId): number => RANKS.get(id) ?? 0

interface FormattedReadings {
  readonly confirmed: Choices | undefined
  readonly text: string
}

const formatted = new WeakMap<UsedReadings, FormattedReadings>()

/** The value of `x-sandbox-assumed`: `<id>=<reading>, …` by risk, without confirmed readings. */
export const assumedHeader = ({ used, confirmed }: Readings): string => {
  const known = formatted.get(used)
  if (known && known.confirmed === confirmed) return known.text
  const text = formatAssumed(used, confirmed)
  formatted.set(used, { confirmed, text })
  return text
}

const formatAssumed = (used: UsedReadings, confirmed: Choices | undefined): string => {
  let text = ''
  for (const id of [...used.keys()].sort((a, b) => rank(a) - rank(b))) {
    const reading = used.get(id)
    if (confirmed?.[id] === reading) continue
    text += `${text === '' ? '' : ', '}${id}=${reading}`
  }
  return text
}

const BYTES_PER_ID = 16
const pool = new Uint8Array(BYTES_PER_ID * 256)
let next = pool.length

/** A random UUID. The random bytes are fetched for hundreds of ids at once. */
export const newRequestId = (): string => {
  if (next === pool.length) {
    randomFillSync(pool)
    next = 0
  }
  next += BYTES_PER_ID
  return formatUuid(pool, next - BYTES_PER_ID)
}

/** The random numbers behind the request ids of a world. */
interface DrawnIds {
  readonly random: DeterministicRandom
  count: number
}

const drawn = new WeakMap<LiveWorld, DrawnIds>()

/** The id of a request to a world. With a seed and a manual clock, a second run draws the same ids. */
export const drawRequestId = ({ hasRepeatableIds }: Sandbox, live: LiveWorld): string => {
  if (!hasRepeatableIds) return newRequestId()
  const { seed, seq } = live.world
  const ids = drawn.get(live) ?? { random: new DeterministicRandom(`${seed}/requests`), count: 0 }
  drawn.set(live, ids)
  // The count starts at 0 after a restart, but entry numbers go on.
  return formatUuid(ids.random.bytes(seq, ids.count++))
}
