import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { openSandbox } from '../app.js'
import { type ExitReason, spawnCommand } from '../cli/run/child-process.js'
import type { RunOptions } from '../cli/run/run-flags.js'
import { commandEnvironment, playPending } from '../cli/run/run-in-sandbox.js'
import { usedWorlds, worldName } from '../cli/run/world-results.js'
import { findLabel } from '../domain/api-keys.js'
import { type ConductLine, judgeConduct } from '../history/conduct.js'
import { buildLineage } from '../history/lineage.js'
import { describeEvidence, isPaidTwice } from '../history/paid-twice.js'
import { firedRules } from '../history/rule-activity.js'
import type { LoggedExchange } from '../history/views.js'
import { createSleeps, machineClock } from '../lib/machine-clock.js'
import { registerScenarios } from '../runtime/registered-scenarios.js'
import type { Misplaced, Sandbox } from '../runtime/sandbox.js'
import { MAX_DELAY_MS } from '../scenarios/faults/timing.js'
import { parseScenario } from '../scenarios/language/parse-scenario.js'
import type { LiveWorld } from '../worlds/live-world.js'
import { findOwnKey } from '../worlds/registry.js'
import { type Cell, RULE, SCENARIO, toScenario } from './cells.js'
import { type Claim, readClaims } from './claims.js'
import { type Payment, readPayments } from './payments.js'

/** A world after the command. */
export interface EndedWorld {
  /** Of its test; empty for the default world. */
  readonly name: string
  readonly id: string
  /** Such as `the world "pays once"`; empty for the default world. */
  readonly label: string
  readonly requests: readonly LoggedExchange[]
  readonly conduct: readonly ConductLine[]
  /** The payments when the command ended, and when all timers had fired. */
  readonly paid: readonly Payment[]
  readonly later: readonly Payment[]
  /** Second payments that the verdicts name, in words. */
  readonly paidTwice: readonly string[]
  /** The journal entry of the fault; undefined if the fault met no call. */
  readonly fired: number | undefined
}

/** A run of the command, with or without a fault. */
export interface EndedRun {
  readonly exit: ExitReason
  readonly output: string
  readonly claims: readonly Claim[]
  readonly worlds: readonly EndedWorld[]
  readonly command_ms: number
  /** Stopped, because its requests had no end. */
  readonly isEndless: boolean
  /** Machine times at which the command was killed. */
  readonly kills: readonly number[]
  readonly misplaced: Misplaced | undefined
}

/** Two equal runs without a fault. */
export interface FirstRuns {
  readonly first: EndedRun
  readonly again: EndedRun
}

export interface CellLimits {
  readonly timeout_ms: number
  /** More requests are a loop. */
  readonly maxRequests: number
  /** Starts the command again in the same sandbox after it ended well. */
  readonly isTwice?: boolean
  readonly onOutput?: (chunk: Buffer) => void
}

/** Runs the command in a sandbox of its own. Undefined if a signal stopped it. */
export const runCell = async (
  run: RunOptions,
  cell: Cell | undefined,
  limits: CellLimits,
): Promise<EndedRun | undefined> => {
  // A second start finds what the first one kept there.
  const folder = mkdtempSync(join(tmpdir(), 'sandramp-cell-'))
  const claimsFile = join(folder, 'claims')
  const delays = createSleeps()
  const [crash, halt] = [new AbortController(), new AbortController()]
  const kills: number[] = []
  const kill = (it: AbortController) => {
    if (!it.signal.aborted) kills.push(machineClock())
    it.abort()
  }
  let requests = 0
  const sandbox = await openSandbox({
    ...run.sandbox,
    scenarios: registerCell(cell),
    log: () => {
      if (++requests > limits.maxRequests) kill(halt)
    },
    sleep: (ms, early) => {
      // The call hangs after its commit: the moment of the crash.
      if (cell?.fault.kills && ms === MAX_DELAY_MS) kill(crash)
      return delays.sleep(ms, early)
    },
  })
  try {
    const { url } = await sandbox.listen({ port: 0 })
    const own = { SANDRAMP_CELL_DIR: folder, SANDRAMP_CLAIMS: claimsFile }
    const env = commandEnvironment(run, url, own)
    const chunks: Buffer[] = []
    const onOutput = (chunk: Buffer) => {
      chunks.push(chunk)
      limits.onOutput?.(chunk)
    }
    const start = (signal: AbortSignal) =>
      spawnCommand(run.command, env, limits.timeout_ms, onOutput, signal)
    const startedAt = machineClock()
    let exit = await start(AbortSignal.any([crash.signal, halt.signal]))
    const isAgain = crash.signal.aborted ? exit.kind === 'killed' : limits.isTwice
    if (isAgain) exit = await start(halt.signal)
    const endedAt = machineClock()
    if (exit.kind === 'interrupted') return undefined
    if (exit.kind === 'timed_out') kills.push(startedAt + limits.timeout_ms)
    const used = usedWorlds(sandbox.core)
    const paid = used.map((live) => readPayments(sandbox.core.verificationInput(live)))
    // The service goes on with what the client no longer waits for.
    delays.end()
    await nextTurn()
    await nextTurn()
    return {
      ...{ exit, kills, misplaced: sandbox.core.misplaced, isEndless: halt.signal.aborted },
      output: Buffer.concat(chunks).toString(),
      claims: existsSync(claimsFile) ? readClaims(readFileSync(claimsFile, 'utf8')) : [],
      worlds: nameWorlds(used.map((live, i) => endWorld(sandbox.core, live, paid[i] ?? []))),
      command_ms: endedAt - startedAt,
    }
  } finally {
    await sandbox.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

const registerCell = (cell: Cell | undefined): readonly string[] => {
  if (!cell) return []
  const names = [SCENARIO]
  registerScenarios(names, [parseScenario(JSON.stringify(toScenario(cell)), SCENARIO)])
  return names
}

const endWorld = (core: Sandbox, live: LiveWorld, paid: readonly Payment[]): EndedWorld => {
  playPending(live)
  const input = core.verificationInput(live)
  const firing = buildLineage(live.journal.all()).find((entry) =>
    firedRules([entry]).some(({ rule }) => rule === RULE),
  )
  const requests = input.exchanges()
  return {
    ...{ name: findLabel(findOwnKey(live)) ?? '', id: live.id, requests, paid },
    label: live.key ? worldName(live) : '',
    conduct: judgeConduct(requests),
    later: readPayments(input),
    paidTwice: input.paidTwice().twice.filter(isPaidTwice).map(describeEvidence),
    fired: firing?.seq,
  }
}

/** Worlds of equal names are numbered, so that each has its counterpart in other runs. */
const nameWorlds = (worlds: readonly EndedWorld[]): EndedWorld[] => {
  const counts = new Map<string, number>()
  return worlds.map((world) => {
    const count = (counts.get(world.name) ?? 0) + 1
    counts.set(world.name, count)
    return count === 1 ? world : { ...world, name: `${world.name} #${count}` }
  })
}
