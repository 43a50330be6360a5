import type { Choices, Readings } from '../../assumptions/use.js'
import type { RuleFiring } from '../../domain/scenario-state.js'
import type { World } from '../../domain/world.js'
import type { JsonResponse } from '../../history/log-record.js'
import type { Cause } from '../../kernel/entry.js'
import type { Fault } from '../../scenarios/faults/fault.js'
import type { LiveWorld } from '../../worlds/live-world.js'
import { EVERYTHING } from '../../worlds/tenants.js'
import type { Api, Authenticated, HandlerResult } from '../operation/api.js'
import type { BodyText, ParsedBody, RequestContext, RequestView } from '../operation/context.js'
import type { Operation } from '../operation/operation.js'
import { ExchangeLog } from './exchange-log.js'
import { parseRequestReadings, READING_HEADER } from './request-choices.js'
import { errorResponse } from './respond.js'
import { drawRequestId } from './response-headers.js'
import { withWrittenNumber } from './written-numbers.js'

/** The part of the pipeline that differs by operation, or handles an unknown path. */
export interface Route {
  readonly operation: Operation | undefined
  /** Validates the request and handles it in a world, which may be a copy of an earlier state. */
  readonly run: (
    ctx: PipelineContext,
    world: World,
    body: ParsedBody,
  ) => HandlerResult | Promise<HandlerResult>
}

/** One request on its way through the pipeline. */
export class PipelineContext implements RequestContext {
  readonly req: RequestView
  readonly env: unknown
  readonly log: ExchangeLog
  readonly readings: Readings
  /**
   * The readings whose use is reported and counted; undefined in the control API, which has no
   * assumptions.
   */
  readonly use: Readings | undefined
  readonly headerChoices: Choices | undefined
  readonly headerError: unknown
  /** The default world until `authenticate` has entered another one. */
  live: LiveWorld
  /** The state that the request sees: the world brought up to its time. */
  world: World
  /** Read once, before the request enters its world. */
  bodyText: BodyText | undefined
  authenticated: Authenticated | undefined
  /** The worlds that the caller sees. */
  scope = EVERYTHING
  /** The armed call that the records of the request follow, then the scenarios of the header. */
  scenarios: readonly string[] | undefined
  /** Its command changed the world, whatever a rule makes of the response. */
  isCommitted = false
  /** A likely mistake that the response cannot show. */
  hint: string | undefined
  /** The fault of a rule whose entry is stored, so that later attempts apply it too. */
  fault: Fault | undefined
  /** The firing of an armed call that the operation must not refuse. */
  later: RuleFiring | undefined
  /** The newest entry of the world when its rules were evaluated. */
  heldSince: number | undefined
  /** The waits of the fault that are over. */
  waited: Set<string> | undefined
  /** Releases the world, which may be evicted then. */
  release: (() => void) | undefined
  #requestId: string | undefined

  constructor(
    readonly api: Api,
    readonly route: Route,
    c: RequestContext,
  ) {
    const { sandbox, kind } = api
    this.req = c.req
    this.env = c.env
    this.log = new ExchangeLog(api, c, route.operation)
    const parsed = parseRequestReadings(sandbox, c.req.header(READING_HEADER))
    this.readings = parsed.readings
    this.headerChoices = parsed.choices
    this.headerError = parsed.headerError
    this.use = kind === 'request' ? parsed.readings : undefined
    this.live = sandbox.main
    this.world = sandbox.main.world
  }

  /** Drawn once: from the world that the request entered, or from the default world. */
  get requestId(): string {
    this.#requestId ??= drawRequestId(this.api.sandbox, this.live)
    return this.#requestId
  }

  /** The request as the cause of commands. */
  get cause(): Cause {
    return createCause(this)
  }

  /** Handlers get this without the context. */
  readonly once = createOnce()

  /** Enters a world, or enters it again after a wait: meanwhile its clock moved on, or it was reset. */
  enter(live: LiveWorld): World {
    this.live = live
    this.world = live.current()
    this.readings.setWorld(this.world.tables.readings)
    return this.world
  }

  toErrorResponse(error: unknown): JsonResponse {
    const shown = withWrittenNumber(error, this.bodyText?.text)
    return errorResponse(this, shown, this.requestId, this.api.report, this.use)
  }
}

/** Makes something for all attempts of a request. */
export const createOnce = (): (<T>(make: () => T) => T) => {
  let kept: { readonly made: unknown } | undefined
  return <T>(make: () => T): T => {
    kept ??= { made: make() }
    return kept.made as T
  }
}

/** The journal keeps thousands of causes, so absent fields are left out. */
const createCause = (ctx: PipelineContext): Cause => {
  const { api, requestId: request, route, authenticated, scenarios, headerChoices: readings } = ctx
  const { kind } = api
  const operation = route.operation?.id ?? 'unknown'
  const key = authenticated?.key
  const cause = key === undefined ? { kind, request, operation } : { kind, request, operation, key }
  if (!scenarios && !readings) return cause
  return { ...cause, ...(scenarios && { scenarios }), ...(readings && { readings }) }
}
