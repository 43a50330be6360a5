// A load generator in its own process: raw sockets, one request in flight on each connection, so that the client
// costs less than the measured servers. Usage: load.js <json options>; prints JSON. With `ports`, a connection sends to
// each of them in turn; with `keys`, each connection has another key.
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'

const HEAD_END = Buffer.from('\r\n\r\n')
const options = JSON.parse(process.argv[2])
const { port, ports = [port], path, method, headers, body, connections, keys, seconds } = options

const formatHead = (i) =>
  [
    `${method} ${path} HTTP/1.1`,
    'host: 127.0.0.1',
    ...Object.entries({ ...headers, ...(keys && { 'x-api-key': keys[i % keys.length] }) }).map(
      ([name, value]) => `${name}: ${value}`,
    ),
  ].join('\r\n')

/** Every request body gets a fresh UUID. */
const nextRequest = (head) => {
  if (!body) return `${head}\r\n\r\n`
  const text = body.replace('$uuid', randomUUID())
  return `${head}\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`
}

const latencies_ms = []
let answered = 0
let failed = 0
let stopped = false
const sockets = []

const open = (port, onAnswer) =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true }, () => resolve(socket))
    socket.on('error', reject)
    let pending = Buffer.alloc(0)
    socket.on('data', (chunk) => {
      pending = pending.length > 0 ? Buffer.concat([pending, chunk]) : chunk
      const end = pending.indexOf(HEAD_END)
      if (end < 0) return
      const head = pending.latin1Slice(0, end)
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1])
      if (pending.length < end + HEAD_END.length + length) return
      pending = Buffer.alloc(0)
      onAnswer(head)
    })
    sockets.push(socket)
  })

/** Returns a function that sends the first request. */
const join = async (i) => {
  const head = formatHead(i)
  let turn = 0
  let sentAt = 0
  const send = () => {
    sentAt = performance.now()
    turns[turn++ % turns.length].write(nextRequest(head))
  }
  const onAnswer = (answer) => {
    answered++
    latencies_ms.push(performance.now() - sentAt)
    if (!answer.startsWith('HTTP/1.1 2')) failed++
    if (!stopped) send()
  }
  const turns = []
  for (const port of ports) turns.push(await open(port, onAnswer))
  return send
}

const sends = []
for (let i = 0; i < connections; i++) sends.push(await join(i))
const start = performance.now()
// Never sleeps: waking a sleeping client costs the measured server, the slower one most.
const stayAwake = () => stopped || setImmediate(stayAwake)
stayAwake()
for (const send of sends) send()
setTimeout(() => {
  stopped = true
  const elapsed = (performance.now() - start) / 1_000
  latencies_ms.sort((a, b) => a - b)
  const [p50_ms, p99_ms] = [0.5, 0.99].map(
    (it) => latencies_ms[Math.floor(latencies_ms.length * it)],
  )
  process.stdout.write(JSON.stringify({ per_second: answered / elapsed, p50_ms, p99_ms, failed }))
  for (const socket of sockets) socket.destroy()
}, seconds * 1_000)
