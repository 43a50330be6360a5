// Baseline: a bare node:http server that responds with fixed bytes. It reads the request body, as any server
// must, and stores nothing. Usage: bare.js <get body> <post body>
import { createServer } from 'node:http'

const [, , getBody = '{}', postBody = '{}'] = process.argv
const headers = (body) => ({
  'content-type': 'application/json',
  'content-length': Buffer.byteLength(body),
})
const getHeaders = headers(getBody)
const postHeaders = headers(postBody)

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, getHeaders).end(getBody)
    return
  }
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString()
    if (text === '') response.writeHead(400).end()
    else response.writeHead(200, postHeaders).end(postBody)
  })
})
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`bare listening on http://127.0.0.1:${server.address().port}\n`)
})
