import type { CommandRecord } from '../kernel/command-record.js'
import type { Act, StoredCopy } from './port.js'

/** One step of a world that is not stored yet, or how to undo its beginning or end. */
export type Item =
  | {
      readonly copy: StoredCopy
      readonly record: CommandRecord
      /** A request did it to a world that was deleted meanwhile. */
      readonly isDropped: boolean
    }
  | { readonly act: Act }
  | { readonly rollback: () => void }
  | { readonly rollback: () => void; readonly ends: StoredCopy }

/** Steps that are stored as a whole, oldest first. */
export class Batch {
  readonly items: Item[] = []
  resolve = (): void => {}
  reject = (_why: Error): void => {}
  readonly stored = new Promise<void>((resolve, reject) => {
    this.resolve = resolve
    this.reject = reject
  })

  constructor() {
    // Nobody may wait for it, such as when only timers fired.
    this.stored.catch(() => {})
  }
}

/** The steps of a world that are not stored. They may end one world of a key and begin the next. */
export class Unstored {
  inFlight: Batch | undefined
  queued: Batch | undefined

  constructor(readonly id: string) {}

  /** Resolves once all of them are stored. */
  get stored(): Promise<void> | undefined {
    return (this.queued ?? this.inFlight)?.stored
  }
}
