import type { StatedRow } from '../kernel/row.js'

/** JSON leaves symbols out, so the response carries its record as far as the request log. */
const RECORD = Symbol('record')

type Showing = { [RECORD]?: StatedRow | undefined }

/** Notes which record an object of a response shows; none after a rule has changed it. */
export const noteShown = <T extends object>(record: StatedRow | undefined, shown: T): T => {
  const noted: Showing = shown
  noted[RECORD] = record
  return shown
}

export const MAX_SHOWN = 100

/** The records that a body shows, as `<id> <status>`. One more than the maximum means that there are others. */
export const findShown = (body: unknown): string[] => {
  const found: string[] = []
  for (const item of listItems(body)) {
    const record = (Object(item) as Showing)[RECORD]
    if (record && found.push(`${record.id} ${record.status}`) > MAX_SHOWN) break
  }
  return found
}

/** Status and reason of a record, as `PAYOUT_FAILED account_closed`. */
export const describeStatus = ({ status, reason }: Partial<StatedRow>): string =>
  [status, reason].filter(Boolean).join(' ')

/** Status and reason of the one record that a body shows; empty for a list. */
export const describeShown = (body: unknown): string =>
  describeStatus((Object(body) as Showing)[RECORD] ?? {})

/** Bodies are one record, a list of them, or a page with one list. */
const listItems = (body: unknown): readonly unknown[] => {
  if (Array.isArray(body)) return body
  if (typeof body !== 'object' || body === null || RECORD in body) return [body]
  return Object.values(body).find(Array.isArray) ?? []
}
