import type { Scenario } from './parse-scenario.js'

/** Limit of listed problems. */
const MAX_ISSUES = 100

/** A scenario, or problems with line and column, one per line. */
export type ParsedUpload = { readonly scenario: Scenario } | { readonly problems: string }

/** Loads the YAML library with the first upload. */
export const parseUploaded = async (text: string): Promise<ParsedUpload> => {
  const { parseScenario, ScenarioError } = await import('./parse-scenario.js')
  try {
    const label = (name: string) => `${name} (posted)`
    return { scenario: parseScenario(text, 'body', { most: MAX_ISSUES, label }) }
  } catch (error) {
    if (error instanceof ScenarioError) return { problems: error.message }
    throw error
  }
}
