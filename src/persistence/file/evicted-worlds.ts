import { basename, join } from 'node:path'
import { DataError, errorMessage } from '../errors.js'
import type { StoredWorld } from '../stored-world.js'
import type { FileSystem } from './file-system.js'
import { parseState, writeState } from './state-file.js'
import { FORMAT } from './stored-state.js'
import { validateEvicted } from './validate.js'

const EXTENSION = '.json'
const UNFINISHED = '.new'
/** Other files in the folder stay untouched. */
const OWN_FILE = /^[0-9a-f]{32}\.json$/

/** Worlds that left memory: one file per world, in a folder beside the data file. */
export class EvictedWorlds {
  readonly #fs: FileSystem
  readonly #folder: string
  readonly #ids: Set<string>
  /**
   * Deleted worlds whose files are still there, each with a mark of its own. They count as missing. The files
   * go with the next compaction: until then the log says that the world was deleted.
   */
  readonly #deleted = new Map<string, symbol>()
  /** Settles once no file is being written or removed. */
  #busy: Promise<unknown> = Promise.resolve()

  private constructor(fs: FileSystem, folder: string, ids: readonly string[]) {
    this.#fs = fs
    this.#folder = folder
    this.#ids = new Set(ids)
  }

  static async open(fs: FileSystem, path: string): Promise<EvictedWorlds> {
    const folder = `${path}.worlds`
    const names = await fs.list(folder)
    const own = names.filter((name) => OWN_FILE.test(name))
    return new EvictedWorlds(
      fs,
      folder,
      own.map((name) => basename(name, EXTENSION)),
    )
  }

  has(id: string): boolean {
    return this.#ids.has(id) && !this.#deleted.has(id)
  }

  /** How messages name the file of a world. */
  nameOf(id: string): string {
    return join(basename(this.#folder), `${id}${EXTENSION}`)
  }

  /** A world as stored; undefined if it has no file. */
  async read(id: string): Promise<StoredWorld | undefined> {
    if (!this.has(id)) return undefined
    const name = this.nameOf(id)
    const bytes = await this.#readFile(id, name)
    if (!bytes) return undefined
    try {
      return validateEvicted(parseState(bytes, name), id, name)
    } catch (error) {
      throw new DataError({
        problem: errorMessage(error),
        hint: 'Repair the file, or remove it so that its world starts again',
      })
    }
  }

  async #readFile(id: string, name: string): Promise<Buffer | undefined> {
    try {
      return await this.#fs.read(this.#pathOf(id))
    } catch (error) {
      // The content of the file is unknown, so it does not count as damaged.
      const problem = `${name} cannot be read (${errorMessage(error)})`
      throw new DataError({ problem, hint: 'Retry' }, 'unavailable')
    }
  }

  /** Writes the file of a world, which survives a crash once this returns. */
  write(id: string, world: StoredWorld): Promise<void> {
    const path = this.#pathOf(id)
    const mark = this.#deleted.get(id)
    return this.#exclusive(async () => {
      this.#fs.makeFolder(this.#folder)
      try {
        const state = { format: FORMAT, worlds: { [id]: world } }
        await writeState(this.#fs, path + UNFINISHED, state)
        await this.#fs.rename(path + UNFINISHED, path)
      } catch (error) {
        await this.#fs.remove(path + UNFINISHED).catch(() => {})
        throw error
      }
      await this.#fs.flushFolder(this.#folder)
      this.#ids.add(id)
      // Unless the world was deleted meanwhile, the file is that of its present life.
      if (this.#deleted.get(id) === mark) this.#deleted.delete(id)
    })
  }

  markDeleted(id: string): void {
    this.#deleted.set(id, Symbol(id))
  }

  /** Removes the files of deleted worlds. A file that stays fails the compaction, which keeps the log. */
  async removeDeleted(): Promise<void> {
    if (this.#deleted.size === 0) return
    await this.#exclusive(async () => {
      for (const [id, mark] of [...this.#deleted]) {
        await this.#fs.remove(this.#pathOf(id))
        this.#ids.delete(id)
        if (this.#deleted.get(id) === mark) this.#deleted.delete(id)
      }
    })
  }

  /** Removes files that a crash left unfinished. */
  async removeUnfinished(): Promise<void> {
    for (const name of await this.#fs.list(this.#folder)) {
      if (!name.endsWith(UNFINISHED) || !OWN_FILE.test(basename(name, UNFINISHED))) continue
      await this.#fs.remove(join(this.#folder, name)).catch(() => {})
    }
  }

  /** Removes all files: their data file is gone. */
  removeAll(): Promise<void> {
    for (const id of this.#ids) this.markDeleted(id)
    return this.removeDeleted()
  }

  #exclusive<V>(act: () => Promise<V>): Promise<V> {
    const turn = this.#busy.then(act)
    this.#busy = turn.catch(() => {})
    return turn
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}${EXTENSION}`)
  }
}
