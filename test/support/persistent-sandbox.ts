import { onTestFinished } from 'vitest'
import { tableNames } from '../../src/domain/schema.js'
import type { World } from '../../src/domain/world.js'
import { resolveDependencies } from '../../src/runtime/build-sandbox.js'
import type { SandboxOptions } from '../../src/runtime/options.js'
import { Sandbox } from '../../src/runtime/sandbox.js'
import type { FileSystem } from '../../src/worlds/file/file-system.js'
import { openFileStore } from '../../src/worlds/file/store.js'
import type { LiveWorld } from '../../src/worlds/live-world.js'
import { appOf, type SharedSandbox } from './shared-sandbox.js'
import { Timers } from './timers.js'

/** A sandbox that keeps its worlds, with a disk and timers of the test's own. */
export interface PersistentSandbox extends SharedSandbox {
  /** Its messages to the operator. */
  readonly warnings: string[]
}

export const openPersistent = async (
  file: string,
  fs?: FileSystem,
  { compactAt, ...options }: SandboxOptions & { readonly compactAt?: number } = {},
): Promise<PersistentSandbox> => {
  const warnings: string[] = []
  const timers = new Timers()
  const warn = (sentence: string) => void warnings.push(sentence)
  const parts = await partsFor({ clock: 'manual', ...options })
  const log = await openFileStore(file, {
    schedule: timers.later,
    warn,
    fs,
    compactAt,
  })
  const sandbox = await Sandbox.start({ ...parts, schedule: timers.later, warn, log }).catch(
    async (error) => {
      await log.close()
      throw error
    },
  )
  onTestFinished(() => sandbox.close())
  return { sandbox, warnings, timers, ...appOf(sandbox) }
}

const known = new Map<string, ReturnType<typeof resolveDependencies>>()

/** Reading the fixtures takes longer than most tests; a clock of the test's own is no plain value. */
const partsFor = async ({ machineClock, ...options }: SandboxOptions) => {
  const key = JSON.stringify(options)
  const parts = known.get(key) ?? resolveDependencies(options)
  known.set(key, parts)
  return { ...(await parts), ...(machineClock && { machineClock }) }
}

/** Lets a store that could not write try again, and waits until it knows. */
export const retry = async ({
  sandbox,
  timers,
}: Pick<PersistentSandbox, 'sandbox' | 'timers'>): Promise<void> => {
  if (!sandbox.isReadOnly) return
  timers.fire(RETRY_MS)
  while (sandbox.isReadOnly && !timers.waits.includes(RETRY_MS)) await new Promise(setImmediate)
}

const RETRY_MS = 1_000

/** All that a line is at a moment, as far as a restart must not change it. */
export const stateOf = (live: LiveWorld) => ({
  ...worldState(live.world),
  newest: live.journal.newest,
  snapshots: live
    .snapshots()
    .map(({ name, seq, world }) => ({ name, taken: seq, ...worldState(world) })),
})

const worldState = ({ seed, now, seq, count, nextDue, tables }: World) => ({
  seed,
  now,
  seq,
  count,
  nextDue,
  records: Object.fromEntries(tableNames.map((name) => [name, tables[name].all()])),
  // Timers are numbered by the entry that set them.
  next: tableNames.map((name) => (name === 'timers' ? 0 : tables[name].next)),
  balances: tables.users
    .all()
    .map(({ id }) =>
      [...tables.balances.of(`user:${id}`)]
        .map(([asset, sum]) => `${asset} ${sum.amount} ${sum.movements}`)
        .sort(),
    ),
})
