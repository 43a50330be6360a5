import { describeShown } from '../../contract/shown.js'
import type { World } from '../../domain/world.js'
import { receivedBody } from '../../history/bodies.js'
import { findChangedRecord } from '../../history/changed-record.js'
import { captureHeaders } from '../../history/headers.js'
import { type LogRecord, NO_RULES, startLogRecord } from '../../history/log-record.js'
import type { Exchange } from '../../history/views.js'
import { toIso } from '../../kernel/time.js'
import { parseIfJson } from '../../lib/json.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import type { Api, HandlerResult } from '../operation/api.js'
import { nodeStreams, type RequestContext } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'
import { isResponse, toJsonResponse } from './respond.js'

/** Records one exchange: in the request log of its world if the API is recorded, and in the access log. */
export class ExchangeLog {
  readonly #api: Api
  readonly #c: RequestContext
  readonly #operation: Operation | undefined
  readonly #record: LogRecord | undefined
  readonly #startedAt: number

  constructor(api: Api, c: RequestContext, operation: Operation | undefined) {
    this.#api = api
    this.#c = c
    this.#operation = operation
    this.#record = startRecord(api, c, operation)
    this.#startedAt = api.log || this.#record ? performance.now() : 0
  }

  identify(requestId: string): void {
    if (this.#record) this.#record.id = requestId
  }

  /** Undefined for a body that is not read to its end. */
  setReceived(body: string | Buffer | undefined): void {
    if (this.#record) this.#record.body = receivedBody(body)
  }

  setBody(value: unknown): void {
    if (this.#record) this.#record.value = value
  }

  setFault(rule: string): void {
    if (!this.#record) return
    this.#record.fault = rule
    this.#record.rules = [rule]
  }

  /** Records which journal entries `act` makes. A refusal is an entry too. */
  trackEntries<T>(world: World, act: () => T): T {
    const before = world.seq
    try {
      return act()
    } finally {
      const record = this.#record
      if (record) {
        record.at = world.now
        // Includes what a rule recorded just before, but not what others did during a delay.
        if (record.to !== before) record.from = before + 1
        record.to = world.seq
      }
    }
  }

  /** Runs `act` in a copy of the world, whose entries are not those of the request. */
  withoutEntries<T>(world: World, act: () => T): T {
    const { from, to } = this.#record ?? {}
    try {
      return act()
    } finally {
      if (this.#record) Object.assign(this.#record, { at: world.now, from, to })
    }
  }

  /** The entries of the request were rolled back. */
  forgetEntries(): void {
    if (this.#record)
      Object.assign(this.#record, { from: 1, to: 0, fault: undefined, rules: NO_RULES })
  }

  /** Records when the client left without the response. */
  markAborted(): void {
    const now = this.#api.sandbox.machineTime()
    if (this.#record) this.#record.aborted_ms ??= Math.max(0, now - this.#record.started_at)
  }

  /** Lists the request as pending while `wait` lasts. `left` resolves if the client leaves meanwhile. */
  async whilePending<T>(
    live: LiveWorld,
    world: World,
    wait: (left: Promise<void>) => Promise<T>,
  ): Promise<T> {
    const record = this.#record
    if (record) {
      record.at ??= world.now
      placeAt(record, world.seq)
      live.requests.addPending(record, this.#api.redact)
      live.notify()
    }
    let stop = () => {}
    const left = new Promise<void>((resolve) => {
      stop = onceGone(this.#c, () => {
        this.markAborted()
        this.updatePending(live)
        resolve()
      })
    })
    try {
      return await wait(left)
    } finally {
      stop()
    }
  }

  /** Shows in the request log what a pending request has done so far. */
  updatePending(live: LiveWorld): void {
    if (!this.#record?.pending) return
    live.requests.updatePending(this.#record, this.#api.redact)
    live.notify()
  }

  /** Completes the record. `live` is the default world for requests that entered none. */
  finish(
    live: LiveWorld,
    isEntered: boolean,
    requestId: string,
    outcome: HandlerResult,
    assumed: string,
  ): void {
    const record = this.#record
    const { log, redact } = this.#api
    const response = toJsonResponse(outcome)
    const duration_ms = log || record ? performance.now() - this.#startedAt : 0
    if (record) {
      record.id = requestId
      record.assumed = assumed
      record.duration_us = Math.round(duration_ms * 1_000)
      record.at ??= live.now
      // A refusal shows the record that it refuses.
      const shown = response && response.status < 400 ? describeShown(response.body) : ''
      const findChanged = () => findChangedRecord(live.journal, record.from, record.to).outcome
      record.outcome = redact(shown || (findChanged() ?? ''))
    }
    if (record) {
      placeAt(record, live.world.seq)
      live.requests.add(record, response, redact)
      live.notify()
      this.#api.sandbox.worlds.publish(live, record)
    }
    log?.(
      describeExchange(this.#api, {
        c: this.#c,
        operation: this.#operation,
        requestId,
        outcome,
        duration_ms,
        record,
        ...(isEntered && { live }),
      }),
    )
  }
}

/** A request without entries has a place among them too: a reset hides those before it. */
const placeAt = (record: LogRecord, seq: number): void => {
  if (record.to === 0) Object.assign(record, { from: seq + 1, to: seq })
}

/** Writes a request that no world records to the access log. */
export const logUnrecorded = (api: Api, exchange: Omit<FinishedExchange, 'duration_ms'>): void =>
  api.log?.(describeExchange(api, { ...exchange, duration_ms: 0 }))

interface FinishedExchange {
  readonly c: RequestContext
  readonly operation: Operation | undefined
  readonly requestId: string
  readonly outcome: HandlerResult
  readonly duration_ms: number
  readonly record?: LogRecord | undefined
  /** The world that it entered. */
  readonly live?: LiveWorld
}

const startRecord = (
  { sandbox, kind, redact }: Api,
  c: RequestContext,
  operation: Operation | undefined,
): LogRecord | undefined => {
  if (kind !== 'request' || !sandbox.keepsRequests) return undefined
  const { method, path, url } = c.req
  const { incoming } = nodeStreams(c)
  const headers = incoming ? incoming.rawHeaders : toRawHeaders(c.req.header())
  return startLogRecord({
    method,
    path: redact(path),
    url: redact(url),
    headers: captureHeaders(headers, redact),
    operation,
    started_at: sandbox.machineTime(),
  })
}

/** In Node's form: names and values in turn. */
const toRawHeaders = (headers: Readonly<Record<string, string>>): string[] => {
  const raw: string[] = []
  for (const name in headers) raw.push(name, headers[name] ?? '')
  return raw
}

const describeExchange = (
  api: Api,
  { c, operation, requestId, outcome, duration_ms, record, live }: FinishedExchange,
): Exchange => {
  return {
    method: c.req.method,
    path: record?.path ?? api.redact(c.req.path),
    status: isResponse(outcome) ? outcome.status : (toJsonResponse(outcome)?.status ?? null),
    duration_ms,
    ...(record?.aborted_ms !== undefined && { aborted_ms: record.aborted_ms }),
    request_id: requestId,
    operation: operation?.id,
    ...(live && { world: live.id, at: toIso(record?.at ?? live.now) }),
    ...(record?.fault !== undefined && { fault: record.fault }),
    ...(live && record && findChangedRecord(live.journal, record.from, record.to)),
    ...(record?.outcome && { outcome: record.outcome }),
    ...findReason(api, outcome),
  }
}

/** Code and message of an error; nothing if a rule has malformed the body. */
const findReason = (api: Api, outcome: HandlerResult): Pick<Exchange, 'code' | 'message'> => {
  const response = toJsonResponse(outcome)
  if (!response || response.status < 400) return {}
  const { code, message } = parseError(response.text)
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message: api.redact(message) }),
  }
}

const parseError = (text: string): { readonly code?: unknown; readonly message?: unknown } => {
  const body = parseIfJson(text)
  return typeof body === 'object' && body !== null ? body : {}
}

/** Calls back when the client closes its side of the connection, or aborts its `signal` in process. */
const onceGone = (c: RequestContext, gone: () => void): (() => void) => {
  const { incoming } = nodeStreams(c)
  if (!incoming) return onceAborted(c.req.raw?.signal, gone)
  const { socket } = incoming
  if (socket.readableEnded || socket.destroyed) gone()
  // A client that gives up sends FIN, like a client that only ends its side. The server cannot distinguish
  // them.
  socket.once('end', gone).once('close', gone)
  return () => socket.off('end', gone).off('close', gone)
}

const onceAborted = (signal: AbortSignal | undefined, gone: () => void): (() => void) => {
  if (signal?.aborted) gone()
  signal?.addEventListener('abort', gone, { once: true })
  return () => signal?.removeEventListener('abort', gone)
}
