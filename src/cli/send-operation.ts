import type { ControlClient } from '../kit/control-client.js'

interface Sent {
  readonly method: string
  readonly path: string
  /** The names of path and query. */
  readonly parameters: readonly string[]
  readonly hasBody: boolean
}

/** Calls a control operation. Each field of the input goes where the operation has it. */
export const sendOperation = (
  client: ControlClient,
  { method, path, parameters, hasBody }: Sent,
  input: Readonly<Record<string, unknown>>,
): Promise<unknown> => {
  const search = new URLSearchParams()
  const body: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(input)) {
    if (!parameters.includes(name)) body[name] = value
    else if (!path.includes(`{${name}}`)) search.set(name, String(value))
  }
  const place = path.replace(/\{(\w+)\}/g, (_, it) => encodeURIComponent(String(input[it])))
  const target = `${place.replace('/_sandbox', '')}?${search}`.replace(/\?$/, '')
  return client.send(method.toUpperCase(), target, hasBody ? body : undefined)
}
