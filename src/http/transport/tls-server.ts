import type { RequestListener, Server, ServerOptions } from 'node:http'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { KeyPair } from './certificate.js'

interface TlsServerOptions {
  readonly pair: KeyPair
  readonly settings: ServerOptions
  /** How long a connection may take to send its first byte, and to finish the handshake. */
  readonly patienceMs: number
  readonly answer: RequestListener
  /** Answers requests over plain HTTP. */
  readonly refuse: RequestListener
  readonly unreadable: (error: Error, socket: Socket) => void
  /** Called for every connection when it opens, and for the encrypted one that replaces it. */
  readonly onConnection: (socket: Socket) => void
  readonly onReplaced: (socket: Socket) => void
}

/** The first byte of a TLS handshake. No HTTP method begins with it. */
const HANDSHAKE = 0x16

/**
 * An HTTPS server that answers plain HTTP on its port with an error. The first byte of a connection
 * decides.
 */
export const createTlsServer = (options: TlsServerOptions): Server => {
  const { pair, settings, patienceMs, answer, refuse, unreadable, onConnection, onReplaced } =
    options
  const server = createServer({ ...settings, ...pair, handshakeTimeout: patienceMs }, answer)
  const plain = createPlainServer(settings, refuse)
  server.on('checkExpectation', answer)
  plain.on('checkExpectation', refuse)
  plain.setTimeout(patienceMs)
  plain.on('clientError', unreadable)
  /**
   * Connections during the handshake, by remote address and port: Node does not link them to the encrypted
   * ones.
   */
  const shaking = new Map<string, Socket>()
  const secure = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    onConnection(socket)
    firstByte(socket, patienceMs, (byte) => {
      if (byte !== HANDSHAKE) {
        // Like a plain HTTP server: a client may close its side and still wait for the response.
        socket.allowHalfOpen = true
        plain.emit('connection', socket)
        socket.resume()
        return
      }
      const peer = findPeer(socket)
      shaking.set(peer, socket)
      socket.once('close', () => {
        if (shaking.get(peer) === socket) shaking.delete(peer)
      })
      for (const listener of secure) listener.call(server, socket)
    })
  })
  Object.assign(server, { httpAllowHalfOpen: true })
  const secured = new WeakSet<Socket>()
  server.prependListener('secureConnection', (socket: TLSSocket) => {
    secured.add(socket)
    // Same here. Before the handshake there is nothing to wait for.
    socket.allowHalfOpen = true
    onConnection(socket)
    const peer = findPeer(socket)
    const under = shaking.get(peer)
    shaking.delete(peer)
    if (under) onReplaced(under)
  })
  server.on('clientError', (error, socket) => {
    // After a failed handshake nobody could read a response.
    if (secured.has(socket as Socket)) unreadable(error, socket as Socket)
    else socket.destroy()
  })
  return server
}

const findPeer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

/** Reads the first byte and puts it back. */
const firstByte = (socket: Socket, patienceMs: number, tell: (byte: number) => void): void => {
  const giveUp = () => socket.destroy()
  // The later owner of the connection listens for errors; until then nobody does.
  socket.on('error', giveUp)
  socket.setTimeout(patienceMs, giveUp)
  socket.once('data', (chunk: Buffer) => {
    socket.setTimeout(0, giveUp)
    socket.off('timeout', giveUp)
    socket.pause()
    socket.unshift(chunk)
    tell(chunk[0] ?? 0)
  })
}
