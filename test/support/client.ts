import { expect } from 'vitest'
import { checkAnswer, typeOf } from './check-answer.js'
import { keys } from './fixture-ids.js'
import type { InnerSandbox } from './inner-sandbox.js'
import type { ErrorBody } from './wire.js'

export interface CallOptions {
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent as it is, in place of `body`; its content type is the headers' business. */
  readonly raw?: string | Uint8Array<ArrayBuffer> | ReadableStream
  /** The API key; null sends none. */
  readonly key?: string | null
  readonly headers?: Readonly<Record<string, string>>
}

export interface Answer<T = unknown> {
  readonly status: number
  readonly headers: Headers
  readonly body: T
}

/** Carries a request to a sandbox: in process, or over a port. */
export type Carry = (path: string, init: RequestInit) => Promise<Response>

/** A client of one sandbox. Each response is checked against the documents. */
export class Client<S = InnerSandbox> {
  constructor(
    readonly sandbox: S,
    readonly carry: Carry,
  ) {}

  async call<T = unknown>(
    method: string,
    path: string,
    options: CallOptions = {},
  ): Promise<Answer<T>> {
    const response = await this.carry(path, initOf(method, path, options))
    const text = await textOf(response)
    const { status, headers } = response
    const isJson = typeOf(headers) === 'application/json'
    const body: unknown = text === '' ? undefined : isJson ? JSON.parse(text) : text
    checkAnswer({ method, path: pathnameOf(path), status, headers, body })
    return { status, headers, body: body as T }
  }

  get<T = unknown>(path: string, options?: CallOptions): Promise<Answer<T>> {
    return this.call<T>('GET', path, options)
  }

  post<T = unknown>(path: string, body?: unknown, options?: CallOptions): Promise<Answer<T>> {
    return this.call<T>('POST', path, { body, ...options })
  }

  /** Gets what must be there. */
  async read<T>(path: string): Promise<T> {
    const answer = await this.get<T>(path)
    expect(answer.status, JSON.stringify(answer.body)).toBe(200)
    return answer.body
  }

  /** Posts what must be taken. */
  async make<T>(path: string, body?: unknown): Promise<T> {
    const answer = await this.post<T>(path, body)
    expect([200, 201], JSON.stringify(answer.body)).toContain(answer.status)
    return answer.body
  }
}

/** The whole of a body; a stream has no end, so it is closed unread. */
const textOf = async (response: Response): Promise<string> => {
  if (response.headers.get('content-type') !== 'text/event-stream') return response.text()
  await response.body?.cancel()
  return ''
}

/** The path that a server sees: without the query, dots resolved. */
const pathnameOf = (path: string): string => new URL(path, 'http://localhost').pathname

/** The service needs a key; the control API uses the default world without one. */
const defaultKey = (path: string) => (path.startsWith('/_sandbox') ? null : keys.full)

const initOf = (method: string, path: string, options: CallOptions): RequestInit => {
  const { body, raw, key = defaultKey(path), headers = {} } = options
  const json = raw === undefined && body !== undefined
  return {
    method,
    headers: {
      ...(key === null ? {} : { 'x-api-key': key }),
      ...(json ? { 'content-type': 'application/json' } : {}),
      ...headers,
    },
    ...(json ? { body: JSON.stringify(body) } : raw === undefined ? {} : { body: raw }),
    ...(raw instanceof ReadableStream ? { duplex: 'half' } : {}),
  } as RequestInit
}

/** Expects the contract's error body with this status and code, and with these words in its message. */
export const expectRefusal = (
  answer: Answer,
  status: number,
  code: string,
  ...words: readonly string[]
): void => {
  const { code: came, message } = answer.body as ErrorBody
  expect({ status: answer.status, code: came }, message).toEqual({ status, code })
  for (const word of words) expect(message).toContain(word)
}
