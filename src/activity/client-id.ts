import type { LogRecord } from '../history/log-record.js'

/** The id that a client gave a record. */
export interface ClientId {
  readonly noun: 'payout' | 'wallet'
  readonly id: string
}

/** A pattern is several times faster than parsing each body of the log. */
const CLIENT_IDS: Readonly<Record<string, readonly [noun: ClientId['noun'], id: RegExp]>> = {
  createPayout: ['payout', /"customer_payout_id"\s*:\s*"([^"]*)"/],
  createCustodyWallet: ['wallet', /"customer_wallet_ref"\s*:\s*"([^"]*)"/],
}

const known = new WeakMap<LogRecord, ClientId>()

export const findClientId = (request: LogRecord): ClientId | undefined =>
  known.get(request) ?? readClientId(request)

const readClientId = (request: LogRecord): ClientId | undefined => {
  const [noun, pattern] = CLIENT_IDS[request.operation?.id ?? ''] ?? []
  const id = pattern?.exec(rawText(request.body))?.[1]
  if (!noun || id === undefined) return undefined
  const found = { noun, id: id.toLowerCase() }
  known.set(request, found)
  return found
}

/** The logged part of a body, as it is stored. */
export const rawText = (body: LogRecord['body']): string =>
  typeof body === 'object' ? body.text : (body ?? '')
