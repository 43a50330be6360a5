import type { OpenAPIHono } from '@hono/zod-openapi'
import type { AssumptionId } from '../../assumptions/ids.js'

export type OpenApiDocument = ReturnType<OpenAPIHono['getOpenAPI31Document']>

/** Keywords of the contract, instead of the sandbox's own. */
export const CONTRACT = 'x-contract'
/** The assumptions that a description leaves open. */
const OPEN = 'x-open'
export const OWN_NOTES = [CONTRACT, OPEN]

export type Json = null | boolean | number | string | Json[] | Node
export interface Node {
  [name: string]: Json
}

export const isNode = (value: Json | undefined): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Values of a user. They are no parts of a document, even if they look like it. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'required', CONTRACT])

/** A document whose descriptions add the chosen readings of what they leave open. */
export const withReadings = (
  document: OpenApiDocument,
  describe: (open: readonly AssumptionId[]) => readonly string[],
): OpenApiDocument => {
  const add = (node: Node): Node => {
    const { [OPEN]: open = [], description, schema } = node
    const sentences = describe(open as AssumptionId[])
    // A parameter repeats the description of its schema.
    if ('in' in node && isNode(schema) && schema.description !== undefined) {
      return { ...node, description: schema.description }
    }
    if (sentences.length === 0) return node
    return { ...node, description: [`${description}.`, ...sentences].join(' ') }
  }
  const notes = without(...OWN_NOTES)
  const change = (node: Node): Node => notes(add(node))
  return rebuild(document as unknown as Node, change) as unknown as OpenApiDocument
}

export const without =
  (...names: readonly string[]) =>
  (node: Node): Node =>
    Object.fromEntries(Object.entries(node).filter(([name]) => !names.includes(name)))

/** Rebuilds a part of a document, innermost nodes first. */
export const rebuild = (value: Json, change: (node: Node) => Node): Json => {
  if (Array.isArray(value)) return value.map((item) => rebuild(item, change))
  if (!isNode(value)) return value
  const copy: Node = {}
  for (const [name, inner] of Object.entries(value)) {
    if (name === 'properties' && isNode(inner)) {
      const fields = Object.entries(inner).map(([it, field]) => [it, rebuild(field, change)])
      copy[name] = Object.fromEntries(fields) as Node
    } else copy[name] = VALUES.has(name) ? inner : rebuild(inner, change)
  }
  return change(copy)
}
