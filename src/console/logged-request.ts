import type { LogRecord } from '../history/log-record.js'
import { requestHeaders } from '../history/views.js'
import { notFound } from '../kernel/refusal.js'
import type { PageContext } from './page-context.js'

export const findRecord = ({ live }: PageContext, id: string): LogRecord => {
  const logRecord = live.requests.find(id.toLowerCase())
  if (!logRecord) throw notFound('id', `the log has no request ${id}; it keeps the newest ones`)
  return logRecord
}

/** Path and query as received. */
export const pathWithQuery = ({ url, path }: LogRecord): string =>
  url.includes('?') ? path + url.slice(url.indexOf('?')) : path

/** The body as received, unless the log holds only a part of it. */
export const resendable = ({
  body,
}: LogRecord): { complete: true; text: string | undefined } | { complete: false } =>
  typeof body === 'object' ? { complete: false } : { complete: true, text: body }

/** Indents JSON, unless that would lose something such as digits. */
export const editable = (text: string): string => {
  try {
    const value: unknown = JSON.parse(text)
    return JSON.stringify(value) === text ? JSON.stringify(value, null, 2) : text
  } catch {
    return text
  }
}

/** Returns the original body, byte by byte, unless the user changed it. */
export const edited = (text: string | undefined, typed: string | undefined): string | undefined => {
  if (!typed) return text
  const plain = withPlainLines(typed)
  return text !== undefined && plain === withPlainLines(editable(text)) ? text : plain
}

/** Browsers send the lines of a textarea with CRLF. */
const withPlainLines = (text: string): string => text.replace(/\r\n?/g, '\n')

/** Headers that change the response. The log does not store the whole key. */
const SENT = ['content-type', 'x-sandbox-scenario', 'x-sandbox-reading']

export const sentHeaders = (logRecord: LogRecord): [name: string, value: string][] => {
  const kept = requestHeaders(logRecord)
  return SENT.flatMap((name): [string, string][] => (kept[name] ? [[name, kept[name]]] : []))
}
