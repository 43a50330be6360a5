import { randomBytes } from 'node:crypto'
import { readAnswersFile } from '../assumptions/answers-file.js'
import { FACTS_FORM, type Facts, factsSchema } from '../calibrate/facts.js'
import { PLAN, type Step } from '../calibrate/probe/plan.js'
import { describePlan, describeRest } from '../calibrate/probe/plan-text.js'
import { findRun, noteEntries, runProbe, startProgress } from '../calibrate/probe/run.js'
import { findMissing, toValues } from '../calibrate/probe/values.js'
import { createWire } from '../calibrate/probe/wire.js'
import { openRecorder } from '../calibrate/recording/recorder.js'
import { createRedactor } from '../calibrate/recording/redact.js'
import { type Arguments, findText, invalidFlag, UsageError } from '../lib/arguments.js'
import { machineClock } from '../lib/machine-clock.js'
import { isLoopbackAddress } from '../lib/networks.js'
import { readHar } from './calibrate.js'
import { FAILED, handleSignals, PASSED } from './exit.js'
import { print } from './print.js'
import { readRecording, readUpstream } from './record.js'
import { readYamlFile } from './yaml-file.js'

const BODY_LIMIT = 32 * 1024 * 1024

/** Sends the plan to a service, and records it. Returns the exit code. */
export const probe = async (given: Arguments): Promise<number> => {
  const upstream = readUpstream(given, 'url')
  const facts = readFacts(given)
  assertTestService(given, upstream.url, facts)
  const resumed = findText(given, 'resume')
  const { entries: earlier, isComplete } =
    resumed === undefined ? { entries: [], isComplete: true } : readHar(resumed)
  const run = findRun(earlier) ?? randomBytes(4).toString('hex')
  const progress = startProgress(toValues(facts, run, machineClock()))
  noteEntries(progress, earlier)
  const expect = findText(given, 'expect')
  const settled = expect === undefined ? new Map() : readAnswersFile(expect)
  const open = PLAN.filter(
    ({ settles }) => settles.length === 0 || settles.some((id) => !settled.has(id)),
  )
  const isPlan = given.flags.has('plan')
  print(describePlan(open, progress.values, isPlan))
  if (isPlan) return PASSED
  const { keys } = facts
  if (!keys) throw new UsageError({ field: 'keys in the facts', expected: '{ full: <key> }' })
  const { out, openWriter } = readRecording(given, upstream, isComplete)
  const writer = openWriter()
  for (const entry of earlier) writer.append(entry as object)
  const redactor = createRedactor(false)
  const recorder = await openRecorder({
    ...{ upstream, redactor, port: 0, bodyLimit: BODY_LIMIT, openWriter: () => writer },
  })
  const { signal, done } = handleSignals(0)
  const isOver = () => signal() !== undefined
  const isAllowed = ({ kind }: Step) => kind === 'read' || given.flags.has(`allow-${kind}s`)
  const steps = open.filter((it) => isAllowed(it) && findMissing(it, progress.values).length === 0)
  const wire = createWire({ port: recorder.port, run, keys, isOver })
  const end = await runProbe(steps, progress, wire, facts.payouts?.max_total ?? 0)
  done()
  const { complete } = recorder.close()
  print(describeRest(steps, progress, out))
  if (end === undefined && complete) return PASSED
  const reason = end ?? 'a write failed'
  process.stderr.write(`sandramp: stopped: ${reason}. --resume ${out} continues\n`)
  return FAILED
}

const readFacts = (given: Arguments): Facts => {
  const file = findText(given, 'facts')
  if (file === undefined) throw new UsageError({ field: '--facts', expected: FACTS_FORM })
  return readYamlFile(file, FACTS_FORM, factsSchema)
}

const LIVE_WORDS = /(?:^|[^a-z])(?:prod|production|live)(?:[^a-z]|$)/i

/** A probe creates users and pays, so that no slip may send it to a live service. */
const assertTestService = (given: Arguments, { hostname }: URL, { keys }: Facts): void => {
  const isHere = hostname === 'localhost' || isLoopbackAddress(hostname.replace(/[[\]]/g, ''))
  if (LIVE_WORDS.test(hostname))
    throw invalidFlag(given, 'url', hostname, 'the host of a test environment')
  if (!isHere && findText(given, 'host') !== hostname)
    throw invalidFlag(given, 'host', findText(given, 'host'), `${hostname}, typed once more`)
  if (keys?.live?.includes(keys.full))
    throw new UsageError({ problem: 'keys.full of the facts is a live key', expected: 'another' })
}
