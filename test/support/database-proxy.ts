import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** A network that fails, between a store and its database. */
export class DatabaseProxy {
  /** `cut` closes a connection in place of the next thing that passes there. */
  requests: 'pass' | 'cut' = 'pass'
  answers: 'pass' | 'cut' | 'lost' = 'pass'
  isReachable = true
  /** Is called when a connection was cut. */
  onCut: () => void = () => {}
  readonly #sockets = new Set<Socket>()
  readonly #server: Server

  /** Returns the proxy and the URL that leads through it. */
  static async start(url: string): Promise<{ proxy: DatabaseProxy; url: string }> {
    const through = new URL(url)
    const proxy = new DatabaseProxy(Number(through.port), through.hostname)
    through.port = String(await proxy.#listen())
    onTestFinished(() => proxy.#close())
    return { proxy, url: through.href }
  }

  private constructor(port: number, host: string) {
    this.#server = createServer((client) => {
      if (!this.isReachable) return client.destroy()
      const database = connect(port, host)
      const end = () => {
        client.destroy()
        database.destroy()
      }
      for (const socket of [client, database]) {
        this.#sockets.add(socket)
        socket.on('error', end).on('close', () => {
          this.#sockets.delete(socket)
          end()
        })
      }
      const cut = () => {
        end()
        this.onCut()
      }
      client.on('data', (bytes) => {
        if (this.requests === 'cut') cut()
        else database.write(bytes)
      })
      database.on('data', (bytes) => {
        if (this.answers === 'cut') cut()
        else if (this.answers === 'pass') client.write(bytes)
      })
      return undefined
    })
  }

  /** Closes all connections. */
  cut(): void {
    for (const socket of this.#sockets) socket.destroy()
  }

  #listen(): Promise<number> {
    return new Promise((resolve) =>
      this.#server.listen(0, '127.0.0.1', () =>
        resolve((this.#server.address() as AddressInfo).port),
      ),
    )
  }

  #close(): void {
    this.#server.close()
    this.cut()
  }
}
