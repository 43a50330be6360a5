import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { documentsFolder } from '../../lib/paths.js'
import type { Json, Schema } from './tool.js'

interface Described {
  readonly operationId: string
  readonly summary: string
  readonly description?: string
  readonly parameters?: readonly { name: string; required?: boolean; schema: Schema }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> }
}

export type Operation = ReturnType<typeof readDocument>['operations'][number]

const REFERENCE = '#/components/schemas/'

export const readDocument = (name: string) => {
  const document = JSON.parse(readFileSync(join(documentsFolder, name), 'utf8'))
  const schemas: Readonly<Record<string, Schema>> = document.components.schemas
  const resolve = (schema: Schema = {}): Schema =>
    schemas[String(schema.$ref).slice(REFERENCE.length)] ?? schema
  /** The schemas that the properties refer to become `$defs`. None refers to itself. */
  const withDefs = (properties: Json): Json => {
    const $defs: Record<string, unknown> = {}
    const visit = (schema: unknown): unknown =>
      JSON.parse(JSON.stringify(schema), (key, it) => {
        if (key !== '$ref') return it
        const name = it.slice(REFERENCE.length)
        $defs[name] ??= visit(schemas[name])
        return `#/$defs/${name}`
      })
    return { properties: visit(properties), $defs }
  }
  const paths = Object.entries<Readonly<Record<string, Described>>>(document.paths)
  const operations = paths.flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, it]) => ({
      ...it,
      path,
      method: method.toUpperCase(),
      parameters: (it.parameters ?? []).filter(({ name }) => name !== 'world'),
      body: resolve(it.requestBody?.content['application/json']?.schema),
    })),
  )
  return { operations, resolve, withDefs }
}
