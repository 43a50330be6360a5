import { buildLineage } from '../../history/lineage.js'
import type { LogRecord } from '../../history/log-record.js'
import type { FiredRule } from '../../history/rule-activity.js'
import type { Entry } from '../../kernel/entry.js'

/** A rule with steps that were illegal when they ran, and the reason of the first. */
export interface RefusedRule extends FiredRule {
  readonly why: string
}

export const refusedRules = (entries: readonly Entry[]): RefusedRule[] => {
  const refused = new Map<string, RefusedRule>()
  for (const { cause, refused: refusal } of entries) {
    if (!refusal || cause.kind !== 'timer') continue
    const rule = `${cause.scenario}/${cause.rule}`
    const { why = refusal.message, times = 0 } = refused.get(rule) ?? {}
    refused.set(rule, { rule, source: cause.source, times: times + 1, why })
  }
  return [...refused.values()]
}

/** The number of resets, or 0 if the last one was undone. */
export const resetsIn = (entries: readonly Entry[]): number => {
  const [first] = buildLineage(entries)
  return first && isReset(first) ? entries.filter(isReset).length : 0
}

const isReset = ({ command, cause }: Entry): boolean =>
  command === 'world.begin' && cause.kind !== 'boot'

export const stoppedRule = (entries: readonly Entry[]): string | undefined => {
  const drop = entries.find(({ command }) => command === 'timer.drop')
  return drop && (drop.input as { readonly why: string }).why
}

const MIN_POLLS = 3
const MIN_POLLING_MS = 1_000

/** A row of equal requests in real time while the clock of the world was paused, in words. */
export const findIdlePolls = (logged: readonly LogRecord[]): string | undefined => {
  let first: LogRecord | undefined
  let count = 0
  for (const it of logged) {
    const isSame = first?.at === it.at && first?.url === it.url && first?.method === it.method
    if (!isSame) first = it
    count = isSame ? count + 1 : 1
    const span_ms = it.started_at - (first?.started_at ?? 0)
    if (count < MIN_POLLS || span_ms < MIN_POLLING_MS) continue
    const call = it.operation?.id ?? it.path
    return `${call} was sent ${count} times in ${(span_ms / 1_000).toFixed(1)} s`
  }
  return undefined
}

/** After a longer time the code of the client has most likely sent the request again itself. */
const MAX_GAP_MS = 10

/**
 * Requests with the same bytes as a cut one right before. Some HTTP libraries, such as those of Go and Java, repeat
 * a GET by themselves, and their callers never see the first failure.
 */
export const silentRepeats = (logged: readonly LogRecord[]): string[] => {
  const cut = new Map<string, LogRecord>()
  return logged.flatMap((it) => {
    const bytes = JSON.stringify([it.method, it.url, it.headers, it.body])
    const first = cut.get(bytes)
    if (it.status === null && !it.pending && it.aborted_ms === undefined) cut.set(bytes, it)
    else cut.delete(bytes)
    if (!first) return []
    const gap_ms = Math.max(0, it.started_at - first.started_at - first.duration_us / 1_000)
    if (gap_ms > MAX_GAP_MS) return []
    return [
      `request ${it.n} repeats request ${first.n} byte for byte after ${Math.ceil(gap_ms)} ms`,
    ]
  })
}
