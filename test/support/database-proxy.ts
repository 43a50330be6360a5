import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A network that fails, between a store and its database. */
export class DatabaseProxy {
  /** `cut` closes a connection in place of the next thing that passes there. `held` keeps it for `release`. */
  requests: 'pass' | 'cut' | 'held' = 'pass'
  answers: 'pass' | 'cut' | 'lost' = 'pass'
  /** Only requests that contain this text, and their answers, meet the fault. */
  only = ''
  isReachable = true
  /** Is called when a connection was cut or a request was held. */
  onFault: () => void = () => {}
  readonly #held: { readonly database: Socket; readonly bytes: Buffer }[] = []
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  /** Returns the proxy and the URL that leads through it. */
  static async start(url: string): Promise<{ proxy: DatabaseProxy; url: string }> {
    const through = new URL(url)
    const proxy = new DatabaseProxy(Number(through.port), through.hostname)
    await once(proxy.#server, 'listening')
    onTestFinished(() => proxy.#close())
    through.port = String((proxy.#server.address() as AddressInfo).port)
    return { proxy, url: through.href }
  }

  private constructor(port: number, host: string) {
    this.#server = createServer((client) => {
      if (this.isReachable) this.#join(client, connect(port, host))
      else client.destroy()
    }).listen(0, '127.0.0.1')
  }

  #join(client: Socket, database: Socket): void {
    for (const socket of [client, database]) {
      this.#sockets.add(socket)
      socket.on('error', () => {})
      socket.on('close', () => this.#sockets.delete(socket))
    }
    const end = () => {
      client.destroy()
      // The database still gets the held requests of a client that has gone.
      if (!this.#held.some((it) => it.database === database)) database.destroy()
    }
    client.on('close', end)
    database.on('close', end)
    const cut = () => {
      end()
      this.onFault()
    }
    let isAffected = false
    client.on('data', (bytes) => {
      isAffected = bytes.includes(this.only)
      if (this.requests === 'pass' || !isAffected) database.write(bytes)
      else if (this.requests === 'cut') cut()
      else {
        this.#held.push({ database, bytes })
        this.onFault()
      }
    })
    database.on('data', (bytes) => {
      if (this.answers === 'pass' || !isAffected) client.write(bytes)
      else if (this.answers === 'cut') cut()
    })
  }

  /** Closes all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  /** Sends the held requests, and waits for the answers of the database. */
  async release(): Promise<void> {
    for (const { database, bytes } of this.#held.splice(0)) {
      database.write(bytes)
      await once(database, 'data')
    }
  }

  #close(): void {
    this.#server.close()
    this.cut()
  }
}
