/** A fetch for clients in processes of their own: loading Node's takes longer than most of them run. */
export const CLIENT_FETCH = {
  'fetch.mjs': `
import { request } from 'node:http'
export const fetch = (url, { body, ...init } = {}) =>
  new Promise((resolve, reject) => {
    const sent = request(url, init, async (response) => {
      const text = (await response.toArray()).join('')
      resolve({ status: response.statusCode, json: async () => JSON.parse(text) })
    })
    sent.once('error', reject)
    sent.end(body)
  })
`,
} as const
