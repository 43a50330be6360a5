import { createHash, randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readdir, rename, stat, symlink, unlink } from 'node:fs/promises'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { AppError, type ErrorDetails } from '../../lib/app-error.js'
import { FileError } from '../../lib/read-file.js'
import { DataError } from '../errors.js'

/** A file that is this process's alone until it lets go of it, or ends in whatever way. */
export interface Lock {
  /** Takes it once more if somebody has removed what it hangs on. Throws when another process has it now. */
  renew(): Promise<void>
  release(): Promise<void>
}

/** Bytes of a socket's address: macOS takes 103, Linux 107. */
const MAX_ADDRESS_BYTES = 100
/** Bytes of a file name that still fit an address by a link in `/tmp`. */
const MAX_NAME_BYTES = 48
const MARK_BYTES = 4
/** `.`, and two digits for each byte. */
const MARK_LENGTH = 1 + 2 * MARK_BYTES
const MARK = /^\.[0-9a-f]{8}$/
/** Of one that listens, and has not its name yet. */
const WAITING = /^\.[0-9a-f]{8}\.[0-9a-f]{8}$/
/** Who does not answer in this time is busy, and so alive. */
const PATIENCE_MS = 5_000
/** Nobody listens there any more. */
const STALE = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'])
/** It hung up. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE'])
const ATTEMPTS = 20

/**
 * Takes a file for this process. Whoever wants it listens on a local socket beside it, under a name that
 * nobody had before, and asks all others there: it is refused by one that has the file, or wants it under a
 * name that comes earlier. A socket ends with its process, so that what a crash leaves refuses nobody.
 */
export const lock = async (path: string, name: string): Promise<Lock> => {
  if (process.platform === 'win32') return lockPipe(path, name)
  const place = join(dirname(path), `${lockName(basename(path))}.lock`)
  const candidate = await Candidate.stand(place, name)
  await candidate.win(name)
  return new SocketLock(place, name, candidate)
}

/** Depends on the file's name alone: two containers may mount one folder at different paths. */
const lockName = (file: string): string =>
  Buffer.byteLength(file) > MAX_NAME_BYTES ? digest(file) : file

const digest = (path: string): string =>
  createHash('sha256').update(path).digest('hex').slice(0, 16)

/**
 * Calls `act` with a path to the same socket that fits into an address. A path that is too long goes by a
 * link to its folder, which only this call needs: the socket itself lies in the folder that the link names.
 */
const withAddress = async <T>(path: string, act: (address: string) => Promise<T>): Promise<T> => {
  if (Buffer.byteLength(path) <= MAX_ADDRESS_BYTES) return act(path)
  const link = await linkTo(path)
  try {
    return await act(join(link, basename(path)))
  } finally {
    await unlink(link).catch(() => {})
  }
}

