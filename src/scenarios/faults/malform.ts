import type * as z from 'zod'
import type { JsonResponse } from '../../history/log-record.js'
import { oneOf } from '../../lib/yaml/strict.js'
import { defineFault } from './define.js'

const NUMBER = /^-?\d/

/** The beginning of a number is a number too. */
const firstHalf = (text: string): string =>
  NUMBER.test(text) ? '' : text.slice(0, Math.ceil(text.length / 2))

const withType =
  (type: string) =>
  ({ headers }: JsonResponse) => ({
    headers: { ...headers, 'content-type': type },
  })

const HTML = '<!doctype html><title>Gateway</title><h1>Please wait</h1>'

type Change = (sent: JsonResponse) => Partial<JsonResponse>

/** The change of the response, and how a diagram words it. */
const WAYS: Readonly<Record<Way, readonly [change: Change, sentence: string]>> = {
  truncated_json: [({ text }) => ({ text: firstHalf(text) }), 'with half of the JSON'],
  html: [(sent) => ({ ...withType('text/html')(sent), text: HTML }), 'with a page of HTML'],
  wrong_content_type: [withType('text/plain'), 'as text/plain'],
  empty: [() => ({ text: '' }), 'with nothing'],
}
const schema = oneOf(['truncated_json', 'html', 'wrong_content_type', 'empty'])
type Way = z.output<typeof schema>

export const malform = defineFault({
  field: 'malform',
  schema,
  about: 'Corrupts the response after the operation: its body or its type',
  examples: ['truncated_json', 'html', 'wrong_content_type', 'empty'],
  fills: () => ['alter'],
  effect: (way) => ({ alter: (sent) => ({ ...sent, ...WAYS[way][0](sent), garbled: true }) }),
  sentence: (way) => `≈ done, answered ${WAYS[way][1]}`,
  words: [{ name: 'malform', about: 'Runs the operation, and spoils the body of its response.' }],
})
