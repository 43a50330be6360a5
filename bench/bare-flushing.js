// For scale: a bare node:http server that appends each request body as a line and responds once that line
// is flushed. One flush serves all waiting requests. Usage: bare-flushing.js <file> <response>
import { fdatasync, openSync, write } from 'node:fs'
import { createServer } from 'node:http'

const [, , path, answer] = process.argv
const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) }
const file = openSync(path, 'w')
let waiting = []
let end = 0
let isFlushing = false

const flush = () => {
  const group = waiting
  waiting = []
  isFlushing = group.length > 0
  if (!isFlushing) return
  const lines = Buffer.concat(group.flatMap(({ chunks }) => chunks))
  write(file, lines, 0, lines.length, end, (error) => {
    if (error) throw error
    end += lines.length
    fdatasync(file, (error) => {
      if (error) throw error
      for (const { response } of group) response.writeHead(200, headers).end(answer)
      flush()
    })
  })
}

const server = createServer((request, response) => {
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    waiting.push({ chunks: [...chunks, Buffer.from('\n')], response })
    if (isFlushing) return
    isFlushing = true
    // One flush serves every request that is waiting.
    setImmediate(flush)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`flushing listening on http://127.0.0.1:${server.address().port}\n`)
})
