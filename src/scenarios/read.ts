import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Document, LineCounter, parseDocument } from 'yaml'
import { explain } from '../explain.js'
import { type Rule, scenarioFile } from './language.js'

/** A rule, and where it stands. */
export type PlacedRule = Rule & { readonly source: string }

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly why: string | undefined
  readonly rules: readonly PlacedRule[]
}

/** A scenario file that cannot be used: the message names file, line, path and what is accepted. */
export class ScenarioError extends Error {
  override readonly name = 'ScenarioError'
}

export const readScenario = (path: string): Scenario => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    throw new ScenarioError(`cannot read scenario ${path}: ${(error as Error).message}`)
  }
  return parseScenario(text, basename(path))
}

/** Reads a scenario from YAML, of which JSON is a part. */
export const parseScenario = (text: string, file: string): Scenario => {
  const lines = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: lines,
    prettyErrors: false,
    logLevel: 'error',
  })
  const [broken] = document.errors
  if (broken) {
    throw new ScenarioError(`${file}:${lines.linePos(broken.pos[0]).line}: ${broken.message}`)
  }
  const lineOf = (path: readonly PropertyKey[]): number => {
    for (let depth = path.length; depth >= 0; depth--) {
      const node = document.getIn(path.slice(0, depth), true) as { range?: [number] } | undefined
      if (node?.range) return lines.linePos(node.range[0]).line
    }
    return 1
  }
  const data = dataOf(document, file)
  const result = scenarioFile.safeParse(data)
  if (!result.success) {
    const [issue] = result.error.issues
    throw new ScenarioError(
      `${file}:${lineOf(issue?.path ?? [])}: ${explain(issue ? [issue] : [], data)}`,
    )
  }
  const { name, title, why, rules } = result.data
  return {
    name,
    title,
    why,
    rules: rules.map((rule, i) => ({ ...rule, source: `${file}:${lineOf(['rules', i])}` })),
  }
}

/** The plain data of a document. Aliases can lead nowhere, or to more than anybody wants to read. */
const dataOf = (document: Document, file: string): unknown => {
  try {
    return document.toJS()
  } catch (error) {
    throw new ScenarioError(`${file}: ${(error as Error).message}`)
  }
}
