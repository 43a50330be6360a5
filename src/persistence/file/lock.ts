import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readdir, rename, stat, symlink, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { AppError, type ErrorDetails } from '../../lib/app-error.js'
import { FileError } from '../../lib/read-file.js'
import { DataError } from '../errors.js'

/** Exclusive use of a data file, until it is released or the process ends. */
export interface Lock {
  /** Takes the lock again if its socket was removed. Throws if another process has it. */
  renew(): Promise<void>
  release(): Promise<void>
}

/** The limit of a socket address is 103 bytes on macOS and 107 on Linux. */
const MAX_ADDRESS_BYTES = 100
/** A longer file name does not fit an address through a link in `/tmp`. */
const MAX_NAME_BYTES = 48
const SUFFIX_BYTES = 4
/** `.`, and two digits for each byte. */
const SUFFIX_LENGTH = 1 + 2 * SUFFIX_BYTES
const LISTENING = /^\.[0-9a-f]{8}$/
/** A socket before its rename. */
const STARTING = /^\.[0-9a-f]{8}\.[0-9a-f]{8}$/
/** A process that does not reply in this time is busy, and so alive. */
const REPLY_TIMEOUT_MS = 5_000
/** No process listens. */
const STALE = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'])
/** The process closed the connection. */
const HANG_UP = new Set(['ECONNRESET', 'EPIPE'])
const ATTEMPTS = 20

/**
 * Locks a file for this process, across containers that share the folder. Each candidate listens on a local
 * socket beside the file, with a random suffix, and queries all others. A process that has the lock refuses, and
 * so does a candidate with an earlier suffix. A socket ends with its process, so a crash releases the lock.
 */
export const lock = async (path: string, name: string): Promise<Lock> => {
  if (process.platform === 'win32') return lockPipe(path, name)
  const prefix = join(dirname(path), `${lockName(basename(path))}.lock`)
  const candidate = await Candidate.create(prefix, name)
  await candidate.acquire(name)
  return new SocketLock(prefix, name, candidate)
}

/** Derived from the file name only: containers may mount the folder at different paths. */
const lockName = (file: string): string =>
  Buffer.byteLength(file) > MAX_NAME_BYTES ? digest(file) : file

const digest = (path: string): string =>
  createHash('sha256').update(path).digest('hex').slice(0, 16)

/** Calls `act` with an address of the socket. A path that is too long is reached by a temporary link to its folder. */
const withAddress = async <T>(path: string, act: (address: string) => Promise<T>): Promise<T> => {
  if (Buffer.byteLength(path) <= MAX_ADDRESS_BYTES) return act(path)
  const link = await linkTo(path)
  try {
    return await act(join(link, basename(path)))
  } finally {
    await unlink(link).catch(() => {})
  }
}

/** Creates a link to the folder of a path. TMPDIR may be long itself, so it comes second. */
const linkTo = async (path: string): Promise<string> => {
  for (const parent of ['/tmp', tmpdir()]) {
    const link = join(parent, `sandramp${newSuffix()}`)
    if (Buffer.byteLength(join(link, basename(path))) > MAX_ADDRESS_BYTES) continue
    const isMade = await symlink(dirname(path), link).then(
      () => true,
      () => false,
    )
    if (isMade) return link
  }
  throw new FileError({
    problem:
      `${path} is too long for a local socket, and no short link to its folder can be made in /tmp ` +
      `or ${tmpdir()}`,
    expected: `at most ${MAX_ADDRESS_BYTES} bytes, or a writable /tmp`,
  })
}

const newSuffix = (): string => `.${randomBytes(SUFFIX_BYTES).toString('hex')}`

type Reply = 'taken' | 'free'

class Candidate {
  readonly #prefix: string
  readonly #suffix: string
  readonly #server: Server
  /** A candidate that yielded to another one cannot take the lock any more. */
  #state: 'waiting' | 'locked' | 'yielded' = 'waiting'

