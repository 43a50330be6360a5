import type { Exchange } from '../exchanges/exchange.js'
import type { Recording } from '../exchanges/recording.js'
import { repeatIn } from '../journal/repeats.js'
import type { Entered, Face, Outcome } from './face.js'
import type { Inbound } from './inbound.js'
import type { Operation } from './operation.js'
import { isResponse, sentOf } from './respond.js'

/** An exchange that has ended, as the log needs it. */
export interface Ended {
  readonly c: Inbound
  readonly operation: Operation | undefined
  readonly outcome: Outcome
  readonly requestId: string
  readonly duration_ms: number
  readonly recording?: Recording | undefined
  readonly entered?: Entered | undefined
}

/** Writes one exchange to the log: its outcome, why it was refused, the rule behind it and its world. */
export const logExchange = (face: Face, ended: Ended): void => {
  if (!face.log) return
  const { c, operation, outcome, requestId, duration_ms, recording, entered } = ended
  const line = entered && face.sandbox.lineOf(entered.world)
  const note = line && recording && repeatIn(line.journal, recording.from, recording.to)
  face.log({
    method: c.req.method,
    path: recording?.path ?? face.redact(c.req.path),
    status: isResponse(outcome) ? outcome.status : (sentOf(outcome)?.status ?? null),
    duration_ms,
    ...(recording?.aborted_ms !== undefined && { aborted_ms: recording.aborted_ms }),
    request_id: requestId,
    operation: operation?.id,
    ...(line && { world: line.id }),
    ...(recording?.fault !== undefined && { fault: recording.fault }),
    ...reasonOf(face, outcome),
    ...(note !== undefined && { note }),
  })
}

/** Code and message of a refusal; nothing where a rule has spoilt the body. */
const reasonOf = (face: Face, outcome: Outcome): Pick<Exchange, 'code' | 'message'> => {
  const sent = sentOf(outcome)
  if (!sent || sent.status < 400) return {}
  const { code, message } = errorIn(sent.text)
  return {
    ...(typeof code === 'string' && { code }),
    ...(typeof message === 'string' && { message: face.redact(message) }),
  }
}

const errorIn = (text: string): { readonly code?: unknown; readonly message?: unknown } => {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null ? body : {}
  } catch {
    return {}
  }
}
