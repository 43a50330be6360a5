import {
  CONTRACT,
  isNode,
  type Json,
  type Node,
  type OpenApiDocument,
  OWN_NOTES,
  rebuild,
  without,
} from '../http/operation/document-notes.js'

/**
 * A document with only what the contract documents or shows:
 * - fields and shapes that are assumed go;
 * - observed values stay as examples, but do not close an enumeration; other examples go;
 * - enumerations of responses become text, so that clients accept further values;
 * - limits and nulls of requests go, and required fields where the contract does not name them.
 */
export const withoutGuesses = (document: OpenApiDocument): OpenApiDocument => {
  const { components = {}, ...rest } = document as unknown as Readonly<Record<string, Node>>
  const schemas = (components.schemas ?? {}) as Readonly<Record<string, Node>>
  const requests = requestSchemas(rest, schemas)
  const reduced = Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const hasOpenFields = requests.get(name)
      const change = hasOpenFields === undefined ? response : request(hasOpenFields)
      return [name, rebuild(schema, change)]
    }),
  )
  const outside = rebuild(rest, request(true)) as Node
  const parts = { ...components, schemas: findUsedComponents(reduced, outside) }
  const left = { ...outside, components: parts } as unknown as Node
  return rebuild(left, without('x-assumption', ...OWN_NOTES)) as unknown as OpenApiDocument
}

const isAssumed = (value: Json | undefined): boolean =>
  isNode(value) && value['x-provenance'] === 'assumed'

const known = (node: Node): Node => {
  const {
    enum: values,
    example,
    isOptional: _,
    isRequired: __,
    ...rest
  } = { ...node, ...contractOf(node) }
  const isObserved = node['x-provenance'] === 'observed'
  const shown = withKnownFields({
    ...rest,
    ...(isObserved && example !== undefined && { example }),
    ...(!isObserved && values !== undefined && { enum: values }),
  })
  for (const name of ['schema', 'items']) if (isAssumed(shown[name])) shown[name] = {}
  return shown
}

const response = (node: Node): Node => {
  const { enum: values, ...rest } = known(node)
  if (!Array.isArray(values)) return rest
  return { ...rest, description: `${rest.description}. Enumerated: ${values.join(', ')}` }
}

const contractOf = ({ [CONTRACT]: own }: Node): Node => (isNode(own) ? own : {})

/** The documented fields of an object. A field that may be null by assumption is not required. */
const withKnownFields = (node: Node): Node => {
  const { required = [], properties, ...rest } = node
  if (!isNode(properties)) return node
  const fields = Object.entries(properties).filter(([, field]) => !isAssumed(field))
  if (fields.length === 0) return { ...rest, additionalProperties: true }
  const isSure = (name: Json) => fields.some(([it, field]) => it === name && !mayBeAbsent(field))
  const left = (required as Json[]).filter(isSure)
  return {
    ...rest,
    properties: Object.fromEntries(fields),
    ...(left.length > 0 && { required: left }),
  }
}

const mayBeAbsent = (field: Json): boolean =>
  isNode(field) &&
  (contractOf(field).isOptional === true ||
    (field['x-assumption'] !== undefined &&
      (field.nullable === true || (Array.isArray(field.type) && field.type.includes('null')))))

const LIMITS = ['minLength', 'maxLength', 'minimum', 'maximum', 'minItems', 'maxItems', 'pattern']

/** Formats that the contract names. */
const FORMATS: readonly Json[] = ['uuid', 'date', 'date-time']

const request =
  (hasOpenFields: boolean) =>
  (node: Node): Node => {
    const kept = Object.entries(withoutNull(node)).filter(
      ([name, value]) => !LIMITS.includes(name) && (name !== 'format' || FORMATS.includes(value)),
    )
    const limited = Object.fromEntries(kept)
    return known(hasOpenFields ? withoutRequired(limited) : limited)
  }

const withoutRequired = (node: Node): Node => {
  if (!isNode(node.properties)) return node
  const { required: _, ...rest } = node
  return rest
}

/** Null is one of the types in OpenAPI 3.1, and a flag in 3.0. */
const withoutNull = ({ nullable: _, ...node }: Node): Node => {
  const { type, anyOf } = node
  const left = Array.isArray(type) ? type.filter((it) => it !== 'null') : undefined
  if (left?.length === 1) return { ...node, type: left[0] ?? null }
  if (!Array.isArray(anyOf)) return node
  const choices = anyOf.filter((it) => !isNode(it) || it.type !== 'null')
  const [only] = choices
  const { anyOf: __, ...rest } = node
  return choices.length === 1 && isNode(only) ? { ...only, ...rest } : { ...node, anyOf: choices }
}

const COMPONENT = '#/components/schemas/'

const referredBy = (part: Json): string[] => {
  if (Array.isArray(part)) return part.flatMap(referredBy)
  if (!isNode(part)) return []
  const { $ref, ...rest } = part
  const own = typeof $ref === 'string' ? [$ref.replace(COMPONENT, '')] : []
  return [...own, ...Object.values(rest).flatMap(referredBy)]
}

const findUsedComponents = (schemas: Readonly<Record<string, Json>>, outside: Node): Node => {
  const used = new Set<string>()
  const add = (part: Json): void => {
    for (const name of referredBy(part)) {
      if (used.has(name)) continue
      used.add(name)
      add(schemas[name] ?? null)
    }
  }
  add(outside)
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => used.has(name)))
}

/** The schemas of requests by name, and whether the contract leaves open which of their fields are required. */
const requestSchemas = (
  rest: Readonly<Record<string, Node>>,
  schemas: Readonly<Record<string, Node>>,
): ReadonlyMap<string, boolean> => {
  const bodies = Object.values(rest.paths ?? {}).flatMap((path) =>
    Object.values(path as Node).map((operation) => (operation as Node).requestBody ?? null),
  )
  const used = Object.keys(findUsedComponents(schemas, { bodies }))
  return new Map(used.map((name) => [name, !contractOf(schemas[name] as Node).isRequired]))
}
