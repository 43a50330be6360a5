import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { symlink, unlink } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { basename, dirname, join } from 'node:path'
import { FileError } from '../../lib/read-file.js'
import { DataError } from '../errors.js'

export type Release = () => Promise<void>

/** Another process uses the data file. */
export class LockedError extends DataError {}

/** The limit of a socket address is 103 bytes on macOS and 107 on Linux. */
const MAX_ADDRESS_BYTES = 100
const IS_WINDOWS = process.platform === 'win32'
/** No process listens. */
const DEAD = new Set(['ECONNREFUSED', 'ENOENT'])

/**
 * Locks a file until it is released or the process ends, by a local socket beside it, across containers that share the
 * folder. A socket ends with its process, so a crash releases the lock. Two processes that no socket connects find each other by their logs.
 */
export const lock = async (path: string, name: string): Promise<Release> => {
  const { address, link } = await addressOf(path)
  try {
    const server = (await listen(address)) ?? (await takeOver(address))
    if (!server) throw inUse(name)
    return () => new Promise((resolve) => void server.close(() => resolve()))
  } catch (error) {
    throw error instanceof LockedError ? error : noSocket(name, error as NodeJS.ErrnoException)
  } finally {
    if (link !== undefined) await unlink(link)
  }
}

/** A path that is too long is reached by a link to its folder, which only the start needs. */
const addressOf = async (path: string): Promise<{ address: string; link?: string }> => {
  if (IS_WINDOWS) {
    return { address: `\\\\.\\pipe\\sandramp-${path.toLowerCase().replaceAll('\\', '-')}` }
  }
  const socket = `${path}.lock`
  if (Buffer.byteLength(socket) <= MAX_ADDRESS_BYTES) return { address: socket }
  const link = `/tmp/sandramp.${randomBytes(4).toString('hex')}`
  await symlink(dirname(socket), link)
  return { address: join(link, basename(socket)), link }
}

/** Undefined if a socket is there already. Its process may be gone. */
const listen = async (address: string): Promise<Server | undefined> => {
  const server = createServer((socket) => socket.destroy()).listen(address)
  try {
    await once(server, 'listening')
    return server.unref()
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
    throw error
  }
}

/** Two starts may both replace a dead socket. Only one of them creates the next log. */
const takeOver = async (address: string): Promise<Server | undefined> => {
  if (IS_WINDOWS || !(await isDead(address))) return undefined
  await unlink(address).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
  return listen(address)
}

const isDead = (address: string): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const socket = connect(address, () => {
      socket.destroy()
      resolve(false)
    })
    socket.once('error', (error: NodeJS.ErrnoException) => {
      const { code = '' } = error
      // Its process does not accept more connections at the moment.
      if (DEAD.has(code) || code === 'EAGAIN') resolve(DEAD.has(code))
      else reject(error)
    })
  })

const inUse = (name: string): LockedError =>
  new LockedError(`${name}: another Sandramp is using it; close that one, or give another file`)

const noSocket = (name: string, { code, message }: NodeJS.ErrnoException): FileError =>
  new FileError({
    problem: `${name} cannot be locked: no local socket can be made beside it (${code ?? message})`,
    expected: 'a file in a writable folder on a local disk or a Docker volume',
  })
