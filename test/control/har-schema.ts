import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** HTTP Archive 1.2 (http://www.softwareishard.com/blog/har-12-spec/), closed but for `_` fields. */

type Schema = Readonly<Record<string, unknown>>

const string = { type: 'string' }
const whole = { type: 'integer', minimum: -1 }
const duration = { type: 'number', minimum: -1 }
const listOf = (items: Schema) => ({ type: 'array', items })

const object = (required: Readonly<Record<string, Schema>>, optional = {}): Schema => ({
  type: 'object',
  properties: { ...required, ...optional, comment: string },
  required: Object.keys(required),
  patternProperties: { '^_': {} },
  additionalProperties: false,
})

const pair = object({ name: string, value: string })

const cookie = object(
  { name: string, value: string },
  {
    path: string,
    domain: string,
    expires: { type: 'string', format: 'date-time' },
    httpOnly: { type: 'boolean' },
    secure: { type: 'boolean' },
  },
)

const request = object(
  {
    method: string,
    url: { type: 'string', format: 'uri' },
    httpVersion: string,
    cookies: listOf(cookie),
    headers: listOf(pair),
    queryString: listOf(pair),
    headersSize: whole,
    bodySize: whole,
  },
  {
    postData: object({
      mimeType: string,
      params: listOf(
        object({ name: string }, { value: string, fileName: string, contentType: string }),
      ),
      text: string,
    }),
  },
)

const response = object({
  status: { type: 'integer' },
  statusText: string,
  httpVersion: string,
  cookies: listOf(cookie),
  headers: listOf(pair),
  content: object(
    { size: whole, mimeType: string },
    { compression: whole, text: string, encoding: string },
  ),
  redirectURL: string,
  headersSize: whole,
  bodySize: whole,
})

const timings = object(
  { send: duration, wait: duration, receive: duration },
  { blocked: duration, dns: duration, connect: duration, ssl: duration },
)

const entry = object(
  {
    startedDateTime: { type: 'string', format: 'date-time' },
    time: { type: 'number', minimum: 0 },
    request,
    response,
    cache: object({}, { beforeRequest: {}, afterRequest: {} }),
    timings,
  },
  { pageref: string, serverIPAddress: string, connection: string },
)

const program = object({ name: string, version: string })

const har = object({
  log: object(
    { version: { const: '1.2' }, creator: program, entries: listOf(entry) },
    { browser: program, pages: listOf({ type: 'object' }) },
  ),
})

const ajv = new Ajv2020({ allErrors: true })
addFormats(ajv)
const validate = ajv.compile(har)

/** Errors of an archive, in words; empty for a valid one. */
export const harMisfits = (archive: unknown): string =>
  validate(archive) ? '' : ajv.errorsText(validate.errors)
