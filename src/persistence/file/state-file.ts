import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import type { FileSystem, OpenFile } from './file-system.js'
import { migrate } from './migrations.js'
import { parseStrict, parseTrusted } from './parse-state.js'
import { Standing } from './standing.js'
import type { StoredState } from './state.js'
import { formatState } from './state-text.js'
import { checksum, type Fingerprint, isPrint } from './wal-records.js'
import { type WrittenText, writeText } from './write-text.js'

/** The snapshot as a file that lowdb reads and writes: whole or not at all. */
export class StateFile implements Adapter<StoredState> {
  /** Of the file as it was last read or written. */
  print: Fingerprint | undefined
  /** Of the file as this program may have left it last. */
  written: readonly Fingerprint[] = []
  /** What stands in the file since it was written here. */
  #standing: WrittenText | undefined
  readonly #fs: FileSystem
  readonly #path: string
  readonly #name: string
  /** Waited for before what is new takes the place of what is there; it may refuse. */
  mayReplace: (print: Fingerprint) => Promise<void> = () => Promise.resolve()

  constructor(fs: FileSystem, path: string, name: string) {
    this.#fs = fs
    this.#path = path
    this.#name = name
  }

  /** Whether the file is as this program has left it. */
  get isAsWritten(): boolean {
    return this.written.some((print) => isPrint(print, this.print))
  }

  async read(): Promise<StoredState | null> {
    const bytes = await this.#fs.read(this.#path)
    if (bytes === undefined) return null
    this.print = { crc: checksum(bytes), size: bytes.length }
    const parse = this.isAsWritten ? parseTrusted : parseStrict
    return migrate(parse(bytes, this.#name), this.#name)
  }

  async write(state: StoredState): Promise<void> {
    const beside = `${this.#path}.new`
    try {
      const written = (await this.#copied(state, beside)) ?? (await this.#made(state, beside))
      await this.mayReplace(written.print)
      await this.#fs.rename(beside, this.#path)
      // It is there from now on, whether that will outlast a loss of power or not.
      this.print = written.print
      this.#standing = written
      await this.#fs.flushFolder(dirname(this.#path))
    } catch (error) {
      await this.#fs.remove(beside).catch(() => {})
      throw error
    }
  }

  /** Lets go of the records of a layer, such as `worlds.default`: from here on they are not copied from the file. */
  forget(layer: string): void {
    const lists = this.#standing?.lists
    for (const path of lists?.keys() ?? []) if (path.startsWith(`${layer}.`)) lists?.delete(path)
  }

  #made(state: StoredState, path: string, standing?: Standing): Promise<WrittenText> {
    return writeText(this.#fs, path, formatState(state), standing)
  }

  /** Copies what has not changed from the file that is there; undefined when that fails, as when it was edited. */
  async #copied(state: StoredState, path: string): Promise<WrittenText | undefined> {
    if (!this.#standing) return undefined
    let file: OpenFile | undefined
    try {
      file = await this.#fs.open(this.#path, 'to read')
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
