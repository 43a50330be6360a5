import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'

export interface ListenOptions {
  /** 0 takes a free port. */
  readonly port: number
  readonly host: string
}

/** A listening server. */
export interface Listener {
  readonly url: string
  /** Finishes the requests in flight, then closes. */
  close(): Promise<void>
}

const HEADER_TIMEOUT_MS = 15_000
const REQUEST_TIMEOUT_MS = 60_000

/** Serves the app over HTTP. Rejects when the address cannot be had. */
export const listen = async (app: Hono, { port, host }: ListenOptions): Promise<Listener> => {
  const server = createServer(
    { headersTimeout: HEADER_TIMEOUT_MS, requestTimeout: REQUEST_TIMEOUT_MS },
    getRequestListener(app.fetch, { errorHandler: badRequest }),
  )
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
  const { port: taken } = server.address() as AddressInfo
  return { url: `http://${printable(host)}:${taken}`, close: () => close(server) }
}

const printable = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}

/** Answers requests whose line or Host header is so broken that no route can see them. */
const badRequest = (error: unknown): Response => {
  const message = error instanceof Error ? error.message : 'malformed request'
  return new Response(`${message}\n`, { status: 400 })
}

const close = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve())
    server.closeIdleConnections()
  })
