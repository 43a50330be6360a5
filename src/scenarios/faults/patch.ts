import * as z from 'zod'
import { noteShown } from '../../contract/shown.js'
import type { JsonResponse } from '../../history/log-record.js'
import { defineFault } from './define.js'

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
/** Changes fields of a JSON object and its inner objects, and of each item of a list. */
const applyPatch = (sent: JsonResponse, patch: object): JsonResponse => {
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

export const patch = defineFault({
  field: 'patch',
  schema: z
    .record(z.string(), exact, PATCH)
    .refine((given) => Object.keys(given).length > 0, PATCH),
  about:
    'Changes fields of the JSON response, or of each item of a list, after the operation; absent removes a field',
  examples: ['{ rail_fee: null, reference: absent, account_details: { bank_name: X } }'],
  fills: () => ['alter'],
  effect: (fields) => ({ alter: (sent) => applyPatch(sent, fields) }),
  sentence: (fields) => `≈ done, answered with another ${Object.keys(fields).join(', ')}`,
  words: [
    {
      name: 'patch',
      about: 'Runs the operation, and changes fields of its response; `absent` removes one.',
    },
  ],
})
