import { openSandbox } from '../../src/app.js'
import { audit } from '../../src/domain/audit.js'
import type { Commands } from '../../src/domain/world.js'
import { showExchange } from '../../src/history/views.js'
import { CommandRecord } from '../../src/kernel/command-record.js'
import type { Cause, Entry } from '../../src/kernel/entry.js'
import type { InputOf } from '../../src/kernel/kernel.js'
import { toIso } from '../../src/kernel/time.js'
import type { SandboxOptions } from '../../src/runtime/options.js'
import type { Expectation } from '../../src/scenarios/language/expectations.js'
import { readExpectations, verify } from '../../src/scenarios/verify/parse-expectations.js'
import { type AdvanceRequest, parseAdvanceTarget, parseUntil } from '../../src/worlds/clock.js'

export type InnerSandbox = Awaited<ReturnType<typeof createInner>>

/** A sandbox with its core: tests run commands at once, and read records that no API shows. */
export const createInner = async (options: SandboxOptions = {}) => {
  const { core, fetch, listen, close } = await openSandbox(options)
  const { main } = core
  return {
    fetch,
    listen,
    close,
    run: <K extends keyof Commands & string>(
      command: K,
      input: InputOf<Commands[K]>,
    ): ReturnType<Commands[K]> => main.current().run(command, input, byTest()),
    advance: (how: string | AdvanceRequest) => {
      const request = typeof how === 'string' ? { by: how } : how
      const { now, count, fired } = main.advance(
        parseAdvanceTarget(main.current(), request),
        byTest(),
      )
      return { now: toIso(now), count, fired: fired.map(toPlainEntry) }
    },
    verify: async (expect: readonly Expectation[], { until }: { until?: string } = {}) => {
      const read = readExpectations(expect, core.catalogue, main.current().tables, core.fixtures)
      if ('problems' in read) throw new TypeError(read.problems.map((it) => it.message).join('\n'))
      if (until !== undefined) main.advance(parseUntil(main.current(), until), byTest())
      await main.requests.update()
      return verify(read.expectations, core.verificationInput(main))
    },
    entries: () => main.journal.all().map(toPlainEntry),
    requests: () => main.requests.list().map(showExchange),
    audit: () => audit(main.world.tables),
    reset: () => main.reset(byTest()),
    flushed: async () => {
      await core.flushed()
    },
    get now() {
      return toIso(main.current().now)
    },
    get seed() {
      return main.world.seed
    },
    get tables() {
      return main.current().tables
    },
  }
}

export const toPlainEntry = (entry: Entry): Entry =>
  entry instanceof CommandRecord ? entry.toJSON() : entry

/** A new object per call: entries with the same cause form one undo unit. */
const byTest = (): Cause => ({ kind: 'library' })
