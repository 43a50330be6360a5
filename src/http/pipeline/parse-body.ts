import { jsonErrorMessage } from '../../lib/json.js'
import { ApiError } from '../operation/api-error.js'
import { assertFewParts, assertPassesGateway } from '../operation/body-limits.js'
import { type BodyText, NO_BODY, type ParsedBody } from '../operation/context.js'
import type { PipelineContext } from './pipeline-context.js'

export const parseBody = (
  { api, log, route, use }: PipelineContext,
  { text, error }: BodyText,
): ParsedBody | Promise<ParsedBody> => {
  if (error !== undefined) return { body: undefined, error }
  const format = route.operation?.text
  if (format) {
    return format.read(text ?? '', api.sandbox).then(
      (body) => ({ body }),
      (error: unknown) => ({ body: undefined, error }),
    )
  }
  if (text === undefined) return NO_BODY
  try {
    if (use) assertPassesGateway(text, use)
    const body = parseJson(text)
    log.setBody(body)
    return { body }
  } catch (error) {
    return { body: undefined, error }
  }
}

/** Some editors write it; it is invisible in a message. */
const BYTE_ORDER_MARK = '\ufeff'

export const parseJson = (text: string): unknown => {
  if (text.startsWith(BYTE_ORDER_MARK)) {
    throw new ApiError('4004', {
      problem: 'The body is not well-formed JSON: it begins with a byte order mark, U+FEFF',
      expected: 'JSON without one',
    })
  }
  assertFewParts(text)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new ApiError('4004', {
      problem: `The body is not well-formed JSON: ${jsonErrorMessage(error)}`,
    })
  }
}
