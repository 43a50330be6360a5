import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Carry } from './client.js'
import { closed, type Described, type DescribedOperation, type Json } from './described.js'

/** An answer of the service, to be held against a document. */
export interface ServedAnswer {
  readonly method: string
  readonly path: string
  readonly response: Response
}

/** Carries requests, and keeps a copy of each answer that goes by the readings of its world. */
export const keeping = (carry: Carry) => {
  const answers: ServedAnswer[] = []
  const carrying: Carry = async (path, init) => {
    const response = await carry(path, init)
    if (new Headers(init.headers).has('x-sandbox-reading')) return response
    answers.push({ method: init.method ?? 'GET', path, response: response.clone() })
    return response
  }
  return { answers, carry: carrying }
}

/** The `/openapi.json` that a sandbox serves, and what it says against answers. */
export const servedDocument = async (carry: Carry, query = '', headers = {}) => {
  const response = await carry(`/openapi.json${query}`, { headers })
  const document = (await response.json()) as Described
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  addFormats(ajv)
  ajv.addSchema(closed(document as unknown as Json) as object, 'served')
  const routes = Object.entries(document.paths).map(([template, operations]) => ({
    template,
    operations,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
  }))
  /** Faults of an answer to an operation, in words; none for what is no answer of the service to one. */
  const faultsOf = async ({ method, path, response }: ServedAnswer): Promise<string[]> => {
    const { status, headers } = response
    const verb = method.toLowerCase()
    const pathname = new URL(path, 'http://localhost').pathname
    const found = routes
      .filter(({ pattern }) => pattern.test(pathname))
      .sort((a, b) => a.template.split('{').length - b.template.split('{').length)[0]
    const operation: DescribedOperation | undefined = found?.operations[verb]
    if (!found || !operation || status === 501 || headers.has('x-sandbox-fault')) return []
    const called = `${status} ${method} ${path}`
    if (!(status in operation.responses)) return [`${called}: the document has no such status`]
    const steps = ['paths', found.template, verb, 'responses', String(status), 'content']
    const pointer = [...steps, 'application/json', 'schema'].map(escaped).join('/')
    const validate = ajv.getSchema(`served#/${pointer}`)
    if (!validate) return [`${called}: the document has no schema`]
    if (await validate(await response.json())) return []
    return [`${called}: ${ajv.errorsText(validate.errors)}`]
  }
  return { document, faultsOf }
}

const escaped = (step: string) =>
  encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
