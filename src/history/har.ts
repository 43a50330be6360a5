import { STATUS_CODES } from 'node:http'
import { toIso } from '../kernel/time.js'
import { bodyBytes, bodyText } from './bodies.js'
import type { LogRecord } from './log-record.js'
import { milliseconds, requestHeaders, responseBody, shownAnswerHeaders } from './views.js'

/** HTTP Archive 1.2, for the network panel of browsers. */
export interface Har {
  readonly log: {
    readonly version: '1.2'
    readonly creator: { readonly name: string; readonly version: string }
    readonly entries: readonly ReturnType<typeof toHarEntry>[]
  }
}

/** The texts of an archive: one at a time, because the whole can exceed the longest string. */
export function* formatHar(
  recordings: Iterable<LogRecord | undefined>,
  version: string,
): Generator<string> {
  const creator = JSON.stringify({ name: 'Sandramp', version })
  yield `{"log":{"version":"1.2","creator":${creator},"entries":[`
  let separator = ''
  for (const logRecord of recordings) {
    yield logRecord ? separator + JSON.stringify(toHarEntry(logRecord)) : ''
    if (logRecord) separator = ','
  }
  yield ']}}'
}

/** Required values: -1 if nobody measured them, empty if there are none. */
const toHarEntry = (logRecord: LogRecord) => {
  const time = milliseconds(logRecord)
  return {
    startedDateTime: toIso(logRecord.started_at),
    time,
    request: toHarRequest(logRecord),
    response: toHarResponse(logRecord),
    cache: {},
    timings: { send: 0, wait: time, receive: 0 },
    _operation: logRecord.operation?.id ?? null,
    _fault: logRecord.fault ?? null,
    _pending: logRecord.pending,
    _aborted_ms: logRecord.aborted_ms ?? null,
  }
}

const HTTP = 'HTTP/1.1'

const toHarRequest = (logRecord: LogRecord) => {
  const { method, url, body } = logRecord
  const headers = requestHeaders(logRecord)
  const text = bodyText(body)
  return {
    method,
    url,
    httpVersion: HTTP,
    headers: toNameValues(Object.entries(headers)),
    queryString: toNameValues(new URL(url).searchParams),
    cookies: [],
    headersSize: -1,
    bodySize: bodyBytes(body),
    ...(text === undefined
      ? {}
      : { postData: { mimeType: headers['content-type'] ?? '', params: [], text } }),
  }
}

/** Status 0 for a dropped connection, as browsers write it. */
const toHarResponse = (logRecord: LogRecord) => {
  const headers = shownAnswerHeaders(logRecord)
  const body = responseBody(logRecord)
  const status = logRecord.status ?? 0
  return {
    status,
    statusText: STATUS_CODES[status] ?? '',
    httpVersion: HTTP,
    headers: toNameValues(Object.entries(headers)),
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

const toNameValues = (pairs: Iterable<[string, string]>) =>
  [...pairs].map(([name, value]) => ({ name, value }))
