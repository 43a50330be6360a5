import type { OperationId } from '../../generated/api-types.js'

/** openapi/contract.json: what the contract says, without any reading. */
export interface Contract {
  readonly info: { readonly version: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, ContractOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> }
}

interface ContractOperation {
  readonly operationId: OperationId
  readonly responses: Responses
}

type Responses = Readonly<
  Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
>

export interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly example?: unknown
  readonly description?: string
  readonly 'x-provenance'?: string
}

export interface Route {
  readonly operation: OperationId
  readonly method: string
  readonly path: RegExp
  readonly responses: Responses
}

/** Routes without parameters come first: the audit of a user has the form of a balance. */
export const listRoutes = ({ paths }: Contract): Route[] =>
  Object.entries(paths)
    .sort(([a], [b]) => a.split('{').length - b.split('{').length)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { operationId, responses }]) => ({
        responses,
        operation: operationId,
        method: method.toUpperCase(),
        path: new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`),
      })),
    )
