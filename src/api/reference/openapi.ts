import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context, Hono } from 'hono'
import { type AssumptionId, assumptionIds, DEFAULT_READINGS } from '../../assumptions/ids.js'
import { Readings } from '../../assumptions/use.js'
import {
  type ApiError,
  badRequest,
  contractError,
  toApiError,
} from '../../http/operation/api-error.js'
import {
  DEFAULT_SERVER,
  type DocumentView,
  OPENAPI_VERSIONS,
  type OpenApiDocument,
  type RecordedAnswer,
  type RecordedAnswers,
} from '../../http/operation/document.js'
import { enterNamed, worldInQuery } from '../../http/pipeline/enter-world.js'
import { type Access, authorize } from '../../http/pipeline/host-origin-guards.js'
import { errorBody } from '../../http/pipeline/respond.js'
import { documentsFolder } from '../../lib/paths.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import { EVERYTHING } from '../../worlds/tenants.js'
import type { WorldName } from '../../worlds/world-keys.js'
import { staticHeaders } from './static-headers.js'

/** Serves the OpenAPI documents: that of the service by the readings of a world. */
export const mountDocuments = (
  app: Hono,
  sandbox: Sandbox,
  access: Access,
  buildServiceDocument: BuildServiceDocument,
): void => {
  const byAddress = new Map<string, Promise<string>>()
  const send = async (c: Context, key: string, make: () => Promise<string>) => {
    const kept = byAddress.get(key) ?? make()
    byAddress.delete(key)
    byAddress.set(key, kept)
    const [oldest] = byAddress.keys()
    if (byAddress.size > MAX_KEPT && oldest !== undefined) byAddress.delete(oldest)
    return c.body(await kept, 200, { 'content-type': 'application/json' })
  }
  app.get('/openapi.json', staticHeaders, async (c) => {
    try {
      const isContract = chosen(c, 'of', ['service', 'contract']) === 'contract'
      const version = chosen(c, 'version', OPENAPI_VERSIONS)
      const server = new URL(c.req.url).origin
      const choices = isContract ? [] : await findChoices(c, sandbox, access)
      const name = `${isContract ? 'contract' : 'service'}${version === '3.0' ? '-3.0' : ''}.json`
      const key = JSON.stringify([name, server, ...choices])
      return await send(c, key, () =>
        choices.length === 0
          ? committed(name, server)
          : generate(buildServiceDocument, version, server, choices),
      )
    } catch (error) {
      const refusal = toApiError(error)
      if (!refusal) throw error
      return refused(c, refusal)
    }
  })
  app.get('/_sandbox/openapi.json', staticHeaders, (c) => {
    const server = new URL(c.req.url).origin
    return send(c, `control ${server}`, () => committed('control.json', server))
  })
}

type BuildServiceDocument = (view: DocumentView) => Promise<OpenApiDocument>

/** Maximum number of cached documents. */
const MAX_KEPT = 20

/** The value of a parameter, by default the first accepted one. */
const chosen = <Name extends string>(
  c: Context,
  field: string,
  accepted: readonly [Name, ...Name[]],
): Name => {
  const value = c.req.query(field)
  if (value === undefined) return accepted[0]
  const found = accepted.find((it) => it === value)
  if (found !== undefined) return found
  throw badRequest(
    `Invalid ${field}: got ${JSON.stringify(value.slice(0, 40))}. Expected ${accepted.join(' or ')}.`,
  )
}

/** The world that the query names, or that the key opens; the default world without either. */
const nameWorld = (c: Context, { worlds, main }: Sandbox, access: Access): WorldName => {
  const scope = c.req.query('world') === undefined ? EVERYTHING : authorize(c, access)
  const id = worldInQuery(c)
  const secret = c.req.header('x-api-key')
  if (id !== undefined || secret === undefined) return { id: id ?? main.id, scope }
  const name = worlds.keys.nameWorld(secret)
  if (!name) throw contractError('4101')
  return name
}

type Choice = readonly [id: AssumptionId, reading: string]

/** The readings of the request's world that are not the default. */
const findChoices = async (c: Context, sandbox: Sandbox, access: Access): Promise<Choice[]> => {
  await sandbox.worlds.keys.load(c.req.header('x-api-key'))
  const { live, release } = await enterNamed(sandbox.worlds, nameWorld(c, sandbox, access))
  release?.()
  const { readings } = live.world.tables
  return assumptionIds.flatMap((id) => {
    const reading = readings.get(id)?.reading
    return reading === undefined || reading === DEFAULT_READINGS[id] ? [] : [[id, reading] as const]
  })
}

const committed = async (name: string, server: string): Promise<string> => {
  const text = await readFile(join(documentsFolder, name), 'utf8')
  return text.replaceAll(DEFAULT_SERVER, server)
}

const generate = async (
  buildServiceDocument: BuildServiceDocument,
  openapi: (typeof OPENAPI_VERSIONS)[number],
  server: string,
  choices: readonly Choice[],
): Promise<string> => {
  const document = await buildServiceDocument({
    openapi,
    server,
    readings: new Readings(undefined, Object.fromEntries(choices)),
    isContract: false,
    recorded: await recordedAnswers(),
  })
  return `${JSON.stringify(document, null, 2)}\n`
}

/** The examples of the committed document, with the assumptions that each relied on. */
const recordedAnswers = async (): Promise<RecordedAnswers> => {
  const text = await readFile(join(documentsFolder, 'service.json'), 'utf8')
  const { paths } = JSON.parse(text) as Committed
  const operations = Object.values(paths).flatMap((path) => Object.values(path))
  return Object.fromEntries(
    operations.map(({ operationId, responses }) => [
      operationId,
      Object.entries(responses).flatMap(([status, { content }]) =>
        recordedIn(Number(status), content['application/json'].examples),
      ),
    ]),
  )
}

type Examples = Readonly<Record<string, { value: unknown; 'x-assumptions'?: AssumptionId[] }>>

interface Committed {
  readonly paths: Readonly<Record<string, Readonly<Record<string, CommittedOperation>>>>
}

interface CommittedOperation {
  readonly operationId: string
  readonly responses: Readonly<
    Record<string, { readonly content: { readonly 'application/json': { examples?: Examples } } }>
  >
}

const recordedIn = (status: number, examples: Examples = {}): RecordedAnswer[] =>
  Object.entries(examples).map(([name, { value, 'x-assumptions': assumptions = [] }]) => ({
    status,
    name,
    value,
    assumptions,
  }))

const refused = (c: Context, { code, message, status, headers }: ApiError): Response => {
  const body = errorBody({ code, message }, c.req.method, c.req.path, crypto.randomUUID())
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  })
}
