import type { RequestListener, Server, ServerOptions } from 'node:http'
import { createServer as createPlainServer } from 'node:http'
import { createServer } from 'node:https'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { KeyPair } from './certificate.js'

export interface TlsServerOptions {
  readonly pair: KeyPair
  readonly settings: ServerOptions
  /** How long a connection may take until it is clear what it speaks, and to agree on keys. */
  readonly patienceMs: number
  readonly answer: RequestListener
  /** Answers what comes over plain HTTP. */
  readonly refuse: RequestListener
  readonly unreadable: (error: Error, socket: Socket) => void
  /** Hears of every connection when it opens, and of the encrypted one that takes the place of it. */
  readonly opened: (socket: Socket) => void
  readonly replaced: (socket: Socket) => void
}

/** The first byte of a TLS connection: a record of the handshake. No method of HTTP begins so. */
const HANDSHAKE = 0x16

/**
 * A server of HTTPS on whose port plain HTTP is answered too, by a refusal. It looks at the first byte of
 * each connection before it decides who gets it.
 */
export const createTlsServer = (options: TlsServerOptions): Server => {
  const { pair, settings, patienceMs, answer, refuse, unreadable, opened, replaced } = options
  const server = createServer({ ...settings, ...pair, handshakeTimeout: patienceMs }, answer)
  const plain = createPlainServer(settings, refuse)
  server.on('checkExpectation', answer)
  plain.on('checkExpectation', refuse)
  plain.setTimeout(patienceMs)
  plain.on('clientError', unreadable)
  /** Connections that agree on keys, by who is at the other end: Node does not tell which became which. */
  const shaking = new Map<string, Socket>()
  const secure = server.listeners('connection') as ((socket: Socket) => void)[]
  server.removeAllListeners('connection')
  server.on('connection', (socket: Socket) => {
    opened(socket)
    firstByte(socket, patienceMs, (byte) => {
      if (byte !== HANDSHAKE) {
        // As a server of HTTP alone has it: a client may close its side and still wait for the answer.
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
    // As above. Before keys are agreed on there is nothing to wait for.
    socket.allowHalfOpen = true
    opened(socket)
    const peer = findPeer(socket)
    const under = shaking.get(peer)
    shaking.delete(peer)
    if (under) replaced(under)
  })
  server.on('clientError', (error, socket) => {
    // A handshake that failed leaves nobody who could read an answer.
    if (secured.has(socket as Socket)) unreadable(error, socket as Socket)
    else socket.destroy()
  })
  return server
}

const findPeer = ({ remoteAddress, remotePort }: Socket): string => `${remoteAddress} ${remotePort}`

/** Looks at the first byte that comes, and puts it back. */
const firstByte = (socket: Socket, patienceMs: number, tell: (byte: number) => void): void => {
  const giveUp = () => socket.destroy()
  // Whoever takes the connection over listens for itself; until then nobody does.
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
