// Measures the claims about speed; README.md says how to read them. `run.js peers` compares with other mock servers.
import { benchConsole } from './console.js'
import { benchDurable } from './durable.js'
import { benchNeighbour } from './neighbour.js'
import { comparePeers } from './peers.js'
import { runProgram } from './processes.js'
import { benchExtras, benchRequests } from './requests.js'
import { benchIdleMemory, benchStart } from './starts.js'
import { benchWorlds } from './worlds.js'
import { benchOpening, benchWorldsMemory } from './worlds-by-key.js'

/** Least share of a bare server's requests. */
const SHARES = { GET: 0.62, POST: 0.6 }
const MAX_P99 = 4
/** Where a page is painted, by what it is measured as. */

if (process.argv[2] === 'peers') {
  await comparePeers()
  process.exit()
}

const met = []
const print = (name, text, goal, isMet) => {
  met.push(isMet)
  console.log(`${isMet ? 'ok  ' : 'MISS'} ${name.padEnd(50)} ${text.padEnd(34)} goal ${goal}`)
}
const format = (value, unit = '') => {
  const digits = value < 10 ? 2 : 0
  return `${value.toFixed(digits)}${unit && ` ${unit}`}`
}
const atLeast = (name, value, goal, text = format(value)) =>
  print(name, text, `>= ${goal}`, value >= goal)
const atMost = (name, value, goal, unit, text = format(value, unit)) =>
  print(name, text, `<= ${goal}${unit ? ` ${unit}` : ''}`, value <= goal)
const ofBare = ({ ratio, ours, bare }) =>
  `${ratio.toFixed(2)} (${ours.toFixed(0)} of ${bare.toFixed(0)} per second)`
const forScale = (name, text) => console.log(`     for scale: ${name.padEnd(39)} ${text}`)

const { results, scale, wrk } = await benchRequests()
for (const result of results) {
  const goal = SHARES[result.name.split(',', 1)[0]]
  atLeast(`${result.name}: share of bare node:http`, result.ratio, goal, ofBare(result))
}
for (const { name, ratio } of wrk) forScale(`${name}, measured by wrk`, format(ratio))
for (const { name, ratio } of scale) forScale(`${name}, a plain Hono app`, format(ratio))
const saturated = results.find(({ name }) => name === 'POST, 32 connections')
atMost('p99 of POST, 32 connections: multiple of bare', saturated.p99_ratio, MAX_P99)
const { catalogue, log } = await benchExtras()
atLeast('all shipped scenarios active: share of usual', catalogue, 0.9)
atLeast('request log on: share of off', log, 0.9)

const inProcess = await runProgram('in-process.js')
atMost('GET in process: processor time', inProcess.get_us, 25, 'µs')
atMost('POST in process: processor time', inProcess.post_us, 60, 'µs')
atMost('createSandbox for the second time', inProcess.again_ms, 3, 'ms')
const { bare_ms, ours_ms, ratio } = await benchStart()
const times = `${ratio.toFixed(2)} (${ours_ms.toFixed(0)} ms to ${bare_ms.toFixed(0)} ms)`
atMost('start to first answer: multiple of bare', ratio, 1.6, '', times)

const durable = await benchDurable()
atLeast('durable POST, 32 connections: share of bare', durable.ratio, 0.25, ofBare(durable))
atLeast('durable POST: share of a bare server that flushes', durable.flushed, 0.75)
atLeast('durable POST at 100,000 payouts: share of none', durable.grown, 0.9)
atMost('start with 100,000 payouts on disk', durable.start_s, 1.5, 's')

const { advance_s, audit_ratio, audit_ok } = await benchWorlds()
atMost('advance over 100,000 due timers', advance_s, 2, 's')
atMost('GET during that in another world: p99 to before', await benchNeighbour(), 1.5)
atMost('audit page: 100,000 transfers to 100', audit_ratio, 1.3)
print('ledger of 100,000 transfers', audit_ok ? 'proved' : 'broken', 'proved', audit_ok)
atMost('opening a world', await benchOpening(), 1, 'ms')

atMost('idle memory', await benchIdleMemory(), 90, 'MiB')
const { opened, used } = await benchWorldsMemory()
const sizes = `${format(used, 'MiB')} (${opened.toFixed(0)} when just opened)`
atMost('10,000 worlds by key: memory beyond idle', used, 300, 'MiB', sizes)
const transfers = await runProgram('transfers-memory.js', '--expose-gc')
atMost('memory of 100,000 transfers', transfers, 300, 'MiB')
const payouts = await runProgram('payouts-memory.js', '--expose-gc')
atMost('resident memory after 300,000 payouts', payouts, 350, 'MiB')

const { large, huge } = await benchConsole()
for (const [payouts, { ms, path }, goal] of [
  ['10,000', large, 15],
  ['100,000', huge, 100],
]) {
  atMost(`slowest page at ${payouts} payouts`, ms, goal, 'ms', `${format(ms, 'ms')} (${path})`)
}
const { share, worst_news_ms } = await runProgram('viewers.js')
atMost('news for 20 viewers of 20 pages: the longest way', worst_news_ms, 1_000, 'ms')
atLeast('POST beside 90 viewers: share of without', share, 0.9)
process.exit(met.every(Boolean) ? 0 : 1)
