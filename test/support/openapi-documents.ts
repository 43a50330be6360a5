import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** The committed documents, as what every answer is held against. */

export type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

export interface DocumentedOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly parameters?: readonly { name: string; in: string; required?: boolean; schema: Json }[]
  readonly requestBody?: {
    readonly required?: boolean
    readonly content: { readonly 'application/json': { readonly schema: Json } }
  }
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Json }>> }>
  >
}

export interface OpenApiDocument {
  readonly tags: readonly { readonly name: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentedOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Json>> }
}

export type DocumentName = 'service.json' | 'control.json'

const read = (name: DocumentName): OpenApiDocument =>
  JSON.parse(
    readFileSync(new URL(`../../openapi/${name}`, import.meta.url), 'utf8'),
  ) as OpenApiDocument

export const documents: Readonly<Record<DocumentName, OpenApiDocument>> = {
  'service.json': read('service.json'),
  'control.json': read('control.json'),
}

/** Objects that the document gives fields for have those and no others. */
export const closed = (node: Json): Json => {
  if (typeof node !== 'object' || node === null) return node
  if (Array.isArray(node)) return node.map(closed)
  const copy = Object.fromEntries(Object.entries(node).map(([key, it]) => [key, closed(it)]))
  const open = node.type === 'object' && node.properties && !('additionalProperties' in node)
  return open ? { ...copy, additionalProperties: false } : copy
}

const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats(ajv)
for (const name of Object.keys(documents) as DocumentName[]) {
  ajv.addSchema(closed(documents[name] as unknown as Json) as object, name)
}

export interface FoundPath {
  readonly document: DocumentName
  readonly template: string
  /** The operations of the path by method, in lower case. */
  readonly operations: Readonly<Record<string, DocumentedOperation>>
}

const routes = (Object.keys(documents) as DocumentName[]).flatMap((document) =>
  Object.entries(documents[document].paths).map(([template, operations]) => ({
    document,
    template,
    operations,
    pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
  })),
)

const known = new Map<string, FoundPath | undefined>()

/** The path of the documents that a request's path is; one without parameters goes first. */
export const findPath = (given: string): FoundPath | undefined => {
  // Each answer asks for its path several times.
  if (!known.has(given)) known.set(given, search(given))
  return known.get(given)
}

const search = (given: string): FoundPath | undefined => {
  const path = given.replace(/(%[0-9a-f]{2})+/gi, decoded)
  const found = routes.filter(({ pattern }) => pattern.test(path))
  return found.find(({ template }) => template === path) ?? found[0]
}

/** Routes see letters that were percent-encoded for no need; a slash stays what it was. */
const decoded = (text: string): string => {
  try {
    return decodeURI(text)
  } catch {
    return text
  }
}

/** Holds a body against the schema of an answer: what does not fit, in words; empty when it fits. */
export const misfits = (
  { document, template }: FoundPath,
  method: string,
  status: number,
  body: unknown,
): string => {
  const pointer = ['paths', template, method, 'responses', String(status), 'content']
  const steps = [...pointer, 'application/json', 'schema'].map(escaped).join('/')
  const validate = ajv.getSchema(`${document}#/${steps}`) as ValidateFunction | undefined
  if (!validate) return `${document} has no schema for ${status} of ${method} ${template}`
  return validate(body) ? '' : ajv.errorsText(validate.errors)
}

const escaped = (step: string) =>
  encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))
