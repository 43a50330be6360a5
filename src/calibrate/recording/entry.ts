import { machineClock } from '../../lib/machine-clock.js'
import type { BodyCopy } from './body-copy.js'
import type { Redactor } from './redact.js'

type Headers = NodeJS.Dict<string[]>

/** A request or its answer. */
export interface Message {
  readonly headers: Headers
  readonly body: BodyCopy
}

/** Starts the time of an exchange. The result makes its HAR entry; without an answer, the status is 0. */
export const startEntry = (redactor: Redactor, method: string, url: string) => {
  const start = machineClock()
  return (request: Message, status: number, answer: Message | undefined) => {
    const time = machineClock() - start
    const sent = toContent(redactor, request)
    return {
      startedDateTime: new Date(start).toISOString(),
      time,
      request: {
        method,
        url: redactor.text(url),
        httpVersion: 'HTTP/1.1',
        headers: toHarHeaders(redactor, request),
        queryString: [],
        cookies: [],
        headersSize: -1,
        bodySize: sent.size,
        ...(sent.size > 0 && { postData: { mimeType: sent.mimeType, text: sent.text } }),
      },
      response: {
        status,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        headers: toHarHeaders(redactor, answer),
        cookies: [],
        content: toContent(redactor, answer),
        redirectURL: '',
        headersSize: -1,
        bodySize: answer?.body.size ?? -1,
      },
      cache: {},
      timings: { send: 0, wait: time, receive: 0 },
    }
  }
}

/** A body that the copy lacks has no text, and a size that shows it. */
const toContent = (redactor: Redactor, message: Message | undefined) => {
  const mimeType = message?.headers['content-type']?.[0] ?? ''
  const plain = message ? message.body.text(message.headers['content-encoding']?.[0]) : ''
  if (plain === undefined) return { mimeType, size: (message?.body.size ?? 0) + 1, text: '' }
  const text = redactor.text(plain)
  return { mimeType, size: Buffer.byteLength(text), text }
}

const toHarHeaders = (redactor: Redactor, message: Message | undefined) =>
  Object.entries(message?.headers ?? {})
    .filter(([name]) => !name.startsWith('x-sandbox-'))
    .flatMap(([name, values = []]) =>
      values.map((value) => ({ name, value: redactor.header(name, value) })),
    )
