import type { IncomingMessage, ServerResponse } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { getQueryParams } from 'hono/utils/url'
import { batchPerTick } from '../../lib/batch-per-tick.js'
import type { Api, FastPath, RequestHandler } from '../operation/api.js'
import type { RequestContext, RequestView } from '../operation/context.js'
import { writeResponse } from './node-response.js'
import type { Endpoint } from './routes.js'

/**
 * Answers plain requests, which nearly all requests of a service are, without the objects of the fetch
 * API: those cost more than most responses do. The pipeline is the same.
 */
export const createFastPath = (
  { bodyLimit, report }: Pick<Api, 'bodyLimit' | 'report'>,
  endpoints: readonly Endpoint[],
): FastPath => {
  const longest = Math.min(bodyLimit, MAX_BODY)
  const respond = async ({ handle, c, outgoing }: PlainRequest) => {
    try {
      if (!writeResponse(outgoing, await handle(c)))
        throw new Error('a plain request met a response that is no JSON')
    } catch (bug) {
      report(bug)
      outgoing.destroy()
    }
  }
  const respondToAll = (all: readonly PlainRequest[]) => {
    for (const request of all) void respond(request)
  }
  const respondSoon = batchPerTick(respondToAll)
  return (env) => {
    const { incoming, outgoing } = env
    if (!isFastPathEligible(incoming, longest)) return false
    const { method = '', url = '', headers, socket } = incoming
    const match = matchEndpoint(endpoints, method, url)
    if (!match) return false
    const { handle, path, params } = match
    const scheme = (socket as Partial<TLSSocket>).encrypted ? 'https' : 'http'
    const address = `${scheme}://${headers.host}${url}`
    const req = new PlainRequestView(method, address, path, params, headers, undefined)
    const request = { handle, c: { req, env }, outgoing }
    // A request with a body joins a batch once the body has arrived.
    if (method === 'GET') respondSoon(request, socket)
    else void respond(request)
    return true
  }
}

/** The endpoint of a target that `isPlainTarget` accepts. */
export const matchEndpoint = (endpoints: readonly Endpoint[], method: string, target: string) => {
  const end = target.indexOf('?')
  const path = end < 0 ? target : target.slice(0, end)
  for (const { method: own, match, handle } of endpoints) {
    const params = own === method ? match(path) : undefined
    if (params) return { handle, path, params }
  }
  return undefined
}

interface PlainRequest {
  readonly handle: RequestHandler
  readonly c: RequestContext
  readonly outgoing: ServerResponse
}

/** A body up to this size arrives in one or two chunks; a larger one may have to be stopped. */
const MAX_BODY = 64 * 1024
/** Targets that all URL parsers read alike: no escapes, no dots, no empty segments. */
const TARGET = /^(?:\/[\w-]+)+(?:\?[\w.:,=&-]*)?$/
export const isPlainTarget = (target: string): boolean => TARGET.test(target)
/** A host name or address, without port or with a port that is no scheme's default. */
const HOST = /^[a-z0-9.-]+(?::(?:[1-9]\d{3}|[1-5]\d{4}|6[0-4]\d{3}))?$/

/** The last plain host: nearly all requests name the same one. */
let knownHost: string | undefined

/** Node lists only the values of `set-cookie`, which requests do not send. */
type PlainIncoming = IncomingMessage & { readonly headers: Readonly<Record<string, string>> }

const isFastPathEligible = (
  incoming: IncomingMessage,
  longest: number,
): incoming is PlainIncoming => {
  const { method, url = '', headers, rawHeaders } = incoming
  const { host, 'content-length': length, 'transfer-encoding': encoding } = headers
  if (encoding !== undefined || !isPlainTarget(url) || host === undefined) return false
  if (headers['set-cookie'] !== undefined) return false
  if (method === 'POST') {
    if (!(Number(length) <= longest)) return false
  } else if (method !== 'GET' || length !== undefined) return false
  if (host !== knownHost) {
    if (!isNormalizedHost(host)) return false
    knownHost = host
  }
  return !hasDuplicateHeader(headers, rawHeaders)
}

/** Whether URL parsing leaves a host as it is: it rewrites some and rejects others. */
const isNormalizedHost = (host: string): boolean => {
  const address = `http://${host}`
  return HOST.test(host) && URL.canParse(address) && new URL(address).host === host
}

/** Whether some header was repeated: Node drops the second of some. */
const hasDuplicateHeader = (headers: object, rawHeaders: readonly string[]): boolean => {
  let names = 0
  for (const _ in headers) names += 1
  return names * 2 !== rawHeaders.length
}

/** The view of a plain request, from Node or in process: one class, so that both have one hidden class. */
export class PlainRequestView implements RequestView {
  constructor(
    readonly method: string,
    readonly url: string,
    readonly path: string,
    private readonly params: Record<string, string>,
    private readonly headers: Readonly<Record<string, string>>,
    readonly bodyText: string | undefined,
  ) {}

  header(name: string): string | undefined
  header(): Record<string, string>
  header(name?: string) {
    return name === undefined ? this.headers : this.headers[name.toLowerCase()]
  }

  param(): Record<string, string> {
    return this.params
  }

  queries(): Record<string, string[]> {
    return getQueryParams(this.url) as Record<string, string[]>
  }
}
