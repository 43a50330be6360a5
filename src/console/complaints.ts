import type { LoggedExchange } from '../journal/exchange.js'
import type { Complaint } from './json-view.js'

/** What stands before a complaint about a field: its dotted path. */
const FIELD = /^([\w-]+(?:\.[\w-]+)*): (.*)$/s

const isRefused = ({ status }: LoggedExchange): boolean => status !== null && status >= 400

/** What the answer says about why it is no other; undefined where all went well. */
export const reasonOf = (exchange: LoggedExchange): string | undefined => {
  const { status, fault, response } = exchange
  if (status === null) return 'The connection was cut without an answer.'
  const { message } = Object(response.body) as { message?: unknown }
  if (isRefused(exchange) && typeof message === 'string') return message
  return fault === null ? undefined : 'A rule made this answer.'
}

/** What a refusal says about the fields of the body that came. */
export const complaintsOf = (exchange: LoggedExchange): Complaint[] => {
  if (!isRefused(exchange) || exchange.fault !== null) return []
  return (reasonOf(exchange) ?? '').split(' | ').flatMap((part) => {
    const [, path, text] = FIELD.exec(part) ?? []
    return path === undefined || text === undefined ? [] : [{ path: path.split('.'), text }]
  })
}
