import type { LoggedExchange } from '../exchanges/exchange.js'
import type { Complaint } from './json-view.js'

/** What stands before a complaint about a field: its dotted path. */
const FIELD = /^([\w-]+(?:\.[\w-]+)*): (.*)$/s

/** Stands in no message: JSON writes it otherwise. */
const BREAK = '\0'

const isRefused = ({ status }: LoggedExchange): boolean => status !== null && status >= 400

/** What the answer says about why it is no other; undefined where all went well. */
export const reasonOf = (exchange: LoggedExchange): string | undefined => {
  const { status, pending, fault, response } = exchange
  if (pending) return 'The request is not answered yet.'
  if (status === null) return 'The connection was cut without an answer.'
  const { message } = Object(response.body) as { message?: unknown }
  if (isRefused(exchange) && typeof message === 'string') return message
  return fault === null ? undefined : 'A rule made this answer.'
}

/** The complaints that a message holds; what stands between quotes came from outside, and is left whole. */
export const partsOf = (message: string): string[] =>
  message
    .replace(/"(?:[^"\\]|\\.)*"| \| /g, (found) => (found === ' | ' ? BREAK : found))
    .split(BREAK)

/** What a refusal says about the fields of the body that came. */
export const complaintsOf = (exchange: LoggedExchange): Complaint[] => {
  if (!isRefused(exchange) || exchange.fault !== null) return []
  return partsOf(reasonOf(exchange) ?? '').flatMap((part) => {
    const [, path, text] = FIELD.exec(part) ?? []
    return path === undefined || text === undefined ? [] : [{ path: path.split('.'), text }]
  })
}
