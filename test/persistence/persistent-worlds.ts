import type { SandboxOptions } from '../../src/runtime/options.js'
import { dataFile } from '../support/data-folder.js'
import { MemoryDisk } from '../support/memory-disk.js'
import { openPersistent, type PersistentSandbox } from '../support/persistent-sandbox.js'
import { payoutRequest } from '../support/requests.js'
import { worldKey } from '../support/worlds.js'

const PAYOUT = '/payment/api/v1/payout'
export const USERS = '/onboarding/api/v1/users/all'
const LONG_MS = 5 * 60_000

/** A sandbox that keeps its worlds, on a disk and by a machine clock of the test's own. */
export const openWorlds = async (options: SandboxOptions = {}) => {
  const file = dataFile()
  const disk = new MemoryDisk()
  let now_ms = 0
  const open = (others: SandboxOptions) =>
    openPersistent(file, disk, { machineClock: () => now_ms, ...others })
  const api = await open(options)
  return {
    api,
    disk,
    /** Starts on the same files once more. */
    again: (others = options) => open(others),
    /** Leaves the files as a crash does. */
    crash: async (): Promise<void> => {
      const left = disk.copy()
      await api.sandbox.close()
      disk.become(left)
    },
    /** Lets so much time pass that every world can be evicted. */
    rest: (): void => {
      now_ms += LONG_MS
    },
    /** Somebody uses a world, long after the one before. */
    visit: async (name: string): Promise<void> => {
      now_ms += LONG_MS
      await api.call('GET', USERS, undefined, worldKey(name))
      await settle(api)
    },
  }
}

export const findLiveWorld = async ({ sandbox: { worlds } }: PersistentSandbox, key: string) => {
  const name = worlds.keys.nameWorld(key)
  if (name) await worlds.load(name.id)
  const live = name && worlds.enter(name)
  if (!live) throw new Error(`${key} opens nothing`)
  return live
}

/** Somebody pays in a world, beside the three payouts that the fixtures bring. */
export const pay = (
  api: PersistentSandbox,
  name: string,
  customer_payout_id = payoutRequest().customer_payout_id,
) => api.call('POST', PAYOUT, { ...payoutRequest(), customer_payout_id }, worldKey(name))

/** Lets the store write what it has in hand. */
export const settle = async ({ sandbox }: PersistentSandbox): Promise<void> => {
  for (let turn = 0; turn < 50; turn++) {
    await sandbox.flushed()
    await new Promise(setImmediate)
  }
}
