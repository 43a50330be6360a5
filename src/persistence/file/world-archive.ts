import { basename, join } from 'node:path'
import type { World } from '../../domain/world.js'
import { errorMessage, TemporarilyUnreadableError } from '../errors.js'
import type { FileSystem } from './file-system.js'
import { parseSnapshot, writeSnapshot } from './snapshot.js'
import { FORMAT, type Reopened, reopenWorld, type StoredWorld } from './state.js'
import { validateArchive } from './validate.js'

/** A world that was put aside, and how many lines of the journal are in it. */
export interface ArchivedWorld {
  readonly line: number
  readonly world: Reopened
}

const ENDING = '.json'
/** Whatever else lies there is not ours to read or remove. */
const OWN = /^[0-9a-f]{32}\.json$/
/** What is being written, until it is whole and takes its place. */
const BEGUN = '.new'

/** Worlds that nobody uses now: each in a small file of its own, in a folder beside the data file. */
export class WorldArchiveFolder {
  readonly #fs: FileSystem
  readonly #folder: string
  readonly #ids: Set<string>
  /** Files that a crash has kept from becoming whole. */
  readonly #torn: readonly string[]

  private constructor(fs: FileSystem, folder: string, names: readonly string[]) {
    this.#fs = fs
    this.#folder = folder
    const own = names.filter((name) => OWN.test(name))
    this.#ids = new Set(own.map((name) => basename(name, ENDING)))
    this.#torn = names.filter((name) => name.endsWith(BEGUN) && OWN.test(basename(name, BEGUN)))
  }

  static async open(fs: FileSystem, path: string): Promise<WorldArchiveFolder> {
    const folder = `${path}.worlds`
    return new WorldArchiveFolder(fs, folder, await fs.list(folder))
  }

  get ids(): ReadonlySet<string> {
    return this.#ids
  }

  /**
   * Writes a world down, once the lines are written that it holds: what could still be taken back must
   * be in no file. It is safe when this comes back.
   */
  async put(
    id: string,
    line: number,
    world: StoredWorld,
    written: Promise<void> | undefined,
  ): Promise<void> {
    const path = this.#pathOf(id)
    const beside = `${path}${BEGUN}`
    this.#fs.makeFolder(this.#folder)
    try {
      await writeSnapshot(this.#fs, beside, { format: FORMAT, line, worlds: { [id]: world } })
      await written
      await this.#fs.rename(beside, path)
    } catch (error) {
      await this.#fs.remove(beside).catch(() => {})
      throw error
    }
    await this.#fs.flushFolder(this.#folder)
    this.#ids.add(id)
  }

  /** The world as it was put aside; undefined when it was not. */
  find(id: string, base: World): ArchivedWorld | undefined {
    if (!this.#ids.has(id)) return undefined
    const name = this.nameOf(id)
    const bytes = this.#bytesOf(id, name)
    if (!bytes) return undefined
    const state = parseSnapshot(bytes, name)
    const stored = validateArchive(state, id, name)
    const world = reopenWorld(stored, base.tables)
    return { line: state.line, world }
  }

  /** How messages name its file. */
  nameOf(id: string): string {
    return join(basename(this.#folder), `${id}${ENDING}`)
  }

  #bytesOf(id: string, name: string): Buffer | undefined {
    try {
      return this.#fs.readNow(this.#pathOf(id))
    } catch (error) {
      throw new TemporarilyUnreadableError(
        `${name} cannot be read (${errorMessage(error)}); retry when it can`,
      )
    }
  }

  async remove(id: string): Promise<void> {
    this.#ids.delete(id)
    await this.#fs.remove(this.#pathOf(id))
  }

  /** Removes what a crash has left that is no world. A file that cannot be removed harms nobody. */
  async clear(): Promise<void> {
    for (const name of this.#torn) {
      await this.#fs.remove(join(this.#folder, name)).catch(() => {})
    }
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}${ENDING}`)
  }
}
