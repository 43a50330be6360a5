import { basename } from 'node:path'
import type { FileStat, FileSystem, OpenFile } from '../../src/worlds/file/file-system.js'

interface Inode {
  readonly identity: string
  bytes: Buffer
}

type NameChange =
  | { readonly is: 'open'; readonly name: string; readonly identity: string }
  | { readonly is: 'rename'; readonly name: string; readonly to: string }
  | { readonly is: 'remove'; readonly name: string }
  | { readonly is: 'settle' }

type ContentChange =
  | { readonly is: 'write'; readonly inode: string; readonly at: number; readonly bytes: Buffer }
  | { readonly is: 'cut'; readonly inode: string; readonly size: number }
  | { readonly is: 'flush'; readonly inode: string }

/** `flush` makes the content of a file durable, `settle` the names in the folder. */
export type DiskChange = NameChange | ContentChange

export type Operation = DiskChange['is'] | 'read'

let inodes = 0

/**
 * A disk in memory, which fails when a test wants it to and flushes when a test lets it. It has one folder: paths of
 * several folders lead to the same files, as bind mounts do.
 */
export class MemoryDisk implements FileSystem {
  /** By name. */
  readonly files = new Map<string, Inode>()
  /** All changes so far: `crashed-disk.ts` makes an earlier disk of them. */
  readonly changes: DiskChange[] = []
  /** The operations so far, such as `flush state.json.journal`: all logs have one name. */
  readonly done: string[] = []
  /** How many files are open. */
  handles = 0
  /** Throws to let an operation fail; may wait to let it take its time. */
  meanwhile: (operation: Operation, name: string) => void | Promise<void> = () => {}
  readonly #inodes = new Map<string, Inode>()

  text(path: string): string {
    return this.files.get(basename(path))?.bytes.toString() ?? ''
  }

  /** Names of the logs, oldest first. */
  get logs(): string[] {
    const numberOf = (name: string) => Number(name.slice(name.lastIndexOf('.') + 1))
    const names = [...this.files.keys()].filter((name) => name.includes('.journal.'))
    return names.sort((a, b) => numberOf(a) - numberOf(b))
  }

  put(path: string, content: string | Buffer): void {
    const inode = String(++inodes)
    this.apply({ is: 'open', name: basename(path), identity: inode })
    this.apply({ is: 'write', inode, at: 0, bytes: Buffer.from(content) })
    this.apply({ is: 'flush', inode })
    this.apply({ is: 'settle' })
  }

  async read(path: string): Promise<Buffer | undefined> {
    await this.#do('read', path)
    const bytes = this.files.get(basename(path))?.bytes
    return bytes && Buffer.from(bytes)
  }

  async open(path: string, how: 'empty' | 'new'): Promise<OpenFile> {
    if (how === 'empty') await this.remove(path)
    await this.#do('open', path)
    const name = basename(path)
    if (this.files.has(name)) throw systemError('EEXIST', 'file already exists, open')
    const identity = String(++inodes)
    this.apply({ is: 'open', name, identity })
    return this.#file(this.#inode(identity))
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#do('rename', to, { is: 'rename', name: basename(from), to: basename(to) })
  }

  async remove(path: string): Promise<void> {
    const name = basename(path)
    if (this.files.has(name)) await this.#do('remove', path, { is: 'remove', name })
  }

  flush(path: string): Promise<void> {
    const inode = this.files.get(basename(path))?.identity
    return inode === undefined
      ? this.#do('settle', path, { is: 'settle' })
      : this.#do('flush', path, { is: 'flush', inode })
  }

  async list(): Promise<string[]> {
    return [...this.files.keys()]
  }

  async stat(path: string): Promise<FileStat | undefined> {
    const inode = this.files.get(basename(path))
    return inode && { identity: inode.identity, size: inode.bytes.length }
  }

  /** The same content on another disk, as after a crash. */
  copy(): MemoryDisk {
    const copy = new MemoryDisk()
    for (const [name, { bytes }] of this.files) copy.put(name, bytes)
    return copy
  }

  /** Holds what another one holds, and nothing else. */
  become({ files }: MemoryDisk): void {
    this.files.clear()
    for (const [name, { bytes }] of files) this.put(name, bytes)
  }

  apply(change: DiskChange): void {
    if (change.is === 'rename' && !this.files.has(change.name)) {
      throw systemError('ENOENT', 'no such file or directory, rename')
    }
    this.changes.push(change)
    if (change.is === 'open') this.files.set(change.name, this.#inode(change.identity))
    else if (change.is === 'remove') this.files.delete(change.name)
    else if (change.is === 'rename') {
      const inode = this.files.get(change.name)
      this.files.delete(change.name)
      if (inode) this.files.set(change.to, inode)
    } else if (change.is === 'write') {
      const inode = this.#inode(change.inode)
      const grown = Buffer.alloc(Math.max(inode.bytes.length, change.at + change.bytes.length))
      grown.set(inode.bytes)
      grown.set(change.bytes, change.at)
      inode.bytes = grown
    } else if (change.is === 'cut') {
      const inode = this.#inode(change.inode)
      inode.bytes = inode.bytes.subarray(0, change.size)
    }
  }

  #inode(identity: string): Inode {
    const inode = this.#inodes.get(identity) ?? { identity, bytes: Buffer.alloc(0) }
    this.#inodes.set(identity, inode)
    return inode
  }

  #file({ identity }: Inode): OpenFile {
    this.handles++
    let isClosed = false
    const change = async (it: ContentChange) => {
      if (isClosed) throw new RangeError('a file that is closed')
      // By the name that it has now: what was written beside has taken another's place.
      const named = [...this.files].find(([, inode]) => inode.identity === identity)
      await this.#do(it.is, named?.[0] ?? 'removed', it)
    }
    const write = (bytes: Uint8Array, at: number) =>
      change({ is: 'write', inode: identity, at, bytes: Buffer.from(bytes) })
    const flush = () => change({ is: 'flush', inode: identity })
    return {
      identity,
      write,
      flush,
      writeAndSync: async (bytes, at) => {
        await write(bytes, at)
        await flush()
      },
      truncate: (size) => change({ is: 'cut', inode: identity, size }),
      close: async () => {
        isClosed = true
        this.handles--
      },
    }
  }

  async #do(operation: Operation, path: string, change?: DiskChange): Promise<void> {
    const name = basename(path).replace(/\.journal\.\d+$/, '.journal')
    this.done.push(`${operation} ${name}`)
    try {
      await this.meanwhile(operation, name)
    } catch (error) {
      if (change?.is === 'write') {
        this.apply({ ...change, bytes: change.bytes.subarray(0, change.bytes.length / 2) })
      }
      throw error
    }
    if (change) this.apply(change)
  }
}

export const systemError = (code: string, what: string): Error =>
  Object.assign(new Error(`${code}: ${what}`), { code })

/** The error of a full disk. */
export const noSpace = (): never => {
  throw systemError('ENOSPC', 'no space left on device, write')
}
