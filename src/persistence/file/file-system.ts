import * as fs from 'node:fs'
import { type FileHandle, open, readdir, rename, unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { DataError } from '../errors.js'

/** An open file, written at places of one's own choice. */
export interface OpenFile {
  /** Tells the file from another one that has taken its name. */
  readonly identity: string
  write(bytes: Uint8Array, at: number): Promise<void>
  /** Writes, and comes back once that will outlast a loss of power. */
  writeAndSync(bytes: Uint8Array, at: number): Promise<void>
  /** Fills bytes with what stands at a place; answers how many there were. */
  read(into: Uint8Array, at: number): Promise<number>
  /** Comes back once all that was written will outlast a loss of power. */
  flush(): Promise<void>
  /** Cuts off what stands behind this place. */
  truncate(size: number): Promise<void>
  close(): Promise<void>
}

export interface FileStat {
  readonly identity: string
  readonly size: number
}

/** As much of a file system as keeping a state takes. */
export interface FileSystem {
  /** The whole of a file; undefined when there is none. */
  read(path: string): Promise<Buffer | undefined>
  /** The same at once, for a small file. */
  readNow(path: string): Buffer | undefined
  /**
   * Opens a file: an empty one in place of any that is there, or the one that is there, which it makes. With `through` each write goes to the disk itself where the system has
   * O_DSYNC, so that none has to be flushed.
   */
  open(path: string, how: 'empty' | 'as it is', through?: 'through'): Promise<OpenFile>
  rename(from: string, to: string): Promise<void>
  /** Removes a file; none there is as well. */
  remove(path: string): Promise<void>
  /** Makes renames within a folder outlast a loss of power. */
  flushFolder(path: string): Promise<void>
  makeFolder(path: string): void
  /** Names in a folder; none when it is not there. */
  list(path: string): Promise<string[]>
  /** What file has this name now, and how long it is; undefined when there is none. */
  stat(path: string): Promise<FileStat | undefined>
}

export const nodeFileSystem: FileSystem = {
  read: async (path) => {
    try {
      const seen = await fs.promises.stat(path)
      if (!seen.isFile() && !seen.isDirectory()) throw noFile(path)
      return await fs.promises.readFile(path)
    } catch (error) {
      // A folder can be opened: what reading it says names none.
      return ifMissing(Object.assign(error as Error, { path }), undefined)
    }
  },
  readNow: (path) => {
    try {
      return fs.readFileSync(path)
    } catch (error) {
      return ifMissing(error, undefined)
    }
  },
  open: async (path, how, through) => {
    const isThrough = through !== undefined && O_DSYNC !== undefined
    // What has the name may be a link to elsewhere, or another account's file, which it would go on being.
    if (how === 'empty') await nodeFileSystem.remove(path)
    const handle = await open(path, isThrough ? FLAGS[how] | O_DSYNC : FLAGS[how], PRIVATE)
    const { dev, ino } = await handle.stat({ bigint: true })
    return toOpenFile(handle, `${dev}:${ino}`, isThrough)
  },
  rename,
  remove: async (path) => {
    try {
      await unlink(path)
    } catch (error) {
      ifMissing(error, undefined)
    }
  },
  flushFolder: async (path) => {
    if (process.platform === 'win32') return
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
  makeFolder: (path) => void fs.mkdirSync(path, { recursive: true, mode: 0o700 }),
  list: async (path) => {
    try {
      return await readdir(path)
    } catch (error) {
      return ifMissing(error, [])
    }
  },
  stat: async (path) => {
    try {
      const { dev, ino, size } = await fs.promises.stat(path, { bigint: true })
      return { identity: `${dev}:${ino}`, size: Number(size) }
    } catch (error) {
      return ifMissing(error, undefined)
    }
  },
}

/** A pipe may have no end, or nobody who writes to it. */
const noFile = (path: string): DataError =>
  new DataError(`${basename(path)} is not a file; remove it, or bring back the one that was there`)

const { O_RDWR, O_CREAT, O_EXCL } = fs.constants
/** On macOS it leaves what is written in the disk's own memory, where a flush does not. */
const O_DSYNC: number | undefined = process.platform === 'darwin' ? undefined : fs.constants.O_DSYNC
const FLAGS = {
  empty: O_RDWR | O_CREAT | O_EXCL,
  'as it is': O_RDWR | O_CREAT,
}

/** A state holds names and addresses, if made-up ones: for its owner only. */
const PRIVATE = 0o600

const ifMissing = <T>(error: unknown, otherwise: T): T => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise
  throw error
}

/** By callbacks: a journal writes thousands of times in a second, and a handle's promises cost more. */
const toOpenFile = (handle: FileHandle, identity: string, isThrough: boolean): OpenFile => ({
  identity,
  write: (bytes, at) => new Promise((done, fail) => writeAll(handle.fd, bytes, at, done, fail)),
  writeAndSync: (bytes, at) =>
    new Promise((done, fail) => {
      const flush = () => fs.fdatasync(handle.fd, settle(done, fail))
      writeAll(handle.fd, bytes, at, isThrough ? done : flush, fail)
    }),
  read: (into, at) =>
    new Promise((done, fail) => {
      fs.read(handle.fd, into, 0, into.length, at, (error, count) =>
        error ? fail(error) : done(count),
      )
    }),
  flush: () => new Promise((done, fail) => fs.fdatasync(handle.fd, settle(done, fail))),
  truncate: (size) =>
    new Promise((done, fail) => fs.ftruncate(handle.fd, size, settle(done, fail))),
  close: () => handle.close(),
})

const settle =
  (done: () => void, fail: (error: Error) => void) =>
  (error: Error | null): void =>
    error ? fail(error) : done()

/** A file system may take a part; what is left goes behind it. */
const writeAll = (
  fd: number,
  bytes: Uint8Array,
  at: number,
  done: () => void,
  fail: (error: Error) => void,
): void => {
  fs.write(fd, bytes, 0, bytes.length, at, (error, count) => {
    if (error) fail(error)
    else if (count === bytes.length) done()
    else writeAll(fd, bytes.subarray(count), at + count, done, fail)
  })
}
