import type { Context } from 'hono'
import { WireError } from './wire-error.js'

const tooLarge = (limit: number) =>
  new WireError('4130', `the body is larger than the limit of ${limit} bytes`)

/**
 * Reads a JSON body of at most `limit` bytes. Undefined when there is none. Refuses other content
 * types (415), larger bodies (413) and malformed JSON (400).
 */
export const readJson = async (c: Context, limit: number): Promise<unknown> => {
  const type = c.req.header('content-type')
  const length = Number(c.req.header('content-length') ?? Number.NaN)
  if (length > limit) throw tooLarge(limit)
  if (type === undefined && (length === 0 || !c.req.raw.body)) return undefined
  if (type?.split(';', 1)[0]?.trim().toLowerCase() !== 'application/json') {
    const came = type === undefined ? 'no content-type' : `content-type ${JSON.stringify(type)}`
    throw new WireError('4150', `${came} came; accepted: application/json`)
  }
  // With a length announced the server lets no more through; without one, count.
  const text = Number.isNaN(length) ? await readCounted(c, limit) : await c.req.text()
  return text === '' ? undefined : parse(text)
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new WireError('4004', `the body is not well-formed JSON: ${why}`)
  }
}

const readCounted = async (c: Context, limit: number): Promise<string> => {
  const decoder = new TextDecoder()
  let bytes = 0
  let text = ''
  const body = c.req.raw.body
  if (!body) return text
  for await (const chunk of body) {
    bytes += chunk.byteLength
    if (bytes > limit) throw tooLarge(limit)
    text += decoder.decode(chunk, { stream: true })
  }
  return text + decoder.decode()
}
