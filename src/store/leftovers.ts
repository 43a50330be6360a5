import type { AsideFolder } from './aside.js'

/** Files of worlds that are not as the worlds are now, and stay until the journal needs them no more: it is folded then. */
export class Leftovers {
  readonly #aside: AsideFolder
  /** Worlds that a fork was made from, by the line of it: until that is in the snapshot their files stay as they are. */
  readonly #sources = new Map<string, number>()
  /** Deleted worlds whose files the journal goes on from, by the line that says so. */
  readonly #deleted = new Map<string, number>()
  /** Worlds whose files are being written: such a file may come only after it was removed. */
  readonly #written = new Set<string>()

  constructor(aside: AsideFolder) {
    this.#aside = aside
  }

  /** The deleted worlds. */
  get deleted(): string[] {
    return [...this.#deleted.keys()]
  }

  /** Hides a world that is in no list any more from this line on; answers how it is found again. */
  leaveOut(id: string, line: number): () => void {
    const findAgain = this.#aside.hide(id)
    this.#deleted.set(id, line)
    return () => {
      this.#deleted.delete(id)
      findAgain()
    }
  }

  /** The file is to be that of a world again, once it is written. */
  async takeIn(id: string, write: () => Promise<void>): Promise<void> {
    this.#deleted.delete(id)
    this.#written.add(id)
    try {
      await write()
    } finally {
      this.#written.delete(id)
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
  async letGo(line: number): Promise<void> {
    for (const [id, at] of this.#sources) if (at <= line) this.#sources.delete(id)
    for (const [id, at] of this.#deleted) {
      if (at > line || this.#written.has(id)) continue
      try {
        await this.#aside.remove(id)
      } catch {
        continue
      }
      if (this.#deleted.get(id) === at) this.#deleted.delete(id)
    }
  }
}
