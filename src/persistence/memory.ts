import type { Entry } from '../kernel/entry.js'
import type { AppendResult, CaughtUp, Commit, Head, LogHealth, Origin, WorldLog } from './port.js'
import { ReplayState } from './replay.js'
import {
  type RecoveredWorld,
  restoreWorld,
  type StoredLayer,
  type StoredWorld,
} from './stored-world.js'

interface MemoryWorld {
  head: Head
  /** Where the entries start, if not at the base world. */
  compacted: StoredWorld | undefined
  entries: { readonly entry: Entry; readonly origin: StoredLayer | undefined }[]
}

/** A log that ends with the process. Tests and the contract suite use it; several sandboxes may share one. */
export class MemoryLog implements WorldLog {
  readonly isShared = false
  origin: Origin | undefined
  readonly #worlds = new Map<string, MemoryWorld>()
  #tags = 0

  async begin(proposal: Origin): Promise<Origin> {
    this.origin ??= proposal
    return this.origin
  }

  list(): readonly string[] {
    return [...this.#worlds.keys()]
  }

  async catchUp(id: string): Promise<CaughtUp | undefined> {
    const world = this.#worlds.get(id)
    if (!world || !this.origin) return undefined
    const { base } = this.origin
    const { compacted, head } = world
    const from = compacted && restoreWorld(compacted, base.tables)
    const replay = new ReplayState(base, from)
    for (const { entry, origin } of world.entries) {
      const problem = replay.apply(entry, origin)
      if (problem !== undefined) throw new Error(problem)
    }
    const state: RecoveredWorld = replay.state
    return { head, world: state, entries: world.entries.map(({ entry }) => entry), commits: [] }
  }

  async append(commits: readonly Commit[]): Promise<readonly AppendResult[]> {
    return commits.map((commit) => this.#append(commit))
  }

  async compact(id: string, _head: Head, world: StoredWorld): Promise<void> {
    const known = this.#worlds.get(id)
    if (!known) return
    known.compacted = world
    known.entries = known.entries.filter(({ entry }) => entry.seq > world.seq)
  }

  readonly isWritable = true

  get health(): LogHealth {
    return { file: 'memory', status: 'ok', error: null, journal_bytes: 0 }
  }

  async ping(): Promise<void> {}

  async close(): Promise<void> {}

  #append({ id, head, entries, origin, ends }: Commit): AppendResult {
    const known = this.#worlds.get(id)
    if (known?.head.tag !== head?.tag) return { is: 'behind' }
    if (ends) this.#worlds.delete(id)
    else {
      const seq = entries.at(-1)?.seq ?? head?.seq ?? 0
      const next: Head = { seq, tag: String(++this.#tags) }
      const world: MemoryWorld = known ?? { head: next, compacted: undefined, entries: [] }
      world.head = next
      for (const entry of entries) world.entries.push({ entry, origin })
      this.#worlds.set(id, world)
    }
    return { is: 'appended', head: this.#worlds.get(id)?.head }
  }
}
