import { nanoid } from 'nanoid'
import { type Later, later, machineClock, type Sleep, steady, waits } from './clock.js'
import { DEFAULT_REQUEST_LOG } from './exchanges/requests.js'
import { FileError } from './file-error.js'
import { isMemoryShort } from './memory.js'
import {
  assertTelling,
  assertUsable,
  OptionError,
  type SandboxOptions,
  version,
} from './options.js'
import { PACE_FORMS, readPace } from './pace.js'
import { ReadingError, readChoices } from './readings.js'
import type { SandboxParts } from './sandbox.js'
import { type Catalogue, catalogueOf } from './scenarios/catalogue.js'
import { hashSecret } from './secrets.js'
import type { Settled } from './settled.js'
import { loadShipped, type Shipped } from './shipped.js'
import { OtherSeed } from './store/data-error.js'
import type { OpenedStore } from './store/open-store.js'
import { printable } from './terminal.js'
import type { FixtureSet } from './world/fixtures.js'
import type { Choices } from './world/readings.js'
import { DEFAULT_WORLD_LIMIT } from './worlds.js'

const SEED_LENGTH = 12

/** Reads and checks all that a sandbox is made of; `sleep` waits where no option says how. */
export const partsOf = async (
  options: SandboxOptions,
  sleep: Sleep = waits().sleep,
): Promise<SandboxParts> => {
  assertUsable(options)
  const pace = readPace(options.clock ?? 'real')
  if (!pace) {
    throw new OptionError(`${JSON.stringify(options.clock)} came; accepted: ${PACE_FORMS}`, 'clock')
  }
  assertTelling(options)
  const shipped = await loadShipped()
  const catalogue = await catalogueFrom(options, shipped)
  const running = options.later ?? later
  const parts = {
    version,
    catalogue,
    pace,
    start: options.now ?? 'fixtures',
    paceGiven: options.clock !== undefined,
    machineClock: steady(options.machineClock ?? machineClock),
    later: running,
    sleep: options.sleep ?? sleep,
    seed: options.seed,
    drawSeed: () => nanoid(SEED_LENGTH),
    apiKey: options.apiKey,
    readings: readingsOf(options),
    settled: await settledOf(options),
    strict: options.strict ?? false,
    requestLog: options.requestLog ?? DEFAULT_REQUEST_LOG,
    worldLimit: options.worldLimit ?? DEFAULT_WORLD_LIMIT,
    isMemoryShort,
    warn: (sentence: string) => console.error(sentence),
  }
  // Nearly the last of all: it takes a lock, which nobody would let go of if something else were refused.
  const data = await storeOf(options, running)
  return { ...parts, fixtures: await fixturesFor(options, shipped, data), data }
}

/** One of the fixtures is there already, and has to be what was asked for: a key with full access. */
const assertFull = ({ apiKey }: SandboxOptions, { api_keys }: FixtureSet): void => {
  if (apiKey === undefined) return
  const hash = hashSecret(apiKey)
  const known = api_keys.find((key) => key.hash === hash)
  if (!known || isFull(known)) return
  throw new OptionError(
    `the fixtures hold this key already, as ${known.name}, without full access for good; ` +
      'accepted: another one, or none',
    'apiKey',
  )
}

const isFull = ({ permissions, status, expires_at }: FixtureKey): boolean =>
  permissions === 'full' && status === 'active' && expires_at === null

type FixtureKey = FixtureSet['api_keys'][number]

const readingsOf = ({ readings = [] }: SandboxOptions): Choices => {
  try {
    return readChoices(readings)
  } catch (error) {
    throw error instanceof ReadingError ? new OptionError(error.message, 'readings') : error
  }
}

/** Loads what keeping takes only when it is asked for. */
const storeOf = async (
  { data, seed }: SandboxOptions,
  later: Later,
): Promise<OpenedStore | undefined> => {
  if (data === undefined) return undefined
  const { openStore } = await import('./store/open-store.js')
  const tell = (sentence: string) => console.error(`sandramp: ${printable(sentence)}`)
  try {
    return await named('data', () => openStore(data, { seed, later, tell }))
  } catch (error) {
    throw error instanceof OtherSeed ? new OptionError(error.message, 'seed') : error
  }
}

const settledOf = async ({ readingsFile }: SandboxOptions): Promise<Settled> => {
  if (readingsFile === undefined) return new Map()
  const { readSettled } = await import('./settled.js')
  return named('readingsFile', () => readSettled(readingsFile))
}

/** A data file that was there has its own, so that the folder may be another one by now, or gone. */
const fixturesFor = async (
  options: SandboxOptions,
  shipped: Shipped,
  data: OpenedStore | undefined,
): Promise<FixtureSet> => {
  if (data?.found) return shipped.fixtures
  try {
    const fixtures = await fixturesOf(options, shipped)
    assertFull(options, fixtures)
    return fixtures
  } catch (error) {
    await data?.store.abandon()
    throw error
  }
}

const fixturesOf = async ({ fixtures }: SandboxOptions, shipped: Shipped): Promise<FixtureSet> => {
  if (fixtures === undefined) return shipped.fixtures
  const { readFixtures } = await import('./fixtures/read.js')
  return named('fixtures', () => readFixtures(fixtures))
}

/** Those asked for, in order, before the shipped ones. */
const catalogueFrom = async (
  { scenarios = [] }: SandboxOptions,
  shipped: Shipped,
): Promise<Catalogue> => {
  if (scenarios.length === 0) return catalogueOf([], shipped.scenarios)
  const { openScenarios } = await import('./scenarios/shipped.js')
  const opened = await named('scenarios', () => openScenarios(scenarios))
  return catalogueOf(opened, shipped.scenarios)
}

/** Tells with which option a file came that cannot be used. */
const named = async <T>(option: string, open: () => T | Promise<T>): Promise<T> => {
  try {
    return await open()
  } catch (error) {
    throw error instanceof FileError ? new OptionError(error.message, option) : error
  }
}
