import { type AssumptionId, assumptions } from '../contract/assumptions/index.js'
import { isAssumption } from '../world/reading-names.js'

/** What the extensions of a document say, in words that a reader of the reference sees. */

type Json = null | boolean | number | string | Json[] | { [key: string]: Json }

/** Values of a user, not parts of a document, whatever they look like. */
const VALUES = new Set(['example', 'examples', 'default', 'enum', 'const'])

/** A copy of a document in which each part that carries provenance tells it in its description. */
export const tellProvenance = <T>(document: T): T => told(document as Json, '') as T

const told = (node: Json, key: string): Json => {
  if (Array.isArray(node)) return node.map((it) => told(it, ''))
  if (typeof node !== 'object' || node === null) return node
  const copy: Record<string, Json> = {}
  for (const [name, inner] of Object.entries(node)) {
    copy[name] = VALUES.has(name) && key !== 'properties' ? inner : told(inner, name)
  }
  const words = wordsOf(node)
  if (words === '') return copy
  const { description } = copy
  return {
    ...copy,
    description: typeof description === 'string' ? `${closed(description)} ${words}` : words,
  }
}

const wordsOf = ({
  'x-provenance': provenance,
  'x-assumption': id,
  content,
}: Readonly<Record<string, Json>>): string => {
  const own = typeof provenance === 'string' ? provenance : undefined
  const open = typeof id === 'string' && isAssumption(id) ? openQuestion(id) : undefined
  if (own === 'observed')
    return `Observed in the contract, which states no rule.${open ? ` ${open}` : ''}`
  if (open !== undefined) return open
  // Of fields the badge says it; an answer has none.
  return own === 'documented' && content !== undefined ? 'Documented in the contract.' : ''
}

/** The question, and how it is answered unless told otherwise. */
const openQuestion = (id: AssumptionId): string => {
  if (id === 'error.codes') return `Assumed (\`${id}\`): the contract gives no code for it.`

  const { question, readings } = assumptions[id]
  return `Assumed (\`${id}\`): ${question} By default: ${readings[0].means}.`
}

const closed = (text: string): string => (/[.!?…:]$/.test(text.trimEnd()) ? text : `${text}.`)
