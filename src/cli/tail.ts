import { setTimeout as sleep } from 'node:timers/promises'
import type { LoggedExchange, World } from '../../generated/api-types.js'
import type { Exchange } from '../history/views.js'
import { ControlClient } from '../kit/control-client.js'
import { SandboxError } from '../kit/sandbox-error.js'
import { prettyLines } from './access-log.js'
import { print } from './print.js'

const SHOWN_FIRST = 10
const RETRY_MS = 1_000

/** Prints the requests of a world as they end, or of all worlds, across restarts of the sandbox. */
export const tail = async (
  client: ControlClient,
  status: string | undefined,
  isJson: boolean,
): Promise<never> => {
  const filter = status === undefined ? '' : `&status=${encodeURIComponent(status)}`
  const findName = createNames(client)
  const seen = new Set<string>()
  const show = async (exchange: LoggedExchange) => {
    if (seen.has(exchange.id)) return
    seen.add(exchange.id)
    if (seen.size > 10 * SHOWN_FIRST) seen.delete([...seen][0] ?? '')
    print(
      `${isJson ? JSON.stringify(exchange) : toLine(exchange, await findName(exchange.world))}\n`,
    )
  }
  for (let isConnected = true; ; await sleep(RETRY_MS)) {
    try {
      // The stream begins before the list, so that no request ends between them.
      const stream = await client.stream<LoggedExchange>('request', `/requests/stream?${filter}`)
      isConnected = true
      const list = `/requests?size=${SHOWN_FIRST}${filter}`
      const { items } = await client.get<{ items: LoggedExchange[] }>(list)
      for (const exchange of items.reverse()) if (!exchange.pending) await show(exchange)
      for await (const exchange of stream) await show(exchange)
    } catch (error) {
      if (error instanceof SandboxError && (error.status ?? 500) < 500) throw error
    }
    if (isConnected) process.stderr.write('sandramp: The stream ended. tail connects again.\n')
    isConnected = false
  }
}

/** The name of a world, else the last four characters of its key. */
export const nameWorld = ({ id, name, last_four }: World): string =>
  name ?? (last_four ? `…${last_four}` : id)

/** Returns a function that names the world of an id. */
const createNames = ({ transport }: ControlClient) => {
  const client = new ControlClient(transport, undefined)
  const names = new Map<string, string>()
  return async (id: string | undefined): Promise<string | undefined> => {
    if (id === undefined || names.has(id)) return names.get(id ?? '')
    const { items } = await client.get<{ items: World[] }>('/worlds', { size: 1_000 })
    for (const world of items) names.set(world.id, nameWorld(world))
    return names.get(id) ?? id
  }
}

type Fields = Readonly<Record<string, unknown>>

const toLine = (exchange: LoggedExchange, world: string | undefined): string => {
  const { started_at, id, status, aborted_ms, request, response } = exchange
  const { id: record, code, message, ...answer } = Object(response.body) as Fields
  const { amount, currency }: Fields = { ...answer, ...Object(request.body) }
  const isError = (status ?? 0) >= 400
  const line = prettyLines({
    ...exchange,
    request_id: id,
    aborted_ms: aborted_ms ?? undefined,
    world,
    ...(isError ? { code, message } : { record, amount: currency && `${amount} ${currency}` }),
  } as Exchange)
  return `${started_at.slice(11, -1)} ${line}`
}
