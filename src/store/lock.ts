import { createHash, randomBytes } from 'node:crypto'
import { link, rename, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DataError } from './data-error.js'

/** A file that is this process's alone until it lets go of it, or ends in whatever way. */
export interface Lock {
  release(): Promise<void>
}

/** The longest path that a local socket can have everywhere. */
const LONGEST = 100
const ATTEMPTS = 20
/** Nobody answers there: who held it is gone. */
const STALE = new Set(['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'])

/**
 * Takes a file for this process. The lock is a local socket beside it that somebody listens on, which
 * ends with its process; what nobody listens on any more is taken over.
 */
export const lock = async (path: string, name: string): Promise<Lock> => {
  if (process.platform === 'win32') return lockPipe(path, name)
  for (const place of placesFor(path)) {
    const taken = await lockAt(place, name)
    if (taken) return taken
  }
  throw new DataError(`${name}: it cannot be locked: no local socket can be made beside it`)
}

/** Beside the file; where the path is too long, or no socket can be, in the folder for what is temporary. */
const placesFor = (path: string): string[] => {
  const beside = `${path}.lock`
  const elsewhere = join(tmpdir(), `sandramp-${digest(path)}.lock`)
  return Buffer.byteLength(beside) > LONGEST ? [elsewhere] : [beside, elsewhere]
}

const digest = (path: string): string =>
  createHash('sha256').update(path).digest('hex').slice(0, 24)

/** Undefined where no socket can be made. */
const lockAt = async (place: string, name: string): Promise<Lock | undefined> => {
  // It listens before it has the name that others look for, so that whoever finds it finds it alive.
  const own = `${place}${ownMark()}`
  const server = await listenAt(own).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EACCES' || error.code === 'EROFS') throw cannot(name, error)
    return undefined
  })
  if (!server) return undefined
  try {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      if (await isLinked(own, place)) return held(server, place)
      await clear(place, name)
    }
    throw inUse(name)
  } catch (error) {
    server.close()
    throw error
  } finally {
    await unlink(own).catch(() => {})
  }
}

/** Five characters, so that the name stays short. */
const ownMark = (): string => `.${randomBytes(2).toString('hex')}`

const isLinked = async (own: string, place: string): Promise<boolean> => {
  try {
    await link(own, place)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Takes a stale lock out of the way, or refuses. Another process may be about to do the same. */
const clear = async (place: string, name: string): Promise<void> => {
  if (await isAlive(place)) throw inUse(name)
  const grave = `${place}${ownMark()}`
  try {
    await rename(place, grave)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return
    throw error
  }
  // Somebody faster may have put a live one in its place between the look and the move: it goes back.
  const wasAlive = await isAlive(grave)
  if (wasAlive) await link(grave, place).catch(() => {})
  await unlink(grave)
  if (wasAlive) throw inUse(name)
}

const isAlive = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    // Whatever else keeps this process from connecting, such as another user's file, is no proof.
    socket.once('error', ({ code = '' }: NodeJS.ErrnoException) => resolve(!STALE.has(code)))
  })

const listenAt = (path: string): Promise<Server> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy())
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      server.unref()
      resolve(server)
    })
  })

const held = (server: Server, place: string): Lock => ({
  release: async () => {
    await unlink(place).catch(() => {})
    await closed(server)
  },
})

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
  })

/** A pipe's name is one process's alone, and Windows takes it back when that ends. */
const lockPipe = async (path: string, name: string): Promise<Lock> => {
  try {
    const server = await listenAt(`\\\\.\\pipe\\sandramp-${digest(path.toLowerCase())}`)
    return { release: () => closed(server) }
  } catch {
    throw inUse(name)
  }
}

const inUse = (name: string): DataError =>
  new DataError(`${name}: another Sandramp is using it; close that one, or give another file`)

const cannot = (name: string, error: Error): DataError =>
  new DataError(`${name}: it cannot be locked: ${error.message}`)
