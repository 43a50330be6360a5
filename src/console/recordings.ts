import { requestHeaders } from '../journal/exchange.js'
import type { Recording } from '../journal/recording.js'
import { unknown } from '../world/kernel/refusal.js'
import type { View } from './view.js'

/** The exchange with this request id; refuses one that the log does not hold. */
export const recordingOf = ({ line }: View, id: string): Recording => {
  const recording = line.requests.find(id.toLowerCase())
  if (!recording) throw unknown('id', `the log has no request ${id}; it keeps the newest ones`)
  return recording
}

/** Path and query as they came. */
export const pathOf = ({ url, path }: Recording): string =>
  url.includes('?') ? path + url.slice(url.indexOf('?')) : path

/** The body as it came, unless the log holds only a part of it. */
export const resendable = ({
  body,
}: Recording): { complete: true; text: string | undefined } | { complete: false } =>
  typeof body === 'object' ? { complete: false } : { complete: true, text: body }

/** Headers of a request that mean something to the service, but for its key. */
const SENT = ['content-type', 'x-sandbox-scenario', 'x-sandbox-reading']

export const sentHeaders = (recording: Recording): [name: string, value: string][] => {
  const kept = requestHeaders(recording)
  return SENT.flatMap((name): [string, string][] => (kept[name] ? [[name, kept[name]]] : []))
}
