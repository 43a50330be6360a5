import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tables } from '../../domain/schema.js'
import type { ErrorDetails } from '../../lib/app-error.js'
import { scenariosFolder } from '../../lib/paths.js'
import { formatSuggestion, nearestMatches } from '../../lib/suggest.js'
import type { Scenario } from './parse-scenario.js'

/** Finds scenarios by name, apart from those that a world uploaded. */
export interface Catalogue {
  /** Active from the start, in order of precedence. */
  readonly start: readonly string[]
  readonly find: (name: string) => Scenario | undefined
  readonly names: () => readonly string[]
  /** Replaces a scenario by a new version of its file. */
  readonly replace: (scenario: Scenario) => void
  /** Another object after each replacement. */
  readonly edition: object
}

/** Always active, after all other scenarios. */
export const HAPPY_PATH = 'happy-path'
/** Active from the start in every world. */
export const MAGIC_VALUES = 'magic-values'

export interface BundledScenarios {
  readonly started: readonly Scenario[]
  readonly all: () => readonly Scenario[]
}

/** Scenarios given at the start come first, and hide bundled ones of the same name. */
export const createCatalogue = (
  given: readonly Scenario[],
  shipped: BundledScenarios,
): Catalogue => {
  let near = byName([...shipped.started, ...given])
  let far: ReadonlyMap<string, Scenario> | undefined
  const all = () => {
    far ??= byName([...shipped.all(), ...near.values()])
    return far
  }
  const names = [...given, ...shipped.started].map(({ name }) => name)
  return {
    start: [...new Set(names)].filter((name) => name !== HAPPY_PATH),
    find: (name) => near.get(name) ?? all().get(name),
    names: () => [...all().keys()],
    replace: (scenario) => {
      near = new Map(near).set(scenario.name, scenario)
      far = undefined
    },
    get edition() {
      return near
    },
  }
}

const byName = (scenarios: readonly Scenario[]) =>
  new Map(scenarios.map((scenario) => [scenario.name, scenario]))

/** Uploaded scenarios of the world first, then the catalogue. */
export const findScenario = (
  catalogue: Catalogue,
  tables: Tables,
  name: string,
): Scenario | undefined =>
  (tables.posted.get(name)?.scenario as Scenario | undefined) ?? catalogue.find(name)

/** A rule by its name, `<scenario>/<rule>`; the first rule of a scenario without a number. */
export const findRule = (catalogue: Catalogue, tables: Tables, ruleName: string) => {
  const [name = '', index = 0] = ruleName.split('/')
  return findScenario(catalogue, tables, name)?.rules[Number(index)]
}

/** The text of an uploaded scenario, of a given file, or of a bundled one. */
export const readSource = (tables: Tables, { name, text }: Scenario): string | undefined =>
  tables.posted.get(name)?.text ?? text ?? bundledText(name)

const bundledText = (name: string): string | undefined => {
  const path = join(scenariosFolder, `${name}.yaml`)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

export const namesIn = (catalogue: Catalogue, tables: Tables): string[] =>
  [...new Set([...catalogue.names(), ...tables.posted.all().map(({ id }) => id)])].sort()

/** The error of a name that no scenario of this world has: it lists the nearest names. */
export const unknownScenario = (
  catalogue: Catalogue,
  tables: Tables,
  field: string,
  name: string,
): ErrorDetails | undefined => {
  if (findScenario(catalogue, tables, name)) return undefined
  const hint = formatSuggestion(nearestMatches(name, namesIn(catalogue, tables)))
  return { field, received: name, expected: 'a name that GET /_sandbox/scenarios lists', hint }
}
