import type { WorldArchiveFolder } from './world-archive.js'

/** Files of worlds that are not as the worlds are now, and stay until the journal needs them no more: it is folded then. */
export class ArchiveCleanup {
  readonly #aside: WorldArchiveFolder
  /** Worlds that a fork was made from, by the line of it: until that is in the snapshot their files stay as they are. */
  readonly #sources = new Map<string, number>()
  /** Worlds that the journal last tells were deleted, by the line that does: whatever lies aside of them is to go. */
  readonly #deleted = new Map<string, number>()
  /** Worlds whose files are being written or removed. */
  readonly #busy = new Set<string>()

  constructor(aside: WorldArchiveFolder) {
    this.#aside = aside
  }

  /** The deleted worlds. */
  get deleted(): string[] {
    return [...this.#deleted.keys()]
  }

  /** Whether what lies aside of a world is none that can be found, whenever it came there. */
  isDeleted(id: string): boolean {
    return this.#deleted.has(id)
  }

  /** Takes in what a line of the journal tells of a world; answers how it has told nothing. */
  left(id: string, is: 'deleted' | 'aside', line: number): () => void {
    const before = this.#deleted.get(id)
    this.#mark(id, is === 'deleted' ? line : undefined)
    return () => this.#mark(id, before)
  }

  /** Does something with the file of a world while nothing else does; undefined when something else does. */
  async withLock<V>(id: string, act: () => Promise<V>): Promise<V | undefined> {
    if (this.#busy.has(id)) return undefined
    this.#busy.add(id)
    try {
      return await act()
    } finally {
      this.#busy.delete(id)
    }
  }

  /** A fork was made from a world at this line. */
  forkedFrom(id: string, line: number): void {
    this.#sources.set(id, line)
  }

  isSource(id: string): boolean {
    return this.#sources.has(id)
  }

  /** Lets go of what only lines up to this one needed. A file that stays goes with the next fold. */
  async releaseUpTo(line: number): Promise<void> {
    for (const [id, at] of this.#sources) if (at <= line) this.#sources.delete(id)
    for (const [id, at] of this.#deleted) {
      if (at <= line) await this.withLock(id, () => this.#remove(id, at)).catch(() => {})
    }
  }

  #mark(id: string, deletedAt: number | undefined): void {
    if (deletedAt === undefined) this.#deleted.delete(id)
    else this.#deleted.set(id, deletedAt)
  }

  async #remove(id: string, at: number): Promise<void> {
    await this.#aside.remove(id)
    if (this.#deleted.get(id) === at) this.#deleted.delete(id)
  }
}
