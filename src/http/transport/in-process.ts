import { isEventStream } from './event-stream.js'
import { isTrickling } from './trickle.js'

/** Creates a Request from the arguments of `fetch`. A path is a valid URL here. */
export const toRequest = (input: string | URL | Request, init?: RequestInit): Request => {
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
export const unlessAborted = async (
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
export const endingWith = (signal: AbortSignal, response: Response): Response => {
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
