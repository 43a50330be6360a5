import {
  type ClientRequest,
  createServer,
  type IncomingMessage,
  type RequestOptions,
  request as requestHttp,
  type ServerResponse,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import { urlToHttpOptions } from 'node:url'
import { BodyCopy } from './body-copy.js'
import { startEntry } from './entry.js'
import type { HarWriter } from './har-writer.js'
import type { Redactor } from './redact.js'

/** A service, with the authority that its certificate must be of. */
export interface Upstream {
  readonly url: URL
  readonly ca: Buffer | undefined
}

/** A connection of its own: a kept one may end just as it is used, which would look like an outage. */
export const openRequest = ({ url, ca }: Upstream, options: RequestOptions): ClientRequest =>
  (url.protocol === 'https:' ? requestHttps : requestHttp)({
    ...urlToHttpOptions(url),
    ...options,
    headers: { ...options.headers, host: url.host },
    agent: false,
    ...(ca && { ca }),
  })

interface Settings {
  readonly upstream: Upstream
  readonly port: number
  readonly bodyLimit: number
  readonly redactor: Redactor
  /** Called once the port is open, so that another recorder keeps its file. */
  readonly openWriter: () => HarWriter
}

export interface Recorder {
  readonly port: number
  /** Requests in flight are written without their answer. */
  readonly close: () => ReturnType<HarWriter['close']>
}

/** Headers of one connection. An upgrade is thereby refused: its request goes on as a plain one. */
const HOP = /^(?:connection|keep-alive|proxy-connection|te|trailer|upgrade|http2-settings|expect)$/

const keepHeaders = ({ headersDistinct }: IncomingMessage, also?: string) =>
  Object.fromEntries(
    Object.entries(headersDistinct).filter(([name]) => !HOP.test(name) && name !== also),
  )

/** Forwards requests to the upstream, and writes each with its answer. */
export const openRecorder = async (settings: Settings): Promise<Recorder> => {
  const { port } = settings
  const open = new Set<() => void>()
  const server = createServer()
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve)
  })
  const writer = settings.openWriter()
  server.on('request', (request, response) => forward(settings, writer, open, request, response))
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      server.close()
      for (const finish of open) finish()
      server.closeAllConnections()
      return writer.close()
    },
  }
}

const forward = (
  { upstream, bodyLimit, redactor }: Settings,
  writer: HarWriter,
  open: Set<() => void>,
  request: IncomingMessage,
  response: ServerResponse,
): void => {
  const { method = '', url: target = '' } = request
  if (!target.startsWith('/')) return void response.writeHead(400).end()
  const path = upstream.url.pathname.replace(/\/$/, '') + target
  const makeEntry = startEntry(redactor, method, upstream.url.origin + path)
  const [sent, received] = [new BodyCopy(bodyLimit), new BodyCopy(bodyLimit)]
  let answer: IncomingMessage | undefined
  const finish = () => {
    if (!open.delete(finish)) return
    const { statusCode = 0, headersDistinct: headers } = answer ?? {}
    const reply = headers && { headers, body: received }
    writer.append(makeEntry({ headers: request.headersDistinct, body: sent }, statusCode, reply))
  }
  open.add(finish)
  const forwarded = openRequest(upstream, { method, path, headers: keepHeaders(request) })
  forwarded.on('response', (message) => {
    answer = message
    const { statusCode = 0, statusMessage } = message
    response.writeHead(statusCode, statusMessage, keepHeaders(message, 'transfer-encoding'))
    response.flushHeaders()
    pipeline(message, received, response, finish)
  })
  forwarded.on('error', ({ message }) => {
    // An answer may come before the end of its request, which then has no reader.
    sent.unpipe(forwarded)
    sent.resume()
    if (answer) return
    finish()
    if (!response.destroyed) response.writeHead(502).end(`${upstream.url.host}: ${message}\n`)
  })
  response.on('close', () => {
    if (!answer) forwarded.destroy()
    finish()
  })
  request.pipe(sent).pipe(forwarded)
}
