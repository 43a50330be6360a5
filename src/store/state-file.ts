import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import type { Disk, DiskFile } from './disk.js'
import { checksum, isPrint, type Print } from './lines.js'
import { migrate } from './migrations.js'
import { parseEdited, parseWritten } from './parse-state.js'
import { Standing } from './standing.js'
import type { StoredState } from './state.js'
import { textOf } from './state-text.js'
import { type WrittenText, writeText } from './write-text.js'

/** The snapshot as a file that lowdb reads and writes: whole or not at all. */
export class StateFile implements Adapter<StoredState> {
  /** Of the file as it was last read or written. */
  print: Print | undefined
  /** Of the file as this program may have left it last. */
  written: readonly Print[] = []
  /** What stands in the file since it was written here. */
  #standing: WrittenText | undefined
  readonly #disk: Disk
  readonly #path: string
  readonly #name: string
  /** Waited for before what is new takes the place of what is there; it may refuse. */
  mayReplace: (print: Print) => Promise<void> = () => Promise.resolve()

  constructor(disk: Disk, path: string, name: string) {
    this.#disk = disk
    this.#path = path
    this.#name = name
  }

  /** Whether the file is as this program has left it. */
  get isAsWritten(): boolean {
    return this.written.some((print) => isPrint(print, this.print))
  }

  async read(): Promise<StoredState | null> {
    const bytes = await this.#disk.read(this.#path)
    if (bytes === undefined) return null
    this.print = { crc: checksum(bytes), size: bytes.length }
    const parse = this.isAsWritten ? parseWritten : parseEdited
    return migrate(parse(bytes, this.#name), this.#name)
  }

  async write(state: StoredState): Promise<void> {
    const beside = `${this.#path}.new`
    try {
      const written = (await this.#copied(state, beside)) ?? (await this.#made(state, beside))
      await this.mayReplace(written.print)
      await this.#disk.rename(beside, this.#path)
      // It is there from now on, whether that will outlast a loss of power or not.
      this.print = written.print
      this.#standing = written
      await this.#disk.flushFolder(dirname(this.#path))
    } catch (error) {
      await this.#disk.remove(beside).catch(() => {})
      throw error
    }
  }

  /** Lets go of the records of a layer, such as `worlds.default`: from here on they are not copied from the file. */
  forget(layer: string): void {
    const lists = this.#standing?.lists
    for (const path of lists?.keys() ?? []) if (path.startsWith(`${layer}.`)) lists?.delete(path)
  }

  #made(state: StoredState, path: string, standing?: Standing): Promise<WrittenText> {
    return writeText(this.#disk, path, textOf(state), standing)
  }

  /** Copies what has not changed from the file that is there; undefined when that fails, as when it was edited. */
  async #copied(state: StoredState, path: string): Promise<WrittenText | undefined> {
    if (!this.#standing) return undefined
    let file: DiskFile | undefined
    try {
      file = await this.#disk.open(this.#path, 'to read')
      const standing = new Standing(file, this.#standing)
      const written = await this.#made(state, path, standing)
      await standing.end()
      return written
    } catch {
      return undefined
    } finally {
      await file?.close()
    }
  }
}
