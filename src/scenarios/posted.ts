import type { Scenario } from './read.js'

/** More than anybody reads, and few enough to be sent. */
const MOST_COMPLAINTS = 100

/** What a text is: a scenario, or no scenario and why, each complaint a line that tells line and column. */
export type Posted = { readonly scenario: Scenario } | { readonly complaints: string }

/** Reads what was posted. Reading YAML takes a library that comes with the first that is posted. */
export const readPosted = async (text: string): Promise<Posted> => {
  const { parseScenario, ScenarioError } = await import('./read.js')
  try {
    const label = (name: string) => `${name} (posted)`
    return { scenario: parseScenario(text, 'body', { most: MOST_COMPLAINTS, label }) }
  } catch (error) {
    if (error instanceof ScenarioError) return { complaints: error.message }
    throw error
  }
}
