import { connect } from 'node:net'

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
