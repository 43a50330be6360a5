import type { Scenario } from './parse-scenario.js'

/** More than anybody reads, and few enough to be sent. */
const MAX_ISSUES = 100

/** What a text is: a scenario, or no scenario and why, each complaint a line that tells line and column. */
export type ParsedUpload = { readonly scenario: Scenario } | { readonly complaints: string }

/** Reads what was posted. Reading YAML takes a library that comes with the first that is posted. */
export const parseUploaded = async (text: string): Promise<ParsedUpload> => {
  const { parseScenario, ScenarioError } = await import('./parse-scenario.js')
  try {
    const label = (name: string) => `${name} (posted)`
    return { scenario: parseScenario(text, 'body', { most: MAX_ISSUES, label }) }
  } catch (error) {
    if (error instanceof ScenarioError) return { complaints: error.message }
    throw error
  }
}
