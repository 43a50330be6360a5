import { fieldInMessage } from '../lib/app-error.js'
import type { LoggedExchange } from '../request-log/views.js'
import type { FieldError } from './components/json-view.js'

/** Stands in no message: JSON writes it otherwise. */
const BREAK = '\0'

const isRefused = ({ status }: LoggedExchange): boolean => status !== null && status >= 400

/** What the answer says about why it is no other; undefined where all went well. */
export const refusalReason = (exchange: LoggedExchange): string | undefined => {
  const { status, pending, fault, response } = exchange
  if (pending) return 'The request is pending.'
  if (status === null) return 'The connection was dropped without a response.'
  const { message } = Object(response.body) as { message?: unknown }
  if (isRefused(exchange) && typeof message === 'string') return message
  return fault === null ? undefined : 'A rule made this response.'
}

/** The complaints that a message holds; what stands between quotes came from outside, and is left whole. */
export const splitMessages = (message: string): string[] =>
  message
    .replace(/"(?:[^"\\]|\\.)*"| \| /g, (found) => (found === ' | ' ? BREAK : found))
    .split(BREAK)

/** What a refusal says about the fields of the body that came. */
export const fieldErrorsOf = (exchange: LoggedExchange): FieldError[] => {
  if (!isRefused(exchange) || exchange.fault !== null) return []
  return splitMessages(refusalReason(exchange) ?? '').flatMap((part) => {
    const path = fieldInMessage(part)
    return path === undefined ? [] : [{ path: path.split('.'), text: part }]
  })
}
