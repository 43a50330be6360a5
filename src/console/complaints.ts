import type { LoggedExchange } from '../journal/exchange.js'
import type { Complaint } from './json-view.js'

/** What stands before a complaint about a field: its dotted path. */
const FIELD = /^([\w-]+(?:\.[\w-]+)*): (.*)$/s

/** What a refusal says about the fields of the body that came. */
export const complaintsOf = ({ status, fault, response }: LoggedExchange): Complaint[] => {
  const { message } = (Object(response.body) as { message?: unknown }) ?? {}
  if (status === null || status < 400 || fault !== null || typeof message !== 'string') return []
  return message.split(' | ').flatMap((part) => {
    const [, path, text] = FIELD.exec(part) ?? []
    return path === undefined || text === undefined ? [] : [{ path: path.split('.'), text }]
  })
}
