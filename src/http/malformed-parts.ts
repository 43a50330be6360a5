import type { IncomingMessage } from 'node:http'
import { quote } from '../lib/text.js'

const MAX_SHOWN = 100

/** Says of a request that no route can see what no URL can be made of: its target, or its Host. */
export const findMalformedPart = ({
  url = '',
  headers: { host },
}: Pick<IncomingMessage, 'url' | 'headers'>): string => {
  if (!isTarget(url)) {
    return (
      `the request target ${quote(url, MAX_SHOWN)} came; accepted: a path such as ` +
      '/payment/api/v1/payout, or an address with one that begins with http:// or https://'
    )
  }
  const came = host ? `with Host ${quote(host, MAX_SHOWN)}` : 'without a Host'
  return `the request came ${came}; accepted: a name or address and, where it is not that of the scheme, the port, as localhost:4020`
}

const isTarget = (url: string): boolean => {
  if (url.split('?', 1)[0]?.includes('\\')) return false
  return url.startsWith('/')
    ? URL.canParse(`http://localhost${url}`)
    : /^https?:\/\//.test(url) && URL.canParse(url)
}
