import { connect } from 'node:net'
import { keys } from './fixture-ids.js'

/**
 * Sends bytes as they are and answers all that comes back until the other side hangs up. With `last`, it
 * says behind them that nothing more will come.
 */
export const sendRaw = (url: string, bytes: string, last = false): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url)
    const socket = connect(Number(port), hostname)
    let came = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      came += chunk
    })
    socket.on('end', () => resolve(came))
    socket.on('error', (error) => (came === '' ? reject(error) : resolve(came)))
    socket.write(bytes, 'latin1')
    if (last) socket.end()
  })

/** The bytes of a request with full access, such as `GET /path`. A body is JSON. */
export const rawRequest = (line: string, headers: readonly string[] = [], body = ''): string => {
  const ofBody = ['content-type: application/json', `content-length: ${body.length}`]
  const lines = [
    `${line} HTTP/1.1`,
    'host: localhost',
    `x-api-key: ${keys.full}`,
    ...(body === '' ? [] : ofBody),
    ...headers,
  ]
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}
