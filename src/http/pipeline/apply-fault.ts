import { FAULT_HEADER } from '../../contract/header-names.js'
import type { JsonResponse } from '../../history/log-record.js'
import { applyPatch, MALFORMED } from '../../scenarios/faults/alter-body.js'
import type { Fault } from '../../scenarios/faults/fault.js'
import { buildResponse, type RespondStep } from '../../scenarios/faults/respond.js'
import { MAX_DELAY_MS } from '../../scenarios/faults/timing.js'
import type { DroppedConnection } from '../operation/dropped-connection.js'
import type { PipelineContext } from './pipeline-context.js'
import { errorBody, requestPath } from './respond.js'

/**
 * Applies a fault: waits, replaces the response of the operation, or garbles it. `left` resolves when
 * the client leaves.
 */
export const applyFault = async (
  ctx: PipelineContext,
  fault: Fault,
  left: Promise<void> | undefined,
  go: () => Promise<JsonResponse>,
): Promise<JsonResponse | DroppedConnection> => {
  const { rule, delay_ms, drop, hang, reset, malform, trickle_ms } = fault
  const sleep = (ms: number, early?: Promise<void>) => ctx.api.sandbox.sleep(ms, early)
  const dropped = { rule, partial: undefined, isReset: reset !== undefined }
  if (delay_ms > 0) await sleep(delay_ms)
  // A request that is never answered ends with its client.
  const hangUp = () => sleep(MAX_DELAY_MS, left)
  if (hang === 'before') await hangUp()
  if ([drop, hang, reset].includes('before')) return dropped
  if (fault.hold_commit_ms > 0) await sleep(fault.hold_commit_ms)
  const sent = fault.respond ? respondTo(ctx, fault.respond) : await go()
  if (fault.hold_answer_ms > 0) await sleep(fault.hold_answer_ms)
  if (hang === 'after') await hangUp()
  if ([drop, hang, reset].includes('after')) return dropped
  if (drop === 'mid_body') return { rule, partial: sent }
  const marked = {
    ...sent,
    headers: { ...sent.headers, [FAULT_HEADER]: rule },
    ...(trickle_ms > 0 && { trickle: { over_ms: trickle_ms, sleep } }),
  }
  if (fault.patch) return { ...marked, text: applyPatch(sent.text, fault.patch) }
  if (malform) return MALFORMED[malform](marked)
  const isOwn = !fault.respond && !(FAULT_HEADER in sent.headers)
  return isOwn ? { ...marked, untouched: true } : marked
}

const respondTo = (ctx: PipelineContext, step: RespondStep): JsonResponse =>
  buildResponse(step, (details) =>
    errorBody(details, ctx.req.method, requestPath(ctx), ctx.requestId),
  )
