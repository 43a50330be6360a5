import { type Catalogue, LAST } from './playbook.js'
import type { Scenario } from './read.js'

/** The scenarios that come with the package: those that every world starts with, and all of them. */
export interface ShippedScenarios {
  readonly started: readonly Scenario[]
  readonly all: () => readonly Scenario[]
}

/** Those that were asked for at the start go first, and hide shipped ones of their name. */
export const catalogueOf = (given: readonly Scenario[], shipped: ShippedScenarios): Catalogue => {
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
