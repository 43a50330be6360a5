/** Stands for a field that is left out. */
export const MISSING = Symbol('missing')

/** A copy of a body with the field at a dotted path set to a value, or left out. */
export const withField = (body: unknown, path: string, value: unknown): unknown => {
  const [first = '', ...rest] = path.split('.')
  const copy: Record<string, unknown> | unknown[] = Array.isArray(body)
    ? [...body]
    : { ...(body as Record<string, unknown>) }
  const fields = copy as Record<string, unknown>
  if (rest.length > 0) fields[first] = withField(fields[first], rest.join('.'), value)
  else if (value === MISSING) delete fields[first]
  else fields[first] = value
  return copy
}
