import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
// Tests may fake the global timers.
import { clearTimeout, setTimeout } from 'node:timers'
import { batchPerTick } from '../../lib/batch-per-tick.js'
import type { Api } from '../operation/api.js'
import { ApiError } from '../operation/api-error.js'
import { bodyTooLarge, noRoomForBody } from '../operation/body-limits.js'
import { type BodyText, nodeStreams, type RequestContext } from '../operation/context.js'
import type { PipelineContext } from './pipeline-context.js'

/** Reads the body of a request, and logs it even if the request is refused before it is parsed. */
export const readBody = async (ctx: PipelineContext): Promise<BodyText> => {
  const { bodyLimit } = ctx.api
  const { types, limit = bodyLimit } = ctx.route.operation?.text ?? {}
  ctx.log.setReceived(undefined)
  try {
    const received = await receiveBody(ctx, Math.min(limit, bodyLimit), ctx.api)
    ctx.log.setReceived(received)
    return { text: toText(ctx, received, types) }
  } catch (error) {
    if (error instanceof CutShort) ctx.log.markAborted()
    return { error }
  }
}

interface BodyReading {
  readonly limit: number
  readonly types: readonly string[]
}

/**
 * Reads the text of a body of at most `limit` bytes. Undefined when there is none. Refuses larger bodies
 * (413), other content types (415) and what is not UTF-8 (400).
 */
export const readText = async (
  c: RequestContext,
  { limit, types }: BodyReading,
): Promise<string | undefined> => toText(c, await receiveBody(c, limit), types)

/** Text, or bytes that are not UTF-8. */
type ReceivedBody = string | Buffer

const receiveBody = (
  c: RequestContext,
  limit: number,
  api?: Pick<Api, 'bodies' | 'nameClient'>,
): ReceivedBody | Promise<ReceivedBody> => {
  const { incoming, outgoing } = nodeStreams(c)
  if (Number(c.req.header('content-length') ?? 0) > limit) return refuseUnread(incoming, limit)
  if (!hasBody(c)) return ''
  return incoming && outgoing
    ? readIncoming(incoming, limit, api?.bodies.countFor(outgoing, api.nameClient))
    : readInProcess(c, limit)
}

const refuseUnread = async (
  incoming: IncomingMessage | undefined,
  limit: number,
): Promise<never> => {
  if (incoming) await readOff(incoming)
  throw bodyTooLarge(limit)
}

export const hasBody = (c: RequestContext): boolean => {
  const { incoming } = nodeStreams(c)
  return incoming
    ? incoming.headers['transfer-encoding'] !== undefined ||
        Number(incoming.headers['content-length'] ?? 0) > 0
    : c.req.bodyText !== undefined || (c.req.raw?.body ?? null) !== null
}

const JSON_TYPES = ['application/json']

const toText = (
  c: RequestContext,
  received: ReceivedBody,
  types: readonly string[] = JSON_TYPES,
): string | undefined => {
  if (received === '') return undefined
  const type = c.req.header('content-type')
  if (type !== types[0]) assertType(type, types)
  assertPlain(c.req.header('content-encoding'))
  if (typeof received === 'string') return received
  throw new ApiError('4004', {
    problem: 'The body is not well-formed UTF-8',
    expected: 'UTF-8, whatever charset the content-type names',
  })
}

/** JSON is UTF-8 (RFC 8259, section 8.1), so the bytes decide and not the charset. */
const assertType = (type: string | undefined, types: readonly string[]): void => {
  const media = type?.toLowerCase().split(';', 1)[0]?.trim() ?? ''
  if (types.includes(media)) return
  const expected = `${types.join(', ')}, in UTF-8`
  throw new ApiError('4150', { field: 'content-type', received: type, expected })
}

const assertPlain = (encoding: string | undefined): void => {
  if (encoding === undefined || encoding.toLowerCase() === 'identity') return
  throw new ApiError('4150', {
    field: 'content-encoding',
    received: encoding,
    expected: 'a body without encoding',
  })
}

/** How long a refused client may continue to send, so that it can read the error. */
export const LINGER_MS = 1_000

/** Reads and discards a body for a while: a client that still sends could not read the response. */
const readOff = (incoming: IncomingMessage): Promise<void> =>
  new Promise((resolve) => {
    const impatient = setTimeout(resolve, LINGER_MS)
    impatient.unref()
    const done = () => {
      clearTimeout(impatient)
      resolve()
    }
    if (incoming.destroyed) done()
    else incoming.once('end', done).once('close', done).once('error', done).resume()
  })

