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

export const findClientId = ({ operation, body }: LogRecord): ClientId | undefined => {
  const [noun, pattern] = CLIENT_IDS[operation?.id ?? ''] ?? []
  const id = pattern?.exec(rawText(body))?.[1]
  return noun && id !== undefined ? { noun, id: id.toLowerCase() } : undefined
}

/** The logged part of a body, as it is stored. */
export const rawText = (body: LogRecord['body']): string =>
  typeof body === 'object' ? body.text : (body ?? '')
