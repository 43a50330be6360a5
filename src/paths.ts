import { fileURLToPath } from 'node:url'

/** Folders of the package. This file and the built ones both lie one level below its root. */
const inPackage = (name: string): string => fileURLToPath(new URL(`../${name}`, import.meta.url))

export const fixturesFolder = inPackage('fixtures')
export const scenariosFolder = inPackage('scenarios')
export const distFolder = inPackage('dist')
export const packageFile = inPackage('package.json')
