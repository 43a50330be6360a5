import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Carry } from './client.js'
import {
  closed,
  type DocumentedOperation,
  type Json,
  type OpenApiDocument,
} from './openapi-documents.js'

/** A request to the service and its answer, to be validated against a document. */
export interface ServedAnswer {
  readonly method: string
  readonly path: string
  /** The body of the request, where it is text. */
  readonly sent: string | undefined
  readonly response: Response
}

/** Sends requests and keeps those that use the readings of their world, with a copy of the response. */
export const keeping = (carry: Carry) => {
  const answers: ServedAnswer[] = []
  const carrying: Carry = async (path, init) => {
    const response = await carry(path, init)
    if (new Headers(init.headers).has('x-sandbox-reading')) return response
    const { method = 'GET', body } = init
    const sent = typeof body === 'string' ? body : undefined
    answers.push({ method, path, sent, response: response.clone() })
    return response
  }
  return { answers, carry: carrying }
}

/** Validators by the schemas of their document: most readings change only words of it. */
const validators = new Map<string, Ajv2020>()

const validatorOf = (document: OpenApiDocument): Ajv2020 => {
  const key = JSON.stringify(document, (name, value) =>
    typeof value === 'string' && ['description', 'summary'].includes(name) ? undefined : value,
  )
  const known = validators.get(key)
  if (known) return known
  // Checking the document itself takes longer than checking answers, and has a test of its own.
  const ajv = new Ajv2020({ strict: false, allErrors: true, meta: false, validateSchema: false })
  addFormats(ajv)
  ajv.addSchema(closed(document as unknown as Json) as object, 'served')
  // The service ignores unknown fields of a request.
  ajv.addSchema(document, 'accepted')
  validators.set(key, ajv)
  return ajv
}

/** The `/openapi.json` that a sandbox serves, and a validator of answers and of the requests they accept. */
export const servedDocument = async (carry: Carry, query = '', headers = {}) => {
  const response = await carry(`/openapi.json${query}`, { headers })
  const document = (await response.json()) as OpenApiDocument
  const ajv = validatorOf(document)
  const routes = Object.entries(document.paths).map(([template, operations]) => ({
    template,
    operations,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  /** Faults of a response to an operation, in words; none for other responses. */
  const faultsOf = async ({ method, path, sent, response }: ServedAnswer): Promise<string[]> => {
    const { status, headers } = response
    const verb = method.toLowerCase()
    const pathname = new URL(path, 'http://localhost').pathname
    const found = routes
      .filter(({ pattern }) => pattern.test(pathname))
      .sort((a, b) => a.template.split('{').length - b.template.split('{').length)[0]
    const operation: DocumentedOperation | undefined = found?.operations[verb]
    if (!found || !operation || status === 501 || headers.has('x-sandbox-fault')) return []
    const called = `${status} ${method} ${path}`
    if (!(status in operation.responses)) return [`${called}: the document has no such status`]
    const steps = ['paths', found.template, verb, 'responses', String(status), 'content']
    const pointer = [...steps, 'application/json', 'schema'].map(escaped).join('/')
    const validate = ajv.getSchema(`served#/${pointer}`)
    if (!validate) return [`${called}: the document has no schema`]
    const answer: unknown = await response.json()
    const faults =
      validate(answer) === true ? [] : [`${called}: ${ajv.errorsText(validate.errors)}`]
    if (sent === undefined || status >= 300) return faults
    const body = ['paths', found.template, verb, 'requestBody', 'content']
    const request = [...body, 'application/json', 'schema'].map(escaped).join('/')
    const accepts = ajv.getSchema(`accepted#/${request}`)
    if (!accepts) return [...faults, `${called}: the document has no schema of the request`]
    if (accepts(JSON.parse(sent)) === true) return faults
    return [...faults, `${called} accepts ${sent}: ${ajv.errorsText(accepts.errors)}`]
  }
  return { document, faultsOf }
}

const escaped = (step: string) =>
  encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
