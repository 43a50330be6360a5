import { watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { readAnswersFile } from '../assumptions/answers-file.js'
import { AppError, invalidValue } from '../lib/app-error.js'
import { schedule } from '../lib/machine-clock.js'
import { escapeControlChars } from '../lib/text.js'
import type { Sandbox } from '../runtime/sandbox.js'
import type { Catalogue } from '../scenarios/language/catalogue.js'
import { readScenarioFile, type Scenario } from '../scenarios/language/parse-scenario.js'

/** Reloads the files of scenarios and readings when they change. Worlds keep their state. */
export const watchFiles = (core: Sandbox, readingsFile: string | undefined): void => {
  for (const name of core.catalogue.start) {
    const file = core.catalogue.find(name)?.file
    if (file !== undefined) watchFile(file, () => reloadScenario(core.catalogue, name, file))
  }
  if (readingsFile !== undefined) watchFile(readingsFile, () => reloadReadings(core, readingsFile))
}

/** An editor writes a file in several steps. */
const SETTLED_MS = 100

/** Watches the folder: an editor may replace the file by another one. `reload` returns what changed. */
const watchFile = (file: string, reload: () => string[]): void => {
  let cancel = () => {}
  watch(dirname(file), (_, name) => {
    if (name !== basename(file)) return
    cancel()
    cancel = schedule(SETTLED_MS, () => {
      const message = tryReload(file, reload)
      if (message !== undefined) process.stderr.write(`sandramp: ${escapeControlChars(message)}\n`)
    })
  })
}

const tryReload = (file: string, reload: () => string[]): string | undefined => {
  try {
    const changes = reload()
    return changes.length === 0 ? undefined : `${file} reloaded: ${changes.join(', ')}`
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return `${error.message} The last version stays active.`
  }
}

const reloadScenario = (catalogue: Catalogue, name: string, file: string): string[] => {
  const before = catalogue.find(name) as Scenario
  const after = readScenarioFile(file)
  if (after.text === before.text) return []
  if (after.name !== name) {
    throw invalidValue(`name in ${file}`, after.name, name, 'Start again to use another name')
  }
  catalogue.replace(after)
  const changes = listChanges(before, after)
  return changes.length > 0 ? changes : ['same rules and expectations']
}

const listChanges = (before: Scenario, after: Scenario): string[] =>
  (['rules', 'expect'] as const).flatMap((list) => {
    const [old, current] = [before[list].map(withoutPlace), after[list].map(withoutPlace)]
    const longer = old.length > current.length ? old : current
    return longer.flatMap((_, i) =>
      old[i] === current[i] ? [] : [list === 'rules' ? `${after.name}/${i}` : `expect.${i}`],
    )
  })

const withoutPlace = (it: object): string => JSON.stringify({ ...it, source: undefined })

const reloadReadings = (core: Sandbox, file: string): string[] => {
  const before = core.confirmed
  const after = readAnswersFile(file)
  core.confirm(after)
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [old, current] = [before, after].map((answers) => answers.get(id)?.reading ?? 'open')
    return old === current ? [] : [`${id} is ${current}, was ${old}`]
  })
}
