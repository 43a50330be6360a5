/** What every record has: its id, and its number in the order of making within its table. */
export interface Row {
  readonly id: string
  readonly n: number
  /** Scenarios that the request behind it named: they apply to it before all others. */
  readonly scenarios?: readonly string[]
}
