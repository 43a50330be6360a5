import * as fs from 'node:fs'
import { type FileHandle, open, readdir, rename, unlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { DataError } from '../errors.js'

export interface OpenFile {
  /** Device and inode: differs for another file of the same name. */
  readonly identity: string
  write(bytes: Uint8Array, at: number): Promise<void>
  /** Returns once the bytes survive a loss of power. */
  writeAndSync(bytes: Uint8Array, at: number): Promise<void>
  /** Returns once all writes survive a loss of power. */
  flush(): Promise<void>
  truncate(size: number): Promise<void>
  close(): Promise<void>
}

export interface FileStat {
  readonly identity: string
  readonly size: number
}

/** The operations of a file system that the store needs. Tests replace it. */
export interface FileSystem {
  /** Undefined if there is no such file. */
  read(path: string): Promise<Buffer | undefined>
  /**
   * Creates a file: `empty` replaces any other of the name, `new` fails if there is one. With `through` each write
   * goes to the disk itself where the system has O_DSYNC, so that no flush is needed.
   */
  open(path: string, how: 'empty' | 'new', through?: 'through'): Promise<OpenFile>
  rename(from: string, to: string): Promise<void>
  /** Succeeds also if there is no such file. */
  remove(path: string): Promise<void>
  /** The content of a file, or the names in a folder, survive a loss of power once this returns. */
  flush(path: string): Promise<void>
  /** Names in a folder. */
  list(path: string): Promise<string[]>
  /** Undefined if there is no such file. */
  stat(path: string): Promise<FileStat | undefined>
}

export const nodeFileSystem: FileSystem = {
  read: async (path) => {
    try {
      const seen = await fs.promises.stat(path)
      if (!seen.isFile() && !seen.isDirectory()) throw noFile(path)
      return await fs.promises.readFile(path)
    } catch (error) {
      // The error of reading a folder names no path.
      return ifMissing(Object.assign(error as Error, { path }), undefined)
    }
  },
  open: async (path, how, through) => {
    const isThrough = through !== undefined && O_DSYNC !== undefined
    // The name may be a link, or another account's file.
    if (how === 'empty') await nodeFileSystem.remove(path)
    const handle = await open(path, isThrough ? CREATE | O_DSYNC : CREATE, PRIVATE)
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
  flush: async (path) => {
    // Windows opens no folders, and flushes no file that is opened for reading.
    if (process.platform === 'win32') return
    const handle = await open(path, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  },
  list: (path) => readdir(path),
  stat: async (path) => {
    // Each append asks three times. A trip through the thread pool takes ten times as long.
    const found = fs.statSync(path, { bigint: true, throwIfNoEntry: false })
    return found && { identity: `${found.dev}:${found.ino}`, size: Number(found.size) }
  },
}

/** Reading a pipe may never end. */
const noFile = (path: string): DataError =>
  new DataError(`${basename(path)} is not a file; remove it, or bring back the one that was there`)

const { O_RDWR, O_CREAT, O_EXCL } = fs.constants
/** On macOS it does not flush the cache of the disk. */
const O_DSYNC: number | undefined = process.platform === 'darwin' ? undefined : fs.constants.O_DSYNC
const CREATE = O_RDWR | O_CREAT | O_EXCL

/** The files hold names and addresses: they are for their owner only. */
const PRIVATE = 0o600

const ifMissing = <T>(error: unknown, otherwise: T): T => {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return otherwise
  throw error
}

const toOpenFile = (handle: FileHandle, identity: string, isThrough: boolean): OpenFile => {
  const write = (bytes: Uint8Array, at: number) =>
    new Promise<void>((done, fail) => writeAll(handle.fd, bytes, at, done, fail))
  return {
    identity,
    write,
    writeAndSync: async (bytes, at) => {
      await write(bytes, at)
      if (!isThrough) await handle.datasync()
    },
    flush: () => handle.datasync(),
    truncate: (size) => handle.truncate(size),
    close: () => handle.close(),
  }
}

/** A file system may write only a part. Callbacks cost less than promises: a log writes thousands of times per second. */
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
