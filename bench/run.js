// Measures the claims about speed. Each figure is a ratio to a bare node:http server on the same machine in
// the same minute, or has a wide margin, so that noise does not matter.
import { benchConsole } from './console.js'
import { benchDurable, benchTransfersMemory } from './durable.js'
import { benchExtras, benchRequests } from './requests.js'
import { benchIdleMemory, benchStart } from './starts.js'
import { benchWorlds } from './worlds.js'
import { benchOpening, benchWorldsMemory } from './worlds-by-key.js'

/** Goal of each measurement. */
const GOALS = { GET: 0.5, POST: 0.4 }
/** Where a page is painted, by what it is measured as. */
const PAINTED = [
  ['next_ms', 'next page'],
  ['tab_ms', 'new tab'],
  ['new_ms', 'first page of a new profile'],
]
const rows = []
const row = (name, value, goal, met) => {
  rows.push(met)
  console.log(`${met ? 'ok  ' : 'MISS'} ${name.padEnd(44)} ${value.padEnd(34)} goal ${goal}`)
}

const { results, scale } = await benchRequests()
for (const { name, bare, ours, ratio } of results) {
  const goal = GOALS[name.split(',', 1)[0]]
  const detail = `${ratio.toFixed(2)} (${ours.toFixed(0)} of ${bare.toFixed(0)} per second)`
  row(`${name}: share of bare node:http`, detail, `>= ${goal}`, ratio >= goal)
}
for (const { name, ratio } of scale) {
  console.log(`for scale, a plain Hono app: ${name.padEnd(20)} ${ratio.toFixed(2)}`)
}
const { catalogue, log } = await benchExtras()
row(
  'all shipped scenarios active: share of usual',
  catalogue.toFixed(2),
  '>= 0.9',
  catalogue >= 0.9,
)
row('request log on: share of off', log.toFixed(2), '>= 0.9', log >= 0.9)
const { bare_ms, ours_ms, ratio } = await benchStart()
const times = `${ratio.toFixed(2)} (${ours_ms.toFixed(0)} ms to ${bare_ms.toFixed(0)} ms)`
row('start to first answer: multiple of bare', times, '<= 2.2', ratio <= 2.2)
const idle = await benchIdleMemory()
row('idle memory', `${idle.toFixed(0)} MiB`, '<= 90 MiB', idle <= 90)
const { advance_s, audit_ratio, audit_ok } = await benchWorlds()
row('advance over 100,000 due timers', `${advance_s.toFixed(2)} s`, '< 2 s', advance_s < 2)
row('audit page: 100,000 transfers to 100', audit_ratio.toFixed(2), '< 1.3', audit_ratio < 1.3)
row('ledger of 100,000 transfers', audit_ok ? 'proved' : 'broken', 'proved', audit_ok)
const opening = await benchOpening()
row('opening a world', `${opening.toFixed(2)} ms`, '< 1 ms', opening < 1)
const { opened, used } = await benchWorldsMemory()
const sizes = `${used.toFixed(0)} MiB (${opened.toFixed(0)} when just opened)`
row('10,000 worlds by key: memory beyond idle', sizes, '<= 300 MiB', used <= 300)
const durable = await benchDurable()
const posts = `${durable.ratio.toFixed(2)} (${durable.ours.toFixed(0)} of ${durable.bare.toFixed(0)} per second)`
row('durable POST, 32 connections: share of bare', posts, '>= 0.25', durable.ratio >= 0.25)
console.log(`for scale, a bare server that flushes, too    ${durable.scale.toFixed(2)}`)
row(
  'durable POST at 100,000 payouts: share of none',
  durable.grown.toFixed(2),
  '>= 0.9',
  durable.grown >= 0.9,
)
const start = `${durable.start_s.toFixed(2)} s`
row('start with 100,000 payouts on disk', start, '< 1.5 s', durable.start_s < 1.5)
const memory = await benchTransfersMemory()
row('memory of 100,000 transfers', `${memory.toFixed(0)} MiB`, '< 300 MiB', memory < 300)
const { overview_kib, transfer_ms, paints, share } = await benchConsole()
row(
  'overview at 100,000 transfers',
  `${overview_kib.toFixed(0)} KiB`,
  '< 60 KiB',
  overview_kib < 60,
)
row('drawing a transfer among 100,000', `${transfer_ms.toFixed(0)} ms`, '< 50 ms', transfer_ms < 50)
if (paints) {
  for (const [name, where] of PAINTED) {
    const ms = paints[name]
    row(`${where}: answer to first paint`, `${ms.toFixed(0)} ms`, '< 100 ms', ms < 100)
  }
  const scale = PAINTED.map(([name, where]) => `${where} ${paints.scale[name].toFixed(0)} ms`)
  console.log(`for scale, a page of one word: ${scale.join(', ')}`)
} else console.log('skip first paint of the console: there is no Chromium; CHROMIUM_PATH names one')
row('POST while a page follows: share of without', share.toFixed(2), '>= 0.9', share >= 0.9)
process.exit(rows.every(Boolean) ? 0 : 1)
