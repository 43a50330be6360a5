// A load generator in its own process: raw sockets, one request in flight on each, so that the client costs
// less than the measured servers. Usage: load.js <json options>; prints JSON.
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const { port, path, method, headers, body, connections, seconds } = JSON.parse(process.argv[2])

const fixedHead = [
  `${method} ${path} HTTP/1.1`,
  'host: 127.0.0.1',
  ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
].join('\r\n')

/** Every request body gets a fresh UUID. */
const nextRequest = () => {
  if (!body) return `${fixedHead}\r\n\r\n`
  const text = body.replace('$uuid', randomUUID())
  return `${fixedHead}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

const latencies_ms = []
let answered = 0
let failed = 0
let stopped = false
const sockets = []

const open = () =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.on('error', reject)
    let pending = Buffer.alloc(0)
    let sentAt = 0
    const send = () => {
      sentAt = performance.now()
      socket.write(nextRequest())
    }
    socket.on('data', (chunk) => {
      pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk
      const end = pending.indexOf(HEAD_END)
      if (end < 0) return
      const head = pending.latin1Slice(0, end)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
      if (pending.length < end + HEAD_END.length + length) return
      pending = Buffer.alloc(0)
      answered++
      latencies_ms.push(performance.now() - sentAt)
      if (!head.startsWith('HTTP/1.1 2')) failed++
      if (!stopped) send()
    })
    sockets.push({ socket, send })
  })

for (let i = 0; i < connections; i++) await open()
const start = performance.now()
// Never sleeps: waking a sleeping client costs the measured server, the slower one most.
const stayAwake = () => stopped || setImmediate(stayAwake)
stayAwake()
for (const { send } of sockets) send()
setTimeout(() => {
  stopped = true
  const elapsed = (performance.now() - start) / 1_000
  latencies_ms.sort((a, b) => a - b)
  const p99_ms = latencies_ms[Math.floor(latencies_ms.length * 0.99)]
  process.stdout.write(JSON.stringify({ per_second: answered / elapsed, p99_ms, failed }))
  for (const { socket } of sockets) socket.destroy()
}, seconds * 1_000)