/** The client closed the connection within the body. */
class CutShort extends ApiError {
  constructor() {
    super('4000', 'The connection closed within the body.')
  }
}

/** Requests whose body is incomplete, with a callback that fails them. */
const waiting = new WeakMap<IncomingMessage, (why: ApiError) => void>()

/** Fails the request that waits for the rest of this body; false when none does. */
export const endBody = (incoming: IncomingMessage, why: ApiError): boolean => {
  const tell = waiting.get(incoming)
  tell?.(why)
  return tell !== undefined
}

const decode = (body: Buffer): ReceivedBody => (isUtf8(body) ? body.toString() : body)

/** Resumes all requests whose bodies arrived in one turn of the event loop. */
const resumeTogether = batchPerTick<() => void>((all) => {
  for (const go of all) go()
})

/** Reads from Node's stream: a web stream per request would cost more. */
const readIncoming = (
  incoming: IncomingMessage,
  limit: number,
  hasRoom: (bytes: number) => boolean = () => true,
): Promise<ReceivedBody> =>
  new Promise((resolve, reject) => {
    const giveUp = (why: ApiError) => {
      waiting.delete(incoming)
      reject(why)
    }
    // The body may have broken off while the API was loaded.
    if (incoming.destroyed) {
      giveUp(new CutShort())
      return
    }
    waiting.set(incoming, giveUp)
    const chunks: Buffer[] = []
    let bytes = 0
    let isRefused = false
    const refuse = (why: ApiError) => {
      isRefused = true
      chunks.length = 0
      void readOff(incoming).then(() => giveUp(why))
    }
    incoming.on('data', (chunk: Buffer) => {
      if (isRefused) return
      bytes += chunk.byteLength
      if (bytes > limit) refuse(bodyTooLarge(limit))
      else if (!hasRoom(chunk.byteLength)) refuse(noRoomForBody())
      else chunks.push(chunk)
    })
    incoming.on('end', () => {
      if (isRefused) return
      waiting.delete(incoming)
      const only = chunks.length === 1 ? chunks[0] : undefined
      const body = only ?? Buffer.concat(chunks)
      resumeTogether(() => resolve(decode(body)), incoming.socket)
    })
    incoming.on('error', () => giveUp(new CutShort()))
    incoming.on('close', () => {
      if (!incoming.complete) giveUp(new CutShort())
    })
  })

/** The stream errors of in-process bodies, for the caller who owns the stream. */
const broken = new WeakMap<Request, { readonly why: unknown }>()

/** The error that broke off the body of an in-process request; undefined when none did. */
export const whyBroken = (request: Request) => broken.get(request)

const readInProcess = (c: RequestContext, limit: number): ReceivedBody | Promise<ReceivedBody> => {
  const { bodyText: text } = c.req
  if (text === undefined) return readStream(c, limit)
  if (Buffer.byteLength(text) > limit) throw bodyTooLarge(limit)
  return text
}

/** Reads a body in process. An abort, or a stream that fails, counts as a closed connection. */
const readStream = async (c: RequestContext, limit: number): Promise<ReceivedBody> => {
  const { raw } = c.req
  const reader = raw?.body?.getReader()
  if (!raw || !reader) return ''
  const giveUp = () => void reader.cancel().catch(() => {})
  raw.signal.addEventListener('abort', giveUp, { once: true })
  const chunks: Uint8Array[] = []
  let bytes = 0
  try {
    for (;;) {
      const { done, value } = await nextChunk(reader, raw)
      if (raw.signal.aborted) throw new CutShort()
      if (done) break
      // In process, a stream may yield strings.
      const chunk = typeof value === 'string' ? Buffer.from(value) : value
      bytes += chunk.byteLength
      if (bytes > limit) throw bodyTooLarge(limit)
      chunks.push(chunk)
    }
  } finally {
    raw.signal.removeEventListener('abort', giveUp)
    giveUp()
  }
  return decode(Buffer.concat(chunks))
}

type Pieces = ReadableStreamDefaultReader<Uint8Array | string>

const nextChunk = async (reader: Pieces, request: Request) => {
  try {
    return await reader.read()
  } catch (why) {
    broken.set(request, { why })
    throw new CutShort()
  }
}
