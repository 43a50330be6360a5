import { hasExitedWell } from '../cli/run/report.js'
import { formatConduct, type Habit } from '../history/conduct.js'
import { isDelivered } from '../history/delivered.js'
import type { LoggedExchange } from '../history/views.js'
import { parseInstant } from '../kernel/time.js'
import { plural } from '../lib/text.js'
import { idIn, operationOf } from './calls.js'
import type { Cell } from './cells.js'
import { compareWords } from './claims.js'
import { findSurplus, formatSurplus, type Payment } from './payments.js'
import type { EndedRun, EndedWorld, FirstRuns } from './run-cell.js'

/** The worst first, each with its mark in the matrix. The recipe about sweeps has a heading for each. */
export const KINDS = {
  'paid-twice': { mark: '2×', does: 'PAYS TWICE' },
  lost: { mark: '0', does: 'SAYS PAID, AND DID NOT PAY' },
  'false-claim': { mark: '≠', does: 'REPORTS WHAT IS NOT SO' },
  'end-unseen': { mark: '…', does: 'STOPS LOOKING BEFORE THE END' },
  hangs: { mark: '∞', does: 'NEVER ENDS' },
  unlearned: { mark: '?', does: 'PASSES WITHOUT KNOWING WHETHER IT PAID' },
  'retry-after': { mark: '#', does: 'repeats before the time in retry-after' },
  unsure: { mark: '~', does: 'ends in a way that only you can judge' },
} as const
export type Kind = keyof typeof KINDS
export const KIND_NAMES = Object.keys(KINDS) as Kind[]

/** A note never fails a sweep. */
export const isNote = (kind: Kind): boolean => kind === 'retry-after' || kind === 'unsure'

export interface Finding {
  readonly kind: Kind
  readonly world: EndedWorld
  readonly text: string
}

/** `owned`: the command failed. `other`: it passed with other payments. `void`: load explains the end. */
export type Verdict = 'same' | 'owned' | 'other' | 'noted' | 'bad' | 'unreached' | 'void'

export interface Judged {
  readonly cell: Cell
  readonly ended: EndedRun
  /** The worst first. */
  readonly findings: readonly Finding[]
  readonly verdict: Verdict
}

export const judge = (cell: Cell, ended: EndedRun, runs: FirstRuns): Judged => {
  if (isDisturbed(ended)) return { cell, ended, findings: [], verdict: 'void' }
  const reached = ended.worlds.filter(({ fired }) => fired !== undefined)
  const views = reached.map((world) => toView(world, ended, runs))
  const findings = KIND_NAMES.flatMap((kind) =>
    views.flatMap((view) => JUDGES[kind](view).map((text) => ({ kind, world: view.world, text }))),
  )
  return { cell, ended, findings, verdict: decide(findings, views) }
}

const decide = (findings: readonly Finding[], views: readonly View[]): Verdict => {
  if (views.length === 0) return 'unreached'
  if (findings.length > 0) return findings.every(({ kind }) => isNote(kind)) ? 'noted' : 'bad'
  if (views.some(({ hasFailed }) => hasFailed)) return 'owned'
  const isOther = ({ world: { paid }, twin }: View) =>
    findSurplus(paid, twin?.paid).length + findSurplus(twin?.paid, paid).length > 0
  return views.some(isOther) ? 'other' : 'same'
}

/** A killed client leaves its requests within this time. */
const KILL_MS = 1_000

/** Whether the client left a request that no fault held: its patience is short, or the machine is busy. */
export const isDisturbed = ({ worlds, kills }: EndedRun): boolean =>
  worlds
    .flatMap(({ requests }) => requests)
    .some(({ started_at, aborted_ms, fault }) => {
      if (aborted_ms === null || fault !== null) return false
      const left = parseInstant(started_at) + aborted_ms
      return !kills.some((at) => Math.abs(left - at) < KILL_MS)
    })

/** A world of a cell, beside the same world of the first run. */
interface View {
  readonly world: EndedWorld
  readonly twin: EndedWorld | undefined
  readonly ended: EndedRun
  readonly isTest: boolean
  /** As its test claims; otherwise as the exit code says. */
  readonly hasFailed: boolean
  /** Output compared with the first runs. A test says as much by passing. */
  readonly words: 'same' | 'more' | 'other'
}

const toView = (world: EndedWorld, ended: EndedRun, { first, again }: FirstRuns): View => {
  const claim = ended.claims.find(({ about }) => about === world.id)
  return {
    ...{ world, ended, isTest: claim !== undefined },
    twin: first.worlds.find(({ name }) => name === world.name),
    hasFailed: claim ? claim.says === 'failed' : !hasExitedWell(ended.exit),
    words: claim ? 'same' : compareWords(ended.output, [first.output, again.output]),
  }
}

