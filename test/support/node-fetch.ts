import { request } from 'node:http'

/** Fetches as fetch does, but sends the headers as they are given, Host among them. */
export const nodeFetch = (url: URL, init: RequestInit): Promise<Response> =>
  new Promise((resolve, reject) => {
    const { method = 'GET', body } = init
    const headers = init.headers as Record<string, string>
    const sent = request(url, { method, headers, agent: false }, (came) => {
      const chunks: Buffer[] = []
      came.on('error', reject)
      came.on('data', (chunk: Buffer) => chunks.push(chunk))
      came.on('end', () => {
        const given = Object.entries(came.headers).map(([name, value]): [string, string] => [
          name,
          String(value),
        ])
        const text = Buffer.concat(chunks)
        const status = came.statusCode ?? 0
        resolve(new Response(text.length > 0 ? text : null, { status, headers: given }))
      })
    })
    sent.on('error', reject)
    sent.end(typeof body === 'string' ? body : undefined)
  })
