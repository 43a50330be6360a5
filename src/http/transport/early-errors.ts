import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Readings } from '../../assumptions/use.js'
import { formatInvalid, inWords } from '../../lib/app-error.js'
import type { Sandbox } from '../../runtime/sandbox.js'
import type { Api, App } from '../operation/api.js'
import { ApiError } from '../operation/api-error.js'
import type { RequestContext } from '../operation/context.js'
import { refuseUnrecorded } from '../pipeline/pipeline.js'
import { parseRequestReadings, READING_HEADER } from '../pipeline/request-choices.js'
import { PlainRequestView } from './fast-path.js'
import { writeResponse } from './node-response.js'

/** Errors of this API use the sandbox's own codes and rely on no assumption. */
const CONTROL = /^\/_sandbox(?=\/|$)/

/**
 * Answers requests that reach no route: malformed URLs, plain HTTP on an HTTPS port, requests in flight
 * when the server closes, and bugs. They use the readings of the default world: nobody has looked at the
 * key yet.
 */
export const createEarlyErrors = (
  service: Api,
  control: Api,
): Pick<App, 'refuse' | 'refusePlainHttp'> => {
  const { sandbox } = service
  const respond = (
    outgoing: ServerResponse,
    error: ApiError,
    { c, readings }: EarlyRequest = readEarly(sandbox, outgoing.req),
  ) => {
    outgoing.shouldKeepAlive = false
    const answer = CONTROL.test(c.req.path)
      ? refuseUnrecorded(control, c, undefined, error)
      : refuseUnrecorded(service, c, undefined, error, readings)
    writeResponse(outgoing, answer)
  }
  return {
    refuse: (outgoing, error) => {
      if (outgoing.headersSent) outgoing.destroy()
      else respond(outgoing, error)
    },
    refusePlainHttp: (outgoing) => {
      if (outgoing.headersSent || outgoing.destroyed) return
      respond(outgoing, new ApiError('4032', UNENCRYPTED))
    },
  }
}

interface EarlyRequest {
  readonly c: RequestContext
  readonly readings: Readings
}

/** A request whose URL may be malformed. */
const readEarly = (
  sandbox: Sandbox,
  { method = '', url = '', headers }: IncomingMessage,
): EarlyRequest => {
  const path = (withoutServer(url) || url).split('?', 1)[0] ?? ''
  const address = `http://localhost${path}`
  const fields = headers as Readonly<Record<string, string>>
  const req = new PlainRequestView(method, address, path, {}, fields, undefined)
  const { readings } = parseRequestReadings(sandbox, req.header(READING_HEADER))
  return { c: { req, env: undefined }, readings }
}

const UNENCRYPTED = formatInvalid(
  'protocol',
  inWords('plain HTTP'),
  'HTTPS, at the same host and port',
)

const SERVER = /^https?:\/\/[^/?#]+/i

/** Path and query of a request target, which may name the server before them (RFC 9112, section 3.2.2). */
const withoutServer = (target: string): string => target.replace(SERVER, '')
