import type { LogRecord } from '../../request-log/log-record.js'

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
