import { basename } from 'node:path'
import type { Scenario } from '../../scenarios/language/parse-scenario.js'

/** Where a rule or an expectation stands, by the path that was given, where it tells the file's name alone. */
export const toPath = (
  scenarios: readonly Scenario[],
  name: string | undefined,
  source: string,
): string => {
  const { file } = scenarios.find((it) => it.name === name) ?? {}
  const own = file === undefined ? '' : basename(file)
  return own && source.startsWith(`${own}:`) ? `${file}${source.slice(own.length)}` : source
}