/** A link to the folder of a path. TMPDIR may be long itself, so it comes second. */
const linkTo = async (path: string): Promise<string> => {
  for (const parent of ['/tmp', tmpdir()]) {
    const link = join(parent, `sandramp${newMark()}`)
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

const newMark = (): string => `.${randomBytes(MARK_BYTES).toString('hex')}`

type Reply = 'mine' | 'yours'

class Candidate {
  readonly #place: string
  readonly #mark: string
  readonly #server: Server
  /** Once it has the file it yields to nobody; once it has yielded it takes the file no more. */
  #state: 'wants' | 'has' | 'yielded' = 'wants'

  private constructor(place: string, mark: string, server: Server) {
    this.#place = place
    this.#mark = mark
    this.#server = server
    server.on('connection', (socket) => this.#answer(socket))
  }

  /** Throws where no socket can be made beside the file. */
  static async stand(place: string, name: string): Promise<Candidate> {
    try {
      const candidate = (await Candidate.#listening(place)) ?? (await Candidate.#listening(place))
      if (candidate) return candidate
      throw new DataError(`${name}: it cannot be locked: its socket was removed twice; retry`)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === undefined || error instanceof AppError) throw error
      if (code !== 'EACCES' && code !== 'EROFS') throw new FileError(noSocket(name, code))
      // A socket tells a folder that is gone like one that nothing may be made in.
      if (!existsSync(dirname(place))) {
        throw new FileError({
          problem: `${name} cannot be locked: the folder ${dirname(place)} is gone`,
          expected: 'an existing folder',
        })
      }
      throw new FileError({
        problem: `${name} cannot be locked: its folder is not writable (${code})`,
        expected: 'a file in a writable folder',
      })
    }
  }

  /** Undefined when another one took its socket, which was about to listen, for what a crash has left. */
  static async #listening(place: string): Promise<Candidate | undefined> {
    const mark = newMark()
    // It listens before it has the name that others look for, so that whoever finds it finds it alive.
    const early = `${place}${mark}${newMark()}`
    const server = await withAddress(early, listenAt)
    const candidate = new Candidate(place, mark, server)
    try {
      await rename(early, place + mark)
      return candidate
    } catch (error) {
      await closed(server)
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw error
    }
  }

  /** Asks all others, but for one of this process that it takes the place of; has the lock then, or throws. */
  async win(name: string, before?: Candidate): Promise<void> {
    const all = await this.#marks()
    for (const mark of all.filter((it) => MARK.test(it))) {
      if (mark === this.#mark || (before && mark === before.#mark)) continue
      const reply = await this.#ask(mark)
      if (reply === 'mine') return this.#lose(name)
      if (reply === undefined) await this.#clear(mark)
    }
    if (this.#state === 'yielded') return this.#lose(name)
    this.#state = 'has'
    for (const mark of all.filter((it) => WAITING.test(it))) {
      if ((await this.#ask(mark)) === undefined) await this.#clear(mark)
    }
  }

  /** Whether others find it no more. A system that cannot tell has not said so. */
  isGone(): Promise<boolean> {
    return stat(this.#place + this.#mark).then(
      () => false,
      ({ code }: NodeJS.ErrnoException) => code === 'ENOENT',
    )
  }

  async #lose(name: string): Promise<never> {
    await this.leave()
    throw inUse(name)
  }

  /** Removes what a crash has left. */
  async #clear(mark: string): Promise<void> {
    await unlink(this.#place + mark).catch(() => {})
  }

  /** How names end that begin as those of all who want the file. */
  async #marks(): Promise<string[]> {
    const start = basename(this.#place)
    const names = await readdir(dirname(this.#place))
    return names.filter((it) => it.startsWith(start)).map((it) => it.slice(start.length))
  }

  /** Asks another one whose the file is; undefined when it is there no more. */
  async #ask(mark: string): Promise<Reply | undefined> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const heard = await withAddress(this.#place + mark, (address) => this.#hear(address))
      if (heard === 'gone') return undefined
      // One that hangs up without a word is about to leave: the next try finds it gone.
      if (heard !== '') return heard === 'yours' ? 'yours' : 'mine'
    }
    return 'mine'
  }

  /** What another one says; `gone` when nobody listens there, nothing when it hangs up. */
  #hear(address: string): Promise<string> {
    return new Promise((resolve) => {
      const socket = connect(address)
      let heard = ''
      socket.setTimeout(PATIENCE_MS, () => {
        resolve('busy')
        socket.destroy()
      })
      socket.setEncoding('utf8').on('data', (text: string) => {
        heard += text
      })
      socket.once('connect', () => socket.end(this.#mark))
      socket.once('close', () => resolve(heard))
      socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => {
        if (STALE.has(code)) resolve('gone')
        // Whatever else keeps this process from connecting, such as another user's file, is no proof.
        else if (!BROKEN.has(code)) resolve(code)
      })
    })
  }

  #answer(socket: Socket): void {
    let mark = ''
    socket.setTimeout(PATIENCE_MS, () => socket.destroy())
    socket.on('error', () => {})
    socket.setEncoding('utf8').on('data', (text: string) => {
      mark += text
      if (mark.length >= MARK_LENGTH) socket.end(this.#replyTo(mark))
    })
  }

  #replyTo(mark: string): Reply {
    if (this.#state === 'has') return 'mine'
    if (this.#state === 'wants' && this.#mark < mark) return 'mine'
    this.#state = 'yielded'
    return 'yours'
  }

  async leave(): Promise<void> {
    await unlink(this.#place + this.#mark).catch(() => {})
    await closed(this.#server)
  }
}

/** A lock that was won. Its socket may be removed with the files that it stands beside. */
class SocketLock implements Lock {
  readonly #place: string
  readonly #name: string
  #candidate: Candidate
  /** Settles, and never fails, once all that was asked for so far is done. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(place: string, name: string, candidate: Candidate) {
    this.#place = place
    this.#name = name
    this.#candidate = candidate
  }

  renew(): Promise<void> {
    return this.#inTurn(() => this.#renew())
  }

  release(): Promise<void> {
    return this.#inTurn(() => this.#candidate.leave())
  }

  /** Two renewals at once would stand against each other, and one would lose. */
  #inTurn(act: () => Promise<void>): Promise<void> {
    const turn = this.#last.then(act)
    this.#last = turn.catch(() => {})
    return turn
  }

  async #renew(): Promise<void> {
    if (!(await this.#candidate.isGone())) return
    const next = await Candidate.stand(this.#place, this.#name)
    await next.win(this.#name, this.#candidate)
    await this.#candidate.leave()
    this.#candidate = next
  }
}

const noSocket = (name: string, code: string): ErrorDetails => ({
  problem: `${name} cannot be locked: no local socket can be made beside it (${code})`,
  expected: 'a file on a file system with sockets, such as a local disk or a Docker volume',
})

const listenAt = (path: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer({ allowHalfOpen: true })
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      server.unref()
      resolve(server)
    })
  })

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
  })

/** A pipe's name is one process's alone, and Windows takes it back when that ends. */
const lockPipe = async (path: string, name: string): Promise<Lock> => {
  try {
    const server = await listenAt(`\\\\.\\pipe\\sandramp-${digest(path.toLowerCase())}`)
    return { renew: async () => {}, release: () => closed(server) }
  } catch {
    throw inUse(name)
  }
}

/** Another process has the file. */
export class LockedError extends DataError {}

const inUse = (name: string): DataError =>
  new LockedError(`${name}: another Sandramp is using it; close that one, or give another file`)
