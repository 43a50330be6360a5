import * as z from 'zod'
import { noteShown } from '../../contract/shown.js'
import type { JsonResponse } from '../../history/log-record.js'
import { oneOf } from '../../lib/yaml/strict.js'

/** Changes of the body after the operation. */

const MAX_HEADERS = Number.MAX_SAFE_INTEGER
const EXACT = `a whole number from -${MAX_HEADERS} to ${MAX_HEADERS}; a body that is text keeps any`

/** The path of a whole number that is too large to be exact; undefined without one. */
const inexactIn = (value: unknown): PropertyKey[] | undefined => {
  if (Number.isInteger(value)) return Number.isSafeInteger(value) ? undefined : []
  if (typeof value !== 'object' || value === null) return undefined
  for (const [key, inner] of Object.entries(value)) {
    const path = inexactIn(inner)
    if (path) return [key, ...path]
  }
  return undefined
}

export const exact = z.unknown().superRefine((given, { addIssue }) => {
  const path = inexactIn(given)
  if (path) addIssue({ code: 'custom', path, message: EXACT })
})

const PATCH = 'an object of fields and what they are in place of it; absent takes one away'
export const patch = z
  .record(z.string(), exact, PATCH)
  .refine((given) => Object.keys(given).length > 0, PATCH)
  .optional()
  .describe(
    'Changes fields of the JSON response, or of each item of a list, after the operation; absent removes a field',
  )

/** Changes fields of a JSON object and its inner objects, and of each item of a list. */
export const applyPatch = (sent: JsonResponse, patch: object): JsonResponse => {
  const body = merged(sent.body ?? JSON.parse(sent.text), patch)
  return { ...sent, text: JSON.stringify(body), body }
}

const ABSENT = 'absent'

const merged = (body: unknown, patch: object): unknown => {
  if (Array.isArray(body)) return body.map((item) => merged(item, patch))
  if (!isObject(body)) return body
  const all: Record<string, unknown> = { ...body }
  if ('id' in patch || 'status' in patch) noteShown(undefined, all)
  for (const [name, value] of Object.entries(patch)) {
    const known = Object.hasOwn(all, name) ? all[name] : undefined
    if (value === ABSENT) delete all[name]
    else
      all[name] =
        isObject(value) && typeof known === 'object' && known !== null
          ? merged(known, value)
          : value
  }
  return all
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const NUMBER = /^-?\d/

export const MALFORMED = {
  truncated_json: (sent: JsonResponse): JsonResponse => ({
    ...sent,
    // The beginning of a number is a number too.
    text: NUMBER.test(sent.text) ? '' : sent.text.slice(0, Math.ceil(sent.text.length / 2)),
  }),
  html: (sent: JsonResponse): JsonResponse => ({
    ...sent,
    headers: { ...sent.headers, 'content-type': 'text/html' },
    text: '<!doctype html><title>Gateway</title><h1>Please wait</h1>',
  }),
  wrong_content_type: (sent: JsonResponse): JsonResponse => ({
    ...sent,
    headers: { ...sent.headers, 'content-type': 'text/plain' },
  }),
  empty: (sent: JsonResponse): JsonResponse => ({ ...sent, text: '' }),
}

export const malform = oneOf(['truncated_json', 'html', 'wrong_content_type', 'empty'])
  .optional()
  .describe('Corrupts the response after the operation')
