import type { Exchange } from './journal/exchange.js'

export const LOG_STYLES = ['pretty', 'json', 'silent'] as const
export type LogStyle = (typeof LOG_STYLES)[number]

/** What writes one line for each exchange; undefined for silence. */
export const exchangeLog = (style: LogStyle): ((exchange: Exchange) => void) | undefined => {
  if (style === 'silent') return undefined
  const line = style === 'json' ? JSON.stringify : prettyLine
  return (exchange) => {
    process.stdout.write(`${line(exchange)}\n`)
  }
}

const prettyLine = (exchange: Exchange): string => {
  const { status, method, path, duration_ms, operation, request_id, world } = exchange
  const name = operation ? ` ${operation}` : ''
  const own = world ? ` world=${world}` : ''
  return `${status ?? 'cut'} ${method.padEnd(4)} ${printable(path)}${name} ${duration_ms.toFixed(1)}ms ${request_id}${own}`
}

/** A path comes from anybody: no control characters reach the terminal. */
const printable = (path: string): string => path.replace(/[^\x20-\x7e]/g, '?').slice(0, 200)
