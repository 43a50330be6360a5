import type { FileStat, FileSystem, OpenFile } from '../../src/persistence/file/file-system.js'

interface Inode {
  readonly identity: string
  bytes: Buffer
}

export type Operation = 'write' | 'flush' | 'cut' | 'open' | 'rename' | 'read' | 'settle'

/** A disk in memory, which fails when a test wants it to and flushes when a test lets it. */
export class MemoryDisk implements FileSystem {
  readonly files = new Map<string, Inode>()
  /** The operations so far, such as `flush state.json.journal`: all logs have one name. */
  readonly done: string[] = []
  /** How many files are open. */
  handles = 0
  /** Throws to let an operation fail; may wait to let it take its time. */
  meanwhile: (operation: Operation, name: string) => void | Promise<void> = () => {}
  #inodes = 0

  text(path: string): string {
    return this.files.get(path)?.bytes.toString() ?? ''
  }

  /** Paths of the logs beside a data file, oldest first. */
  logs(file: string): string[] {
    const numberOf = (path: string) => Number(path.slice(path.lastIndexOf('.') + 1))
    const paths = [...this.files.keys()].filter((path) => path.startsWith(`${file}.journal.`))
    return paths.sort((a, b) => numberOf(a) - numberOf(b))
  }

  put(path: string, content: string | Buffer): void {
    this.files.set(path, this.#inode(Buffer.from(content)))
  }

  async read(path: string): Promise<Buffer | undefined> {
    await this.#do('read', path)
    const bytes = this.files.get(path)?.bytes
    return bytes && Buffer.from(bytes)
  }

  async open(path: string, how: 'empty' | 'new'): Promise<OpenFile> {
    await this.#do('open', path)
    if (how === 'new' && this.files.has(path)) {
      throw Object.assign(new Error(`EEXIST: file already exists, open ${path}`), {
        code: 'EEXIST',
      })
    }
    const inode = this.#inode(Buffer.alloc(0))
    this.files.set(path, inode)
    return this.#file(inode)
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#do('rename', to)
    const inode = this.files.get(from)
    if (!inode) throw new Error(`no file ${from}`)
    this.files.delete(from)
    this.files.set(to, inode)
  }

  async remove(path: string): Promise<void> {
    this.files.delete(path)
  }

  flush(path: string): Promise<void> {
    return this.#do(this.files.has(path) ? 'flush' : 'settle', path)
  }

  async list(folder: string): Promise<string[]> {
    return [...this.files.keys()]
      .filter((path) => path.startsWith(`${folder}/`))
      .map((path) => path.slice(folder.length + 1))
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const inode = this.files.get(path)
    if (!inode) return undefined
    return { identity: inode.identity, size: inode.bytes.length }
  }

  /** The same content on another disk, as after a crash. */
  copy(): MemoryDisk {
    const copy = new MemoryDisk()
    for (const [path, { bytes }] of this.files) copy.put(path, bytes)
    return copy
  }

  /** The same content for a file of another name, which nobody has locked. */
  copyAs(from: string, to: string): MemoryDisk {
    const copy = new MemoryDisk()
    for (const [path, { bytes }] of this.files) copy.put(path.replace(from, to), bytes)
    return copy
  }

  /** Holds what another one holds, and nothing else. */
  become({ files }: MemoryDisk): void {
    this.files.clear()
    for (const [path, { bytes }] of files) this.put(path, bytes)
  }

  #inode(bytes: Buffer): Inode {
    return { identity: String(++this.#inodes), bytes }
  }

  #file(inode: Inode): OpenFile {
    this.handles++
    let isClosed = false
    const assertOpen = () => {
      if (isClosed) throw new RangeError('a file that is closed')
    }
    // By the name that it has now: what was written beside has taken another's place.
    const path = () => [...this.files].find(([, it]) => it === inode)?.[0] ?? 'removed'
    const write = async (bytes: Uint8Array, at: number) => {
      assertOpen()
      await this.#do('write', path())
      const grown = Buffer.alloc(Math.max(inode.bytes.length, at + bytes.length))
      grown.set(inode.bytes)
      grown.set(bytes, at)
      inode.bytes = grown
    }
    return {
      identity: inode.identity,
      write,
      writeAndSync: async (bytes, at) => {
        await write(bytes, at)
        await this.#do('flush', path())
      },
      flush: () => this.#do('flush', path()),
      truncate: async (size) => {
        assertOpen()
        await this.#do('cut', path())
        inode.bytes = Buffer.from(inode.bytes.subarray(0, size))
      },
      close: async () => {
        isClosed = true
        this.handles--
      },
    }
  }

  async #do(operation: Operation, path: string): Promise<void> {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.journal\.\d+$/, '.journal')
    this.done.push(`${operation} ${name}`)
    await this.meanwhile(operation, name)
  }
}

/** The error of a full disk. */
export const noSpace = (): never => {
  throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' })
}
