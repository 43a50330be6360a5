import type { IncomingMessage } from 'node:http'
import { inQuotes } from '../world/shortened.js'

const MOST_SHOWN = 100

/** Says of a request that no route can see what no URL can be made of: its target, or its Host. */
export const malformed = ({
  url = '',
  headers: { host },
}: Pick<IncomingMessage, 'url' | 'headers'>): string => {
  if (!isTarget(url)) {
    return (
      `the request target ${inQuotes(url, MOST_SHOWN)} came; accepted: a path such as ` +
      '/payment/api/v1/payout, or an address with one that begins with http:// or https://'
    )
  }
  const came = host ? `with Host ${inQuotes(host, MOST_SHOWN)}` : 'without a Host'
  return `the request came ${came}; accepted: a name or address and, where it is not that of the scheme, the port, as localhost:4020`
}

const isTarget = (url: string): boolean => {
  if (url.split('?', 1)[0]?.includes('\\')) return false
  return url.startsWith('/')
    ? URL.canParse(`http://localhost${url}`)
    : /^https?:\/\//.test(url) && URL.canParse(url)
}
