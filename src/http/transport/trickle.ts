import type { ServerResponse } from 'node:http'
import type { Trickle } from '../../history/log-record.js'

const MAX_PIECES = 100

/** A pause between two chunks is no stalled reader. */
const NO_TIMEOUT = 0

/** Yields a body in chunks of equal size, each after its wait. */
async function* splitText(text: string, { over_ms, sleep }: Trickle): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  const count = Math.min(bytes.length, MAX_PIECES)
  for (let i = 0; i < count; i++) {
    await sleep(over_ms / count)
    const [from, to] = [i, i + 1].map((n) => Math.floor((bytes.length * n) / count))
    yield bytes.subarray(from, to)
  }
}

/** Writes a body in chunks after the headers; stops when the client leaves. */
export const writeTrickling = async (
  outgoing: ServerResponse,
  text: string,
  trickle: Trickle,
): Promise<void> => {
  outgoing.setTimeout(NO_TIMEOUT)
  outgoing.flushHeaders()
  for await (const piece of splitText(text, trickle)) {
    if (outgoing.destroyed) return
    outgoing.write(piece)
  }
  outgoing.end()
}

const trickling = new WeakSet<Response>()

/** Whether the body of an in-process response still arrives after the response was returned. */
export const isTrickling = (response: Response): boolean => trickling.has(response)

/** Creates a response whose body arrives in chunks as it is read. */
export const trickleResponse = (text: string, trickle: Trickle, init: ResponseInit): Response => {
  const pieces = splitText(text, trickle)
  const body = new ReadableStream<Uint8Array>(
    {
      pull: async (controller) => {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: () => void pieces.return(undefined),
    },
    { highWaterMark: 0 },
  )
  const response = new Response(body, init)
  trickling.add(response)
  return response
}
