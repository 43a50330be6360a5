import { dirname } from 'node:path'
import type { Adapter } from 'lowdb'
import type { Disk } from './disk.js'
import { checksum, isPrint, type Print } from './lines.js'
import { migrate } from './migrations.js'
import { parseJson, parseWritten } from './parse-state.js'
import type { StoredState } from './state.js'
import { textOf } from './state-text.js'
import { writeText } from './write-text.js'

/** The snapshot as a file that lowdb reads and writes: whole or not at all. */
export class StateFile implements Adapter<StoredState> {
  /** Of the file as it was last read or written. */
  print: Print | undefined
  /** Of the file as this program may have left it last. */
  written: readonly Print[] = []
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
    const parse = this.isAsWritten ? parseWritten : parseJson
    return migrate(parse(bytes, this.#name), this.#name)
  }

  async write(state: StoredState): Promise<void> {
    const beside = `${this.#path}.new`
    try {
      const print = await writeText(this.#disk, beside, textOf(state))
      await this.mayReplace(print)
      await this.#disk.rename(beside, this.#path)
      await this.#disk.flushFolder(dirname(this.#path))
      this.print = print
    } catch (error) {
      await this.#disk.remove(beside).catch(() => {})
      throw error
    }
  }
}
