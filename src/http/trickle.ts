import type { ServerResponse } from 'node:http'
import type { Trickle } from '../request-log/log-record.js'

const MAX_PIECES = 100

/** A long pause between two pieces of a body must not be taken for a stalled reader. */
const NO_TIMEOUT = 0

/** Yields a body in pieces at even distances, each after its wait. */
async function* splitText(text: string, { over_ms, sleep }: Trickle): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  const count = Math.min(bytes.length, MAX_PIECES)
  for (let i = 0; i < count; i++) {
    await sleep(over_ms / count)
    const [from, to] = [i, i + 1].map((n) => Math.floor((bytes.length * n) / count))
    yield bytes.subarray(from, to)
  }
}

/** Writes a body in pieces, after the headers; stops when the client hangs up. */
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

/** Whether the body of a response in process is still on its way when the response is returned. */
export const isTrickling = (response: Response): boolean => trickling.has(response)

/** Makes a response whose body arrives in pieces, as they are read. */
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
