import './engine.js'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Document, isMap, isNode, LineCounter, parseDocument, type YAMLParseError } from 'yaml'
import { isDeeper } from '../values.js'
import { LARGEST_SCENARIO } from '../world/steering.js'
import { complaintsOf } from './complain.js'
import type { Expectation } from './expectations.js'
import { type EventRule, type RequestRule, type Rule, scenarioFile } from './language.js'

/** Where a rule or an expectation stands: `file:line`. */
export interface Placed {
  readonly source: string
}
export type PlacedRule = (EventRule | RequestRule) & Placed
export type PlacedExpectation = Expectation & Placed

/** A scenario as it was read: plain JSON. */
export interface Scenario {
  readonly name: string
  readonly title: string
  readonly why: string | undefined
  readonly rules: readonly PlacedRule[]
  readonly expect: readonly PlacedExpectation[]
  /** Its file, when it came from outside the package. */
  readonly text?: string
}

/** A scenario file that cannot be used: the message names file, line, column, path and what is accepted. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
}

const MOST_COMPLAINTS = 5
/** How many levels a file may have. */
const DEEPEST = 64
const TOO_DEEP = `it is nested too deeply; accepted: ${DEEPEST} levels`
/** Of rules and of expectations: as many as anybody reads, and as can be made ready in no time. */
const MOST_ITEMS = 200

export const readScenario = (path: string): Scenario => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ScenarioError(`cannot read scenario ${path}: ${(error as Error).message}`)
  }
  return parseScenario(text, basename(path))
}

export interface Reading {
  /** How many complaints are told at most. */
  readonly most?: number
  /** What rules say of where they stand, when it is not the file. */
  readonly label?: (name: string) => string
}

/** Reads a scenario from YAML, of which JSON is a part. */
export const parseScenario = (
  text: string,
  file: string,
  { most = MOST_COMPLAINTS, label = () => file }: Reading = {},
): Scenario => {
  if (text.length > LARGEST_SCENARIO) {
    throw new ScenarioError(`${file}: it is longer than ${LARGEST_SCENARIO} characters`)
  }
  const lines = new LineCounter()
  const document = documentOf(text, file, lines)
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${file}:${Math.max(line, 1)}:${Math.max(col, 1)}`
  }
  const [broken] = document.errors
  if (broken) {
    throw new ScenarioError(`${at(broken.pos[0])}: ${whyBroken(broken)}`)
  }
  const data = dataOf(document, file)
  for (const field of ['rules', 'expect'] as const) {
    const items = (data as Record<string, unknown> | null)?.[field]
    if (!Array.isArray(items) || items.length <= MOST_ITEMS) continue
    const place = at(offsetOf(document, [field], true))
    throw new ScenarioError(`${place}: ${field}: ${items.length} came; accepted: ${MOST_ITEMS}`)
  }
  const result = scenarioFile.safeParse(data)
  if (!result.success) {
    const complaints = complaintsOf(result.error.issues, data)
    const more = complaints.length - most
    const told = complaints
      .slice(0, most)
      .map(({ path, isKey, text }) => `${at(offsetOf(document, path, isKey))}: ${text}`)
      .join('\n')
    throw new ScenarioError(more > 0 ? `${told}\nand ${more} more` : told)
  }
  const { name, title, why, rules, expect = [] } = result.data
  const placed = <T extends object>(items: readonly T[], field: string): (T & Placed)[] =>
    items.map((item, i) => {
      const { line } = lines.linePos(offsetOf(document, [field, i], false))
      return { ...item, source: `${label(name)}:${line}` }
    })
  const ruled = placed(rules as unknown as Rule[], 'rules')
  return { name, title, why, rules: ruled, expect: placed(expect, 'expect') }
}

/** Where a path begins in the text, or the nearest thing around it; for a key, the key itself. */
const offsetOf = (document: Document, path: readonly PropertyKey[], isKey: boolean): number => {
  if (isKey) {
    const parent = document.getIn(path.slice(0, -1), true)
    const pair = isMap(parent)
      ? parent.items.find(({ key }) => String(isNode(key) ? key : '') === String(path.at(-1)))
      : undefined
    if (isNode(pair?.key) && pair.key.range) return pair.key.range[0]
  }
  for (let depth = path.length; depth >= 0; depth--) {
    const node = document.getIn(path.slice(0, depth), true)
    if (isNode(node) && node.range) return node.range[0]
  }
  return 0
}

/** What the parser says, in words for whoever wrote the file. */
const whyBroken = ({ code, message }: YAMLParseError): string => {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins; accepted: one to a file'
  return message.includes('call stack') ? TOO_DEEP : message
}

const documentOf = (text: string, file: string, lineCounter: LineCounter): Document => {
  try {
    return parseDocument(text, { lineCounter, prettyErrors: false, logLevel: 'error' })
  } catch (error) {
    throw tooMuch(file, error)
  }
}

/**
 * The plain data of a document. Aliases can lead nowhere, back to themselves, or to more than anybody
 * wants to read: what is no tree, and so no JSON, is refused.
 */
const dataOf = (document: Document, file: string): unknown => {
  try {
    const data: unknown = JSON.parse(JSON.stringify(document.toJS()) ?? 'null')
    if (isDeeper(data, DEEPEST)) throw new RangeError()
    return data
  } catch (error) {
    throw tooMuch(file, error)
  }
}

const tooMuch = (file: string, error: unknown): ScenarioError => {
  if (error instanceof RangeError) return new ScenarioError(`${file}: ${TOO_DEEP}`)
  const { message } = error as Error
  const isCircle = message.startsWith('Converting circular')
  return new ScenarioError(`${file}: ${isCircle ? 'an alias leads back to itself' : message}`)
}
