import { nanoid } from 'nanoid'
import type { ConfirmedReadings } from '../assumptions/answers-file.js'
import { parseReadings, ReadingError } from '../assumptions/parse.js'
import type { Choices } from '../assumptions/use.js'
import type { FixtureSet } from '../domain/seed-data/load.js'
import { DEFAULT_REQUEST_LOG } from '../history/request-log.js'
import {
  createSleeps,
  machineClock,
  monotonic,
  nonDecreasing,
  type Schedule,
  type Sleep,
  schedule,
} from '../lib/machine-clock.js'
import { FileError } from '../lib/read-file.js'
import { hashSecret } from '../lib/secrets.js'
import { parseSize } from '../lib/sizes.js'
import { escapeControlChars } from '../lib/text.js'
import { type Catalogue, createCatalogue } from '../scenarios/language/catalogue.js'
import { CLOCK_MODE_HELP, parseClockMode } from '../worlds/clock.js'
import type { WorldLog } from '../worlds/port.js'
import { DEFAULT_WORLD_LIMIT } from '../worlds/registry.js'
import { type BundledData, loadBundled } from './bundled-data.js'
import {
  assertValidClock,
  isDatabase,
  OptionError,
  type SandboxOptions,
  validateOptions,
  version,
} from './options.js'
import { findRegisteredScenarios } from './registered-scenarios.js'
import type { SandboxDependencies } from './sandbox.js'

const SEED_LENGTH = 12
/** With tenants. */
const WORLD_SIZE = '32MiB'
const TENANT_SIZE = '256MiB'

export const resolveDependencies = async (
  options: SandboxOptions,
  sleep: Sleep = createSleeps().sleep,
): Promise<SandboxDependencies> => {
  validateOptions(options)
  const clockSetting = parseClockMode(options.clock ?? 'real')
  if (!clockSetting) {
    throw new OptionError({ received: options.clock, expected: CLOCK_MODE_HELP }, 'clock')
  }
  assertValidClock(options)
  const bundled = await loadBundled()
  const catalogue = await catalogueFrom(options, bundled)
  const ownClock = options.machineClock ?? machineClock
  const parts = {
    version,
    catalogue,
    clock: clockSetting,
    start: options.now ?? 'fixtures',
    isClockGiven: options.clock !== undefined,
    machineClock: monotonic(ownClock),
    schedule: options.later ?? schedule,
    sleep: options.sleep ?? sleep,
    seed: options.seed,
    drawSeed: () => nanoid(SEED_LENGTH),
    apiKey: options.apiKey,
    readings: parseReadingOptions(options),
    confirmed: await confirmedReadingsFrom(options),
    strict: options.strict ?? false,
    tenantsClock: options.tenants ? monotonic(ownClock) : undefined,
    requestLog: options.requestLog ?? DEFAULT_REQUEST_LOG,
    worldLimit: options.worldLimit ?? DEFAULT_WORLD_LIMIT,
    worldBytes: parseSize(options.worldSize ?? (options.tenants ? WORLD_SIZE : '')),
    tenantBytes: parseSize(options.tenantSize ?? TENANT_SIZE),
    warn: (sentence: string) => console.error(sentence),
  }
  // Nearly last: it takes a lock, which nothing releases if another part is refused.
  const log = await openLog(options, parts.schedule)
  // Replicas on machines with different clocks give a world one time.
  const sharedClock = log?.clockOffset !== undefined && {
    machineClock: nonDecreasing(() => ownClock() + (log.clockOffset ?? 0)),
  }
  const fixtures = await resolveFixtures(options, bundled, log)
  return { ...parts, ...sharedClock, fixtures, log }
}

/** If the fixtures have the key of the option, it must have full access. */
const assertFullAccess = ({ apiKey }: SandboxOptions, { api_keys }: FixtureSet): void => {
  if (apiKey === undefined) return
  const hash = hashSecret(apiKey)
  const known = api_keys.find((key) => key.hash === hash)
  if (!known || hasFullAccess(known)) return
  throw new OptionError(
    {
      problem: `the fixtures hold this key as ${known.name}, without lasting full access`,
      expected: 'another one, or none',
    },
    'apiKey',
  )
}

const hasFullAccess = ({ permissions, status, expires_at }: FixtureKey): boolean =>
  permissions === 'full' && status === 'active' && expires_at === null

type FixtureKey = FixtureSet['api_keys'][number]

const parseReadingOptions = ({ readings = [] }: SandboxOptions): Choices => {
  try {
    return parseReadings(readings)
  } catch (error) {
    throw error instanceof ReadingError ? new OptionError(error.message, 'readings') : error
  }
}

/** Loads a store only if it is needed. */
const openLog = async (
  { data }: SandboxOptions,
  schedule: Schedule,
): Promise<WorldLog | undefined> => {
  if (data === undefined) return undefined
  // Stored worlds have posted scenarios, whose patterns are matched without being parsed again.
  await import('../scenarios/language/re2.js')
  const warn = (sentence: string) => console.error(`sandramp: ${escapeControlChars(sentence)}`)
  const open = async () => {
    if (isDatabase(data)) {
      const { openPostgresStore } = await import('../worlds/postgres/store.js')
      return openPostgresStore(data, { schedule, warn })
    }
    const { openFileStore } = await import('../worlds/file/store.js')
    return openFileStore(data, { schedule, warn })
  }
  return withOptionName('data', open)
}

const confirmedReadingsFrom = async ({
  readingsFile,
}: SandboxOptions): Promise<ConfirmedReadings> => {
  if (readingsFile === undefined) return new Map()
  const { readAnswersFile } = await import('../assumptions/answers-file.js')
  return withOptionName('readingsFile', () => readAnswersFile(readingsFile))
}

/** An existing data file has its own fixtures, so the folder does not matter. */
const resolveFixtures = async (
  options: SandboxOptions,
  bundled: BundledData,
  log: WorldLog | undefined,
): Promise<FixtureSet> => {
  if (log?.origin) return bundled.fixtures
  try {
    const fixtures = await readFixturesFor(options, bundled)
    assertFullAccess(options, fixtures)
    return fixtures
  } catch (error) {
    await log?.close()
    throw error
  }
}

const readFixturesFor = async (
  { fixtures }: SandboxOptions,
  bundled: BundledData,
): Promise<FixtureSet> => {
  if (fixtures === undefined) return bundled.fixtures
  const { readFixtures } = await import('./seed-data/read-fixtures.js')
  return withOptionName('fixtures', () => readFixtures(fixtures))
}

/** The scenarios of the options come before the bundled ones. */
const catalogueFrom = async (
  { scenarios = [] }: SandboxOptions,
  bundled: BundledData,
): Promise<Catalogue> => {
  const known = scenarios.length === 0 ? [] : findRegisteredScenarios(scenarios)
  if (known) return createCatalogue(known, bundled.scenarios)
  const { openScenarios } = await import('../scenarios/language/bundled.js')
  const opened = await withOptionName('scenarios', () => openScenarios(scenarios))
  return createCatalogue(opened, bundled.scenarios)
}

const withOptionName = async <T>(option: string, open: () => T | Promise<T>): Promise<T> => {
  try {
    return await open()
  } catch (error) {
    throw error instanceof FileError ? new OptionError(error.message, option) : error
  }
}
