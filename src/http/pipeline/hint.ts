import { distance } from 'fastest-levenshtein'
import { formatUnknown } from '../../lib/app-error.js'
import { DOCS } from '../../lib/paths.js'
import { didYouMean } from '../../lib/suggest.js'
import type { RequestContext } from '../operation/context.js'

/** A path of the service: its template, such as `/payment/api/v1/fx-audit/{user_id}`. */
type Template = string

const MAX_DISTANCE = 2

/** The likely mistake in a refused request; undefined when none is found. */
export const hintFor = (c: RequestContext, templates: readonly Template[]): string | undefined =>
  keyHint(c) ?? pathHint(c.req.path, templates)

const keyHint = ({ req }: RequestContext): string | undefined => {
  const key = req.header('x-api-key')
  if (key === undefined) {
    return /^bearer\b/i.test(req.header('authorization') ?? '')
      ? 'Send the API key as x-api-key, not as authorization: Bearer.'
      : undefined
  }
  if (/^(["'`]).*\1$/.test(key)) return 'The value of x-api-key is in quotes. Send it without them.'
  if (/^bearer\b/i.test(key)) return 'Send the API key alone in x-api-key, without Bearer.'
  return undefined
}

/** Suggests a path that differs by a slash or two letters. */
const pathHint = (path: string, templates: readonly Template[]): string | undefined => {
  const single = path.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1')
  const meant = nearestPath(single, templates)
  if (meant === undefined) return `GET ${DOCS} lists the calls and the docs.`
  if (meant === path) return undefined
  return path.includes('//')
    ? `The path has //. Does the base URL end in a slash? Did you mean ${meant}?`
    : `Did you mean ${meant}?`
}

const nearestPath = (path: string, templates: readonly Template[]): string | undefined => {
  let best: { path: string; edits: number } | undefined
  for (const template of templates) {
    const candidate = fillTemplate(template, path)
    if (Math.abs(candidate.length - path.length) > MAX_DISTANCE) continue
    const edits = distance(path.toLowerCase(), candidate.toLowerCase())
    if (edits > MAX_DISTANCE || edits >= (best?.edits ?? Number.POSITIVE_INFINITY)) continue
    best = { path: isPlain(candidate) ? candidate : template, edits }
  }
  return best?.path
}

/** A template with the segments of a path as its parameters. */
const fillTemplate = (template: Template, path: string): string => {
  const segments = path.split('/')
  return template
    .split('/')
    .map((segment, i) => (segment.startsWith('{') ? segments[i] || segment : segment))
    .join('/')
}

/** Names an unknown field or parameter that is probably misspelt; undefined if no known name is similar. */
export const unknownNameHint = (
  kind: string,
  name: string,
  known: readonly string[],
): string | undefined => {
  const suggestion = didYouMean(name, known)
  if (suggestion === undefined || !isPlain(name)) return undefined
  return formatUnknown(kind, name, undefined, suggestion)
}

const isPlain = (text: string): boolean => /^[\x21-\x7e]*$/.test(text)
