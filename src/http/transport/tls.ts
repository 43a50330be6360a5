import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { createSecureContext, TLSSocket } from 'node:tls'
import type { KeyPair } from './certificate.js'

/** The first byte of a TLS handshake. No HTTP method begins with it. */
const HANDSHAKE = 0x16

/**
 * Lets a server speak TLS. Plain HTTP on its port reaches the server too, so that it can be refused.
 * `onSecure` gets an encrypted connection and the one that carries it.
 */
export const acceptTls = (
  server: Server,
  { cert, key }: KeyPair,
  patienceMs: number,
  onSecure: (secure: Socket, under: Socket) => void,
): void => {
  const secureContext = createSecureContext({ cert, key })
  const [serve] = server.listeners('connection') as ((socket: Socket) => void)[]
  if (!serve) return
  server.off('connection', serve)
  server.on('connection', (socket: Socket) => {
    const giveUp = () => socket.destroy()
    // Nobody else listens for errors before a request.
    socket.on('error', giveUp).setTimeout(patienceMs, giveUp)
    const begin = (connection: Socket) => {
      socket.off('timeout', giveUp).setTimeout(0)
      serve.call(server, connection)
    }
    socket.once('data', (chunk: Buffer) => {
      socket.pause()
      socket.unshift(chunk)
      if (chunk[0] !== HANDSHAKE) {
        begin(socket)
        socket.resume()
        return
      }
      const ALPNProtocols = ['http/1.1']
      const secure = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols })
      secure.on('error', giveUp)
      secure.once('secure', () => {
        onSecure(secure, socket)
        begin(secure)
      })
    })
  })
}
