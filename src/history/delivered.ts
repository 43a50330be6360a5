interface Sent {
  readonly status: number | null
  readonly pending: boolean
  readonly aborted_ms?: number | null | undefined
  readonly garbled: boolean
}

/** Whether the client got the whole response. */
export const isDelivered = ({ status, pending, aborted_ms, garbled }: Sent): boolean =>
  status !== null && !pending && (aborted_ms ?? null) === null && !garbled

/** Whether the client cannot know if the service did it. */
export const isUnclear = (it: Sent): boolean => !isDelivered(it) || Number(it.status) >= 500
