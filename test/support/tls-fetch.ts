import { type Agent, request } from 'node:https'
import type { TLSSocket } from 'node:tls'

export interface TlsOptions {
  /** The trusted certificate, as PEM. */
  readonly ca?: string
  readonly method?: string
  readonly headers?: Record<string, string>
  readonly body?: string
  readonly agent?: Agent
}

export interface TlsAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly authorized: boolean
  /** The port at this end: the same one again is the same connection. */
  readonly from: number | undefined
}

/** Asks over HTTPS as any client does: by a certificate that it does not trust it gets nothing. */
export const tlsFetch = (url: string, options: TlsOptions = {}): Promise<TlsAnswer> =>
  new Promise((resolve, reject) => {
    const { body, agent, ...rest } = options
    // The name that is checked is the one of the URL, whatever Host says.
    const servername = new URL(url).hostname.replace(/^\d.*|^\[.*/, 'localhost')
    const sent = request(url, { agent: agent ?? false, servername, ...rest }, (came) => {
      const socket = came.socket as TLSSocket
      const { authorized, localPort: from } = socket
      let text = ''
      came.setEncoding('utf8')
      came.on('error', reject)
      came.on('data', (chunk) => {
        text += chunk
      })
      came.on('end', () => {
        const headers = new Headers(came.headers as Record<string, string>)
        resolve({ status: came.statusCode ?? 0, headers, text, authorized, from })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
