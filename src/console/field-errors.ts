import type { LoggedExchange } from '../history/views.js'
import { fieldInMessage } from '../lib/app-error.js'
import type { FieldError } from './components/json.js'

/** JSON escapes this character, so no message contains it. */
const BREAK = '\0'

const isRefused = ({ status }: LoggedExchange): boolean => status !== null && status >= 400

/** The reason of an error or of a rule's response; undefined for a normal response. */
export const refusalReason = (exchange: LoggedExchange): string | undefined => {
  const { status, pending, fault, response } = exchange
  if (pending) return 'The request is pending.'
  if (status === null) return 'The connection was dropped without a response.'
  const { message } = Object(response.body) as { message?: unknown }
  if (isRefused(exchange) && typeof message === 'string') return message
  return fault === null ? undefined : 'A rule made this response.'
}

/** Splits a message into its errors. Quoted parts are values of the client and stay whole. */
export const splitMessages = (message: string): string[] =>
  message
    .replace(/"(?:[^"\\]|\\.)*"| \| /g, (found) => (found === ' | ' ? BREAK : found))
    .split(BREAK)

/** The errors about fields of the request's body. */
export const fieldErrorsOf = (exchange: LoggedExchange): FieldError[] => {
  if (!isRefused(exchange) || exchange.fault !== null) return []
  return splitMessages(refusalReason(exchange) ?? '').flatMap((part) => {
    const path = fieldInMessage(part)
    return path === undefined ? [] : [{ path: path.split('.'), text: part }]
  })
}
