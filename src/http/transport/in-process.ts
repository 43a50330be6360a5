import type { Lazy } from '../../lib/lazy.js'
import type { App, FastFetch, HandlerResult } from '../operation/api.js'
import { whyBroken } from '../pipeline/read-body.js'
import { isDropped, isResponse } from '../pipeline/respond.js'
import { isEventStream } from '../pipeline/response-headers.js'
import { isPlainTarget, matchEndpoint, PlainRequestView } from './fast-path.js'
import { cutError, isTrickling, isUnanswered, toResponse } from './fetch-response.js'
import type { Endpoint } from './routes.js'

export interface TextResponse {
  readonly status: number
  readonly text: string
}

/** `fetch` rejects as the global one does if the signal aborts, or a rule cuts the connection. */
export const createInProcess = ({ fastFetch, fetch }: Pick<App, 'fastFetch' | 'fetch'>) => {
  const answer = async (
    input: string | URL | Request,
    init: RequestInit | undefined,
  ): Promise<HandlerResult> => (await fastFetch(input, init)) ?? fetchAny(fetch, input, init)
  return {
    fetch: async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
      const response = toResponse(await answer(input, init))
      if (isUnanswered(response)) throw cutError(response)
      return response
    },
    /** Without the platform's Response, which costs more than most requests do. */
    fetchText: async (path: string, init?: RequestInit): Promise<TextResponse> => {
      const outcome = await answer(path, init)
      if (!isResponse(outcome) && !isDropped(outcome)) return outcome
      const response = toResponse(outcome)
      return { status: response.status, text: await response.text() }
    },
  }
}

const fetchAny = async (
  answer: App['fetch'],
  input: string | URL | Request,
  init: RequestInit | undefined,
): Promise<Response> => {
  const request = toRequest(input, init)
  const response = await unlessAborted(request.signal, () => answer(request))
  const broken = whyBroken(request)
  if (broken) throw new TypeError('fetch failed', { cause: broken.why })
  return isUnanswered(response) ? response : endingWith(request.signal, response)
}

/**
 * Answers plain requests in process, as most tests send them, without the platform's Request: it costs
 * more than most responses do. The pipeline is the same.
 */
export const createFastFetch =
  (endpoints: readonly Endpoint[], withControl: Lazy<readonly Endpoint[]>): FastFetch =>
  (input, init = {}) => {
    if (typeof input !== 'string' || !isPlainTarget(input) || !hasOnlyPlainFields(init))
      return undefined
    const { method = 'GET', body } = init
    const text = body ?? undefined
    if (text !== undefined && (method === 'GET' || !isPlainText(text))) return undefined
    const headers = readPlainHeaders(init.headers, text)
    if (!headers) return undefined
    const answer = (endpoints: readonly Endpoint[]) => {
      const match = matchEndpoint(endpoints, method, input)
      if (!match) return undefined
      const { handle, path, params } = match
      const url = `http://localhost${input}`
      const req = new PlainRequestView(method, url, path, params, headers, text)
      return handle({ req, env: undefined })
    }
    const isControl = input.startsWith('/_sandbox/')
    return answer(endpoints) ?? (isControl ? withControl(answer) : undefined)
  }

const PLAIN_FIELDS = new Set(['method', 'headers', 'body'])

const hasOnlyPlainFields = (init: RequestInit): boolean => {
  for (const field in init) if (!PLAIN_FIELDS.has(field)) return false
  return true
}

/** Whether the platform would send a body unchanged. It replaces lone surrogates. */
const isPlainText = (body: unknown): body is string =>
  typeof body === 'string' && !/\p{Surrogate}/u.test(body)

const NAME = /^[\w-]+$/
const VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/

/** Headers by lower-case name in order, as the platform lists them; undefined if one is not plain. */
const readPlainHeaders = (
  given: RequestInit['headers'],
  body: string | undefined,
): Record<string, string> | undefined => {
  if (given !== undefined && Object.getPrototypeOf(given) !== Object.prototype) return undefined
  const lines = Object.entries(given ?? {}).map(([name, value]): [string, unknown] => [
    name.toLowerCase(),
    value,
  ])
  const isTyped = lines.some(([name]) => name === 'content-type')
  if (body !== undefined && !isTyped) lines.push(['content-type', 'text/plain;charset=UTF-8'])
  const headers: Record<string, string> = {}
  // Without a comparison of its own, sorting would write each pair as a text.
  lines.sort(([a], [b]) => (a < b ? -1 : 1))
  for (const [name, value] of lines) {
    if (!NAME.test(name) || name in headers) return undefined
    if (typeof value !== 'string' || !VALUE.test(value)) return undefined
    headers[name] = value
  }
  return headers
}

/** Creates a Request from the arguments of `fetch`. A path is a valid URL here. */
const toRequest = (input: string | URL | Request, init?: RequestInit): Request => {
  if (input instanceof Request) return new Request(input, init)
  return new Request(isForeign(input) ? toOwnUrl(input) : new URL(input, 'http://localhost'), init)
}

/** Whether it is a Request of a package or another realm, which the platform does not accept. */
const isForeign = (input: string | URL | Request): input is Request =>
  typeof input === 'object' && 'url' in input && 'headers' in input

const toOwnUrl = ({ url, method, headers, body, signal }: Request): Request => {
  // The type lacks this field; without it a body may not be a stream.
  const asStream = { duplex: 'half' }
  return new Request(url, { ...asStream, method, headers: [...headers], body, signal })
}

/**
 * Rejects with the signal's reason once the client has given up. The work that the request started
 * continues, as behind a port.
 */
const unlessAborted = async (
  signal: AbortSignal,
  answer: () => Response | Promise<Response>,
): Promise<Response> => {
  signal.throwIfAborted()
  let stop = () => {}
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason)
    signal.addEventListener('abort', stop, { once: true })
  })
  try {
    return await Promise.race([answer(), aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/** A response that is still arriving ends when its signal is aborted, as it does behind a port. */
const endingWith = (signal: AbortSignal, response: Response): Response => {
  const { status, headers, body } = response
  if (!body || !(isTrickling(response) || isEventStream(headers))) return response
  return new Response(endingBody(signal, body.getReader()), { status, headers })
}

/** A pipe would wait for an unread chunk before it cancels the source. */
const endingBody = (
  signal: AbortSignal,
  reader: ReadableStreamDefaultReader<Uint8Array>,
): ReadableStream<Uint8Array> => {
  let end = () => {}
  const letGo = () => signal.removeEventListener('abort', end)
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => {
        end = () => {
          controller.error(signal.reason)
          void reader.cancel(signal.reason)
        }
        signal.addEventListener('abort', end, { once: true })
      },
      pull: async (controller) => {
        const { done, value } = await reader.read()
        if (signal.aborted) return
        if (!done) return controller.enqueue(value)
        letGo()
        controller.close()
      },
      cancel: (why) => {
        letGo()
        return reader.cancel(why)
      },
    },
    { highWaterMark: 0 },
  )
}
