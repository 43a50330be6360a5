import { STATUS_CODES } from 'node:http'
import { isoTime } from '../world/kernel/time.js'
import { bodyBytes, bodyText } from './bodies.js'
import { answerBody, milliseconds, requestHeaders, shownAnswerHeaders } from './exchange.js'
import type { Recording } from './recording.js'

/** An HTTP Archive 1.2, which the network panel of a browser opens. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly ReturnType<typeof entryOf>[]
  }
}

export const harOf = (recordings: readonly Recording[], version: string): Har => ({
  log: { version: '1.2', creator: { name: 'Sandramp', version }, entries: recordings.map(entryOf) },
})

/** What the format asks for and nobody measured is -1; what it asks for and there is none of is empty. */
const entryOf = (recording: Recording) => {
  const time = milliseconds(recording)
  return {
    startedDateTime: isoTime(recording.started_at),
    time,
    request: requestOf(recording),
    response: responseOf(recording),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _operation: recording.operation?.id ?? null,
    _fault: recording.fault ?? null,
  }
}

const HTTP = 'HTTP/1.1'

const requestOf = (recording: Recording) => {
  const { method, url, body } = recording
  const headers = requestHeaders(recording)
  const text = bodyText(body)
  return {
    method,
    url,
    httpVersion: HTTP,
    headers: listed(Object.entries(headers)),
    queryString: listed(new URL(url).searchParams),
    cookies: [],
    headersSize: -1,
    bodySize: bodyBytes(body),
    ...(text === undefined
      ? {}
      : { postData: { mimeType: headers['content-type'] ?? '', params: [], text } }),
  }
}

/** A connection that was cut has the status 0, as browsers write it. */
const responseOf = (recording: Recording) => {
  const headers = shownAnswerHeaders(recording)
  const body = answerBody(recording)
  const status = recording.status ?? 0
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: HTTP,
    headers: listed(Object.entries(headers)),
    cookies: [],
    content: {
      size: bodyBytes(body),
      mimeType: headers['content-type'] ?? '',
      text: bodyText(body) ?? '',
    },
    redirectURL: '',
    headersSize: -1,
    bodySize: bodyBytes(body),
  }
}

const listed = (pairs: Iterable<[string, string]>) =>
  [...pairs].map(([name, value]) => ({ name, value }))
