/** `n` is the place in the order of creation within the table. */
export interface Row {
  readonly id: string
  readonly n: number
  /** Scenarios of the request, which apply to this record before all others. */
  readonly scenarios?: readonly string[]
}

export interface StatedRow {
  readonly id: string
  readonly status: string
  /** Why it is in this status. */
  readonly reason?: string | null
}