  private constructor(prefix: string, suffix: string, server: Server) {
    this.#prefix = prefix
    this.#suffix = suffix
    this.#server = server
    server.on('connection', (socket) => this.#reply(socket))
  }

  static async create(prefix: string, name: string): Promise<Candidate> {
    try {
      const candidate = (await Candidate.#listen(prefix)) ?? (await Candidate.#listen(prefix))
      if (candidate) return candidate
      throw new DataError(`${name}: it cannot be locked: its socket was removed twice; retry`)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined || error instanceof AppError) throw error
      if (code !== 'EACCES' && code !== 'EROFS') throw new FileError(noSocket(name, code))
      // A missing folder and one that is not writable give the same code.
      if (!existsSync(dirname(prefix))) {
        throw new FileError({
          problem: `${name} cannot be locked: the folder ${dirname(prefix)} is gone`,
          expected: 'an existing folder',
        })
      }
      throw new FileError({
        problem: `${name} cannot be locked: its folder is not writable (${code})`,
        expected: 'a file in a writable folder',
      })
    }
  }

  /** Undefined if another candidate removed the socket before it listened. */
  static async #listen(prefix: string): Promise<Candidate | undefined> {
    const suffix = newSuffix()
    // The socket listens before its rename, so others never find it dead.
    const early = `${prefix}${suffix}${newSuffix()}`
    const server = await withAddress(early, listenAt)
    const candidate = new Candidate(prefix, suffix, server)
    try {
      await rename(early, prefix + suffix)
      return candidate
    } catch (error) {
      await closeServer(server)
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** Queries all others, except one of this process that it replaces. Throws if one of them has the lock. */
  async acquire(name: string, before?: Candidate): Promise<void> {
    const all = await this.#suffixes()
    for (const suffix of all.filter((it) => LISTENING.test(it))) {
      if (suffix === this.#suffix || (before && suffix === before.#suffix)) continue
      const reply = await this.#query(suffix)
      if (reply === 'taken') return this.#fail(name)
      if (reply === undefined) await this.#removeStale(suffix)
    }
    if (this.#state === 'yielded') return this.#fail(name)
    this.#state = 'locked'
    for (const suffix of all.filter((it) => STARTING.test(it))) {
      if ((await this.#query(suffix)) === undefined) await this.#removeStale(suffix)
    }
  }

  /** Whether the socket was removed. Other errors prove nothing. */
  isGone(): Promise<boolean> {
    return stat(this.#prefix + this.#suffix).then(
      () => false,
      ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
    )
  }

  async #fail(name: string): Promise<never> {
    await this.close()
    throw inUse(name)
  }

  async #removeStale(suffix: string): Promise<void> {
    await unlink(this.#prefix + suffix).catch(() => {})
  }

  /** The suffixes of all candidates. */
  async #suffixes(): Promise<string[]> {
    const start = basename(this.#prefix)
    const names = await readdir(dirname(this.#prefix))
    return names.filter((it) => it.startsWith(start)).map((it) => it.slice(start.length))
  }

  /** Undefined if the other candidate is gone. */
  async #query(suffix: string): Promise<Reply | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const reply = await withAddress(this.#prefix + suffix, (address) => this.#connect(address))
      if (reply === 'gone') return undefined
      // A candidate that hangs up is about to close: the next attempt finds it gone.
      if (reply !== '') return reply === 'free' ? 'free' : 'taken'
    }
    return 'taken'
  }

  /** The reply; `gone` if no process listens, empty if it hangs up. */
  #connect(address: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(address)
      let reply = ''
      socket.setTimeout(REPLY_TIMEOUT_MS, () => {
        resolve('busy')
        socket.destroy()
      })
      socket.setEncoding('utf8').on('data', (text: string) => {
        reply += text
      })
      socket.once('connect', () => socket.end(this.#suffix))
      socket.once('close', () => resolve(reply))
      socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
        if (STALE.has(code)) resolve('gone')
        // Any other error, such as another user's socket, does not prove that the process is gone.
        else if (!HANG_UP.has(code)) resolve(code)
      })
    })
  }

  #reply(socket: Socket): void {
    let suffix = ''
    socket.setTimeout(REPLY_TIMEOUT_MS, () => socket.destroy())
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text: string) => {
      suffix += text
      if (suffix.length >= SUFFIX_LENGTH) socket.end(this.#decide(suffix))
    })
  }

  #decide(suffix: string): Reply {
    if (this.#state === 'locked') return 'taken'
    if (this.#state === 'waiting' && this.#suffix < suffix) return 'taken'
    this.#state = 'yielded'
    return 'free'
  }

  async close(): Promise<void> {
    await unlink(this.#prefix + this.#suffix).catch(() => {})
    await closeServer(this.#server)
  }
}

/** The lock of this process. Its socket may be removed together with the data files. */
class SocketLock implements Lock {
  readonly #prefix: string
  readonly #name: string
  #candidate: Candidate
  /** Settles, and never fails, after the last operation. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(prefix: string, name: string, candidate: Candidate) {
    this.#prefix = prefix
    this.#name = name
    this.#candidate = candidate
  }

  renew(): Promise<void> {
    return this.#inTurn(() => this.#renew())
  }

  release(): Promise<void> {
    return this.#inTurn(() => this.#candidate.close())
  }

  /** Two renewals at once would compete, and one would fail. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(act)
    this.#last = turn.catch(() => {})
    return turn
  }

  async #renew(): Promise<void> {
    if (!(await this.#candidate.isGone())) return
    const next = await Candidate.create(this.#prefix, this.#name)
    await next.acquire(this.#name, this.#candidate)
    await this.#candidate.close()
    this.#candidate = next
  }
}

const noSocket = (name: string, code: string): ErrorDetails => ({
  problem: `${name} cannot be locked: no local socket can be made beside it (${code})`,
  expected: 'a file on a file system with sockets, such as a local disk or a Docker volume',
})

const listenAt = async (path: string): Promise<Server> => {
  const server = createServer({ allowHalfOpen: true }).listen(path)
  await once(server, 'listening')
  return server.unref()
}

const closeServer = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
  })

/** Windows gives the name of a pipe to one process at a time. */
const lockPipe = async (path: string, name: string): Promise<Lock> => {
  try {
    const server = await listenAt(`\\\\.\\pipe\\sandramp-${digest(path.toLowerCase())}`)
    return { renew: async () => {}, release: () => closeServer(server) }
  } catch {
    throw inUse(name)
  }
}

/** Another process has the lock. */
export class LockedError extends DataError {}

const inUse = (name: string): DataError =>
  new LockedError(`${name}: another Sandramp is using it; close that one, or give another file`)
