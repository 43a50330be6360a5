import type { World } from '../domain/world.js'
import type { LogRecord } from '../request-log/log-record.js'
import type { Api } from './api.js'
import { nodeStreams, type RequestContext } from './context.js'

/**
 * Lists a request as pending while `wait` lasts, and records when its client leaves meanwhile: `left` resolves
 * then.
 */
export const withPendingRecord = <T>(
  { sandbox, redact }: Api,
  c: RequestContext,
  world: World,
  logRecord: LogRecord | undefined,
  wait: (left: Promise<void>) => Promise<T>,
): Promise<T> => {
  const live = sandbox.liveWorldOf(world)
  if (logRecord) {
    logRecord.at ??= world.now
    live.requests.addPending(logRecord, redact)
    live.notify()
  }
  let stop = () => {}
  const left = new Promise<void>((resolve) => {
    stop = onceGone(c, () => {
      if (logRecord) {
        recordAborted(sandbox, logRecord)
        live.requests.updatePending(logRecord, redact)
        live.notify()
      }
      resolve()
    })
  })
  return wait(left).finally(stop)
}

/** Records that the client has left without the answer, and when. */
export const recordAborted = (sandbox: Api['sandbox'], logRecord: LogRecord): void => {
  logRecord.aborted_ms ??= Math.max(0, sandbox.machineTime() - logRecord.started_at)
}

/** Shows in the log what a pending request has done so far, such as its journal entries. */
export const recordProgress = (
  { sandbox, redact }: Api,
  world: World,
  logRecord: LogRecord | undefined,
): void => {
  if (logRecord?.pending) sandbox.liveWorldOf(world).requests.updatePending(logRecord, redact)
}

/** Calls back when the client closes its side of the connection, or aborts its `signal` in process. */
const onceGone = (c: RequestContext, gone: () => void): (() => void) => {
  const { incoming } = nodeStreams(c)
  if (!incoming) return onceAborted(c.req.raw?.signal, gone)
  const { socket } = incoming
  if (socket.readableEnded || socket.destroyed) gone()
  // A client that gives up sends FIN like one that only ends its side: the server cannot tell them apart.
  socket.once('end', gone).once('close', gone)
  return () => socket.off('end', gone).off('close', gone)
}

const onceAborted = (signal: AbortSignal | undefined, gone: () => void): (() => void) => {
  if (signal?.aborted) gone()
  signal?.addEventListener('abort', gone, { once: true })
  return () => signal?.removeEventListener('abort', gone)
}