/** As the verdicts judge, or by content against the first run, which knows the sum of the bill. */
const findPaidTwice = ({ world, twin }: View): string[] => {
  const surplus = findSurplus(world.later, twin?.later).map(formatSurplus)
  return surplus.length > 0 ? surplus : world.paidTwice.slice(twin?.paidTwice.length ?? 0)
}

/** Missing money is judged when the command ended, surplus money after virtual time was played out. */
const JUDGES: Readonly<Record<Kind, (view: View) => string[]>> = {
  'paid-twice': findPaidTwice,

  lost: (view) => (view.words === 'same' ? findMissing(view) : []),

  'false-claim': ({ world, ended }) =>
    ended.claims.flatMap(({ says, about }) => {
      const isPaid = ({ reference, id, isLive }: Payment) =>
        isLive && (reference === about || id === about)
      const live = world.later.find(isPaid)
      if (live && (says === 'failed' || says === 'refunded'))
        return [`the command says ${says} about the ${live.what}, now paid`]
      // The payment may be in another world.
      const isTrue = ended.worlds.some(({ paid, later }) => [...paid, ...later].some(isPaid))
      if (says !== 'paid' || isTrue) return []
      return [`the command says paid about ${about}, which is not paid`]
    }),

  // A command that never polls may leave the end to others.
  'end-unseen': ({ world: { paid, later, requests }, hasFailed, words }) =>
    later.flatMap(({ id, what, status, isLive, reference = id }) => {
      const before = paid.find((it) => it.id === id)
      const reads = requests.filter((it) => it.path.includes(id) || idIn(it) === reference)
      const isUnseen = !isLive && before?.isLive && !before.status.endsWith('_PROCESSED')
      if (hasFailed || words !== 'same' || !isUnseen || reads.length < 2) return []
      return [`the command read the ${what} until ${before.status}; then it was ${status}`]
    }),

  hangs: ({ world: { requests }, ended: { isEndless } }) =>
    isEndless ? [`${plural(requests.length, 'request')} had no end${formatLast(requests)}`] : [],

  unlearned: ({ world, twin, hasFailed }) => {
    const usual = twin ? findUnshown(twin).map(({ what }) => what) : []
    const unshown = hasFailed ? [] : findUnshown(world).map(({ what }) => what)
    return unshown
      .filter((what) => !usual.includes(what))
      .map((what) => `no answer shows the ${what} to the command`)
  },

  'retry-after': ({ world }) => noteConduct(world, 'retry_after'),

  // A failed test with an unknown payout is a failed test.
  unsure: (view) => {
    const { world, ended, words, hasFailed, isTest } = view
    if (ended.exit.kind === 'timed_out' && !ended.isEndless)
      return [`it still ran after ${ended.command_ms} ms${formatLast(world.requests)}`]
    if (words === 'more') return findMissing(view)
    const isKnown = isTest || findPaidTwice(view).length > 0
    const unshown = hasFailed && !isKnown ? findUnshown(world).filter((it) => it.reference) : []
    return unshown.map(({ what }) => `the command failed, and no answer shows it the ${what}`)
  },
}

const findMissing = ({ world: { paid }, twin, hasFailed }: View): string[] =>
  (hasFailed ? [] : findSurplus(twin?.paid, paid)).map(({ what }) => {
    const dead = paid.find((it) => it.what === what && !it.isLive)
    return `the ${what} ${dead ? `is ${dead.status}` : 'was not made'}`
  })

/** Live payments in no answer that arrived. A status of success shows one even if its body is cut. */
const findUnshown = ({ later, requests }: EndedWorld): Payment[] => {
  const answers = requests
    .filter((it) => isDelivered({ ...it, garbled: false }) && Number(it.status) < 300)
    .map(({ response }) => JSON.stringify(response.body))
  return later.filter(({ id, isLive }) => isLive && !answers.some((it) => it.includes(id)))
}

/** The habit in words, if the client broke it. */
export const noteConduct = ({ conduct }: EndedWorld, habit: Habit): string[] =>
  conduct.filter((it) => it.habit === habit && it.state === 'note').map(formatConduct)

const formatLast = (requests: readonly LoggedExchange[]): string => {
  const last = requests.at(-1)
  return last ? `; the last one was ${operationOf(last)} → ${last.status ?? 'no answer'}` : ''
}
