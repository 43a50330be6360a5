// For scale: a bare node:http server that stores what it is sent, a line each, and answers once that is
// flushed, as many at a time as wait. It parses nothing. Usage: bare-flushing.js <file> <answer>
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
    // Those that have come at the same time go together.
    setImmediate(flush)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`flushing listening on http://127.0.0.1:${server.address().port}\n`)
})
