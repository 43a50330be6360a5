import type { Recording } from '../exchanges/recording.js'
import type { World } from '../world/world.js'
import type { Face } from './face.js'
import { type Inbound, wireOf } from './inbound.js'

/**
 * Lists a request as pending while `wait` lasts, and records when its client leaves meanwhile: `left` resolves
 * then.
 */
export const whilePending = <T>(
  { sandbox, redact }: Face,
  c: Inbound,
  world: World,
  recording: Recording | undefined,
  wait: (left: Promise<void>) => Promise<T>,
): Promise<T> => {
  const line = sandbox.lineOf(world)
  if (recording) {
    recording.at ??= world.now
    line.requests.addPending(recording, redact)
    line.notice()
  }
  let stop = () => {}
  const left = new Promise<void>((resolve) => {
    stop = onceGone(c, () => {
      if (recording) {
        recordAborted(sandbox, recording)
        line.requests.updatePending(recording, redact)
        line.notice()
      }
      resolve()
    })
  })
  return wait(left).finally(stop)
}

/** Records that the client has left without the answer, and when. */
export const recordAborted = (sandbox: Face['sandbox'], recording: Recording): void => {
  recording.aborted_ms ??= Math.max(0, sandbox.machineTime() - recording.started_at)
}

/** Shows in the log what a pending request has done so far, such as its journal entries. */
export const recordProgress = (
  { sandbox, redact }: Face,
  world: World,
  recording: Recording | undefined,
): void => {
  if (recording?.pending) sandbox.lineOf(world).requests.updatePending(recording, redact)
}

/** Calls back when the client closes its side of the connection, or aborts its `signal` in process. */
const onceGone = (c: Inbound, gone: () => void): (() => void) => {
  const { incoming } = wireOf(c)
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
