import type { Readings } from '../assumptions/use.js'
import { ApiError } from './api-error.js'
import {
  assertPasses,
  type BodyText,
  CutShort,
  NO_BODY,
  parseJson,
  type ReadBody,
  readText,
} from './body.js'
import type { PipelineContext } from './pipeline-context.js'

const NO_TEXT: BodyText = {}

export const readBody = (ctx: PipelineContext): BodyText | Promise<BodyText> => {
  const { bodyLimit, bodies: budget } = ctx.api
  const { operation } = ctx.route
  if (!operation?.body) return NO_TEXT
  const { types, limit = bodyLimit } = operation.text ?? {}
  return readText(ctx, { limit: Math.min(limit, bodyLimit), types, budget }).then(
    (text) => ({ text }),
    (error: unknown) => ({ error }),
  )
}

export const parseBody = (
  { log, route, use }: PipelineContext,
  { text, error }: BodyText,
): ReadBody | Promise<ReadBody> => {
  if (error instanceof CutShort) log.aborted()
  if (error !== undefined) return { body: undefined, error }
  log.text(text)
  const format = route.operation?.text
  if (format) {
    return format.read(text ?? '').then(
      (body) => ({ body }),
      (error: unknown) => ({ body: undefined, error }),
    )
  }
  if (text === undefined) return NO_BODY
  try {
    if (use) assertPasses(text, use)
    const body = parseJson(text)
    log.body(body)
    return { body }
  } catch (error) {
    return { body: undefined, error }
  }
}

const READING_BY_CODE: Readonly<Record<string, 'body.type' | 'body.size'>> = {
  '4130': 'body.size',
  '4150': 'body.type',
}

/** The error of an unreadable body in these readings (body.size, body.type). */
export const applySizeReadings = (error: unknown, readings: Readings): unknown => {
  const doubt = error instanceof ApiError ? READING_BY_CODE[error.code] : undefined
  if (!doubt || readings.use(doubt) !== 'invalid') return error
  const { message, headers } = error as ApiError
  return new ApiError('4000', message, headers)
}
