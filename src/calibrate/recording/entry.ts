import { machineClock } from '../../lib/machine-clock.js'
import type { BodyCopy } from './body-copy.js'
import type { Redactor } from './redact.js'

type Headers = NodeJS.Dict<string[]>

export interface RecordedRequest {
  readonly method: string
  readonly url: string
  readonly headers: Headers
  readonly body: BodyCopy
}

export interface RecordedAnswer {
  readonly status: number
  readonly headers: Headers
  readonly body: BodyCopy
}

/** Starts the time of an exchange. The result makes its HAR entry; without an answer, its status is 0. */
export const startEntry = (redactor: Redactor) => {
  const start = machineClock()
  return ({ method, url, headers, body }: RecordedRequest, answer: RecordedAnswer | undefined) => {
    const time = machineClock() - start
    const shownUrl = redactor.text(url)
    const sent = toContent(redactor, body, headers)
    const received = toContent(redactor, answer?.body, answer?.headers ?? {})
    return {
      startedDateTime: new Date(start).toISOString(),
      time,
      request: {
        method,
        url: shownUrl,
        httpVersion: 'HTTP/1.1',
        headers: toHarHeaders(redactor, headers),
        queryString: [...new URL(shownUrl).searchParams].map(([name, value]) => ({ name, value })),
        cookies: [],
        headersSize: -1,
        bodySize: sent.size,
        ...(sent.size > 0 && { postData: { mimeType: sent.mimeType, text: sent.text } }),
      },
      response: {
        status: answer?.status ?? 0,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        headers: toHarHeaders(redactor, answer?.headers ?? {}),
        cookies: [],
        content: received,
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
const toContent = (redactor: Redactor, copy: BodyCopy | undefined, headers: Headers) => {
  const mimeType = headers['content-type']?.[0] ?? ''
  const plain = copy?.text(headers['content-encoding']?.[0])
  if (plain === undefined)
    return { mimeType, size: copy === undefined ? 0 : copy.size + 1, text: '' }
  const text = redactor.text(plain)
  return { mimeType, size: Buffer.byteLength(text), text }
}

const toHarHeaders = (redactor: Redactor, headers: Headers) =>
  Object.entries(headers)
    .filter(([name]) => !name.startsWith('x-sandbox-'))
    .flatMap(([name, values = []]) =>
      values.map((value) => ({ name, value: redactor.header(name, value) })),
    )
