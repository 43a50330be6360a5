import type { Tables } from '../../domain/schema.js'
import type { Scenario } from './parse-scenario.js'

/** Where scenarios are found by name, besides those that were posted to a world. */
export interface Catalogue {
  /** Those that a world plays from its start, in order of precedence. */
  readonly start: readonly string[]
  readonly find: (name: string) => Scenario | undefined
  readonly names: () => readonly string[]
}

/** Always played, behind every other scenario. */
export const LAST = 'happy-path'
/** The scenario that every world starts with besides. */
export const MAGIC = 'magic-values'

/** The scenarios that come with the package: those that every world starts with, and all of them. */
export interface ShippedScenarios {
  readonly started: readonly Scenario[]
  readonly all: () => readonly Scenario[]
}

/** Those that were asked for at the start go first, and hide shipped ones of their name. */
export const createCatalogue = (
  given: readonly Scenario[],
  shipped: ShippedScenarios,
): Catalogue => {
  const near = byName([...shipped.started, ...given])
  let far: ReadonlyMap<string, Scenario> | undefined
  const all = () => {
    far ??= byName([...shipped.all(), ...near.values()])
    return far
  }
  const names = [...given, ...shipped.started].map(({ name }) => name)
  return {
    start: [...new Set(names)].filter((name) => name !== LAST),
    find: (name) => near.get(name) ?? all().get(name),
    names: () => [...all().keys()],
  }
}

const byName = (scenarios: readonly Scenario[]) =>
  new Map(scenarios.map((scenario) => [scenario.name, scenario]))

/** The scenario of this name in a world: one that was posted there, or one of the catalogue. */
export const findScenario = (
  catalogue: Catalogue,
  tables: Tables,
  name: string,
): Scenario | undefined =>
  (tables.posted.get(name)?.scenario as Scenario | undefined) ?? catalogue.find(name)

/** Names of all scenarios that a world can play. */
export const namesIn = (catalogue: Catalogue, tables: Tables): string[] =>
  [...new Set([...catalogue.names(), ...tables.posted.all().map(({ id }) => id)])].sort()
