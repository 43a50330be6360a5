import type { LoggedExchange } from '../history/views.js'
import { type Fields, listFields } from '../lib/schema-fields.js'
import { closestMatch } from '../lib/suggest.js'
import type { PageContext } from './page-context.js'

/** JSON escapes this character, so no message contains it. */
const BREAK = '\0'

/** The reason of an error or of a rule's response; undefined for a normal response. */
export const refusalReason = (exchange: LoggedExchange): string | undefined => {
  const { status, pending, fault, response } = exchange
  if (pending) return 'The request is pending.'
  if (status === null) return 'The connection was dropped without a response.'
  const { message } = Object(response.body) as { message?: unknown }
  if (status >= 400 && typeof message === 'string') return message
  return fault === null ? undefined : 'A rule made this response.'
}

/** Splits a message into its errors. Quoted parts are values of the client and stay whole. */
export const splitMessages = (message: string): string[] =>
  message
    .replace(/"(?:[^"\\]|\\.)*"| \| /g, (found) => (found === ' | ' ? BREAK : found))
    .split(BREAK)

/** Body fields that the call does not have. The service ignores a misspelt field silently. */
export const unknownFields = (
  { serviceOperations }: PageContext,
  { operation, request }: LoggedExchange,
): string[] => {
  const body = serviceOperations.find(({ id }) => id === operation)?.body
  return body ? listUnknown(request.body, listFields(body), '') : []
}

const listUnknown = (value: unknown, fields: Fields | undefined, path: string): string[] => {
  if (!fields || typeof value !== 'object' || value === null) return []
  if (Array.isArray(value)) {
    return value.flatMap((item, i) => listUnknown(item, fields, `${path}${i}.`))
  }
  return Object.entries(value).flatMap(([name, inner]) => {
    if (fields.has(name)) return listUnknown(inner, fields.get(name), `${path}${name}.`)
    const missing = [...fields.keys()].filter((it) => !Object.hasOwn(value, it))
    const meant = closestMatch(name, missing)
    const guess = meant === undefined ? '' : ` Did you mean ${meant}?`
    return [`${path}${name} is an unknown field, and the service ignores it.${guess}`]
  })
}
