import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { didYouMean, invalid, unknown } from '../support/invalid.js'
import { payoutRequest } from '../support/requests.js'
import { runHere } from './run-in-process.js'
import { folderOf } from './sample-scenario.js'
import { startCli } from './sandramp.js'
import { parseXml } from './xml.js'

const exampleOf = (name: string): string =>
  fileURLToPath(new URL(`../../examples/clients/${name}.mjs`, import.meta.url))

const sweep = (args: readonly string[], client: string, cwd?: string) =>
  runHere(['sweep', ...args, '--', 'node', client], cwd)

/** Pays bills with new ids for each attempt. `tail` is what the client does after that. */
const payer = (tail = '', amounts: readonly string[] = ['1500.00']) => `
import { randomUUID } from 'node:crypto'
import { fetch } from './fetch.mjs'
const { SANDRAMP_URL: url, SANDRAMP_API_KEY } = process.env
const bill = ${JSON.stringify(payoutRequest())}
const pay = async (amount, key = SANDRAMP_API_KEY) => {
  const headers = { 'x-api-key': key, 'content-type': 'application/json' }
  const body = JSON.stringify({ ...bill, amount, customer_payout_id: randomUUID() })
  for (let n = 0; n < 9; n++) {
    const id = randomUUID()
    const sent = body.replace(/"customer_payout_id":"[^"]*"/, '"customer_payout_id":"' + id + '"')
    const paid = await fetch(url + '/payment/api/v1/payout', { method: 'POST', headers, body: sent }).catch(() => 0)
    if (paid) return paid.status
  }
}
for (const amount of ${JSON.stringify(amounts)}) await pay(amount)
${tail}
`

/** Counts the runs of the command. */
const COUNT = `
const { existsSync, readFileSync, writeFileSync } = await import('node:fs')
const count = existsSync('n') ? Number(readFileSync('n', 'utf8')) : 0
writeFileSync('n', String(count + 1))`

const folder = (files: Record<string, string> = {}) => folderOf({ 'payer.mjs': payer(), ...files })

afterEach(() => vi.unstubAllEnvs())

describe('sandramp sweep names the bug of', () => {
  test.each([
    ['new-id', 'createPayout.1/lost-answer', 'PAYS TWICE', '3,000.00 NGN left for a bill of'],
    ['id-not-kept', 'createPayout.1/crash', 'PAYS TWICE', '3,000.00 NGN left for a bill of'],
    ['swallow', 'createPayout.1/lost-request', 'lost', 'NGN to 0690000031 was not made'],
    ['refunder', 'createPayout.1/lost-answer', 'false-claim', 'says refunded about the payout'],
  ])('%s at %s', async (client, cell, _, words) => {
    // A busy machine needs patience.
    vi.stubEnv('CLIENT_TIMEOUT', '10000')
    const ran = await sweep(['--only', cell], exampleOf(client))
    expect(ran, ran.stdout).toMatchObject({ code: 1 })
    expect(ran.stdout).toContain(words)
    expect(ran.stdout).toContain('\nmend: ')
    expect(ran.stdout).toContain(` sweep --only ${cell} -- node `)
    expect(ran.stdout).toContain('\nFAILED: 1 of 1 cell')
  })

  test('no careful client', async () => {
    vi.stubEnv('CLIENT_TIMEOUT', '10000')
    const faults = ['lost-answer', 'fails'].flatMap((it) => ['--fault', it])
    const ran = await sweep(faults, exampleOf('careful'))
    expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: 0 })
    expect(ran.stdout).toMatch(/\n {2}lost-answer +·( +·)*\n {2}fails +·/)
    expect(ran.stdout).toMatch(/\npassed: \d+ the same end/)
  })

  test('a payer in the world of a test, which it names', async () => {
    const worlds = `
const open = async (name) => {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify({ name })
  return (await fetch(url + '/_sandbox/worlds', { method: 'POST', headers, body })).json()
}
for (const name of ['pays a bill', 'pays another bill']) {
  const { key, id } = await open(name)
  await pay('99.00', key)
  appendFileSync(process.env.SANDRAMP_CLAIMS, 'passed ' + id + '\\n')
}`
    const suite = `import { appendFileSync } from 'node:fs'${payer(worlds, [])}`
    const cwd = folder({ 'suite.mjs': suite })
    const ran = await sweep(['--fault', 'lost-answer'], 'suite.mjs', cwd)
    expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: 1 })
    expect(ran.stdout).toContain(', in the world "pays a bill" and 1 more:\n')
    expect(ran.stdout).toContain('198.00 NGN left for a bill of 99.00 NGN')
    expect(ran.stdout).toContain('the test passed\n')
  })
})

test('sandramp sweep tries a fault at the repeat of a call that the test armed by itself', async () => {
  const armed = `
const headers = { 'x-api-key': SANDRAMP_API_KEY, 'content-type': 'application/json' }
const body = JSON.stringify({ operation: 'createPayout', then: { drop: 'before' } })
await fetch(url + '/_sandbox/next', { method: 'POST', headers, body })
await pay('10.00')`
  const cwd = folder({ 'armed.mjs': payer(armed, []) })
  const ran = await sweep(['--fault', 'lost-request'], 'armed.mjs', cwd)
  expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: 0 })
  expect(ran.stdout).toContain('\npassed: 1 the same end\n')
})

describe('the report of sandramp sweep', () => {
  test('has findings first, then the matrix, and one JUnit case per finding', async () => {
    const cwd = folder()
    const files = ['--report', 'r.html', '--junit', 'r.xml']
    const faults = ['--fault', 'lost-answer', '--fault', 'lost-request']
    const ran = await sweep([...files, ...faults], 'payer.mjs', cwd)
    expect(ran, ran.stdout + ran.stderr).toMatchObject({ code: 1 })
    const [finding, matrix] = [/FAILED {4}PAYS TWICE/, /\n {2}lost-answer +2×\n {2}lost-request +·/]
    expect(ran.stdout.search(finding)).toBeGreaterThan(0)
    expect(ran.stdout.search(matrix)).toBeGreaterThan(ran.stdout.search(finding))
    expect(ran.stdout).toMatch(/ {2}the same with another id, [\da-f]{8} {2}→ 200 PAYOUT_PROCESSED/)
    for (const line of ran.stdout.split('\n').filter((it) => /^ {2}(\w+-?)+ +[·2!]/.test(it)))
      expect(line.length).toBeLessThanOrEqual(95)
    const root = parseXml(readFileSync(join(cwd, 'r.xml'), 'utf8'))
    expect(root.attributes).toMatchObject({ tests: '2', failures: '1' })
    const page = readFileSync(join(cwd, 'r.html'), 'utf8')
    expect(page).toContain('<a href="#createPayout.1/lost-answer">2×</a>')
    expect(page).not.toContain('<script')
  })

  test('ends with a scenario that sandramp run takes', async () => {
    const cwd = folder()
    const ran = await sweep(['--only', 'createPayout.1/lost-answer'], 'payer.mjs', cwd)
    const [, yaml = ''] = /(^name: sweep\n[\s\S]*?)\n\nFAILED/m.exec(ran.stdout) ?? []
    writeFileSync(join(cwd, 'cell.yaml'), yaml)
    const again = await runHere(['run', 'cell.yaml', '--', 'node', 'payer.mjs'], cwd)
    expect(again, again.stdout).toMatchObject({ code: 0 })
    expect(again.stdout).toContain('1 × sweep/0')
    expect(again.stdout).toContain('conduct   ids after an unknown outcome: another id')
  })
})

describe('sandramp sweep refuses', () => {
  test.each<[string, string[], string]>([
    ['an unknown fault', ['--fault', 'lost-answr'], didYouMean('lost-answer')],
    ['a cell of an unknown fault', ['--only', 'createPayout.1/x'], unknown('fault', 'x')],
    ['a word', ['happy-path'], invalid('argument', 'happy-path')],
    ['a flag of run', ['--allow-idle'], 'Unknown flag "--allow-idle"'],
    ['a report of another form', ['--report', 'r.md'], 'ends in .html'],
    ['a call that the command does not make', ['--only', 'createUser.1/503'], 'createPayout.1'],
    ['a fault that the call lacks', ['--only', 'listUsers.1/crash'], 'a fault of this operation'],
  ])('%s', async (_, args, message) => {
    const cwd = folder({
      'payer.mjs': payer(`const headers = { 'x-api-key': SANDRAMP_API_KEY }
await fetch(url + '/onboarding/api/v1/users/all', { headers })`),
    })
    const ran = await sweep(args, 'payer.mjs', cwd)
    expect(ran).toMatchObject({ code: 2 })
    expect(ran.stderr).toContain(message)
  })

  test.each([
    [
      'fails',
      'console.log("no database"); process.exit(4)',
      'fails without a fault',
      'no database',
    ],
    ['calls nothing', '', 'nothing called the service', 'SANDRAMP_URL'],
    ['calls another path', payer().replace('/payment/', '/pay/'), 'outside the service', '/pay/'],
    [
      'differs from itself',
      payer(`${COUNT}\nif (count % 2) await pay('1.00')`),
      'createPayout has 1 call, then 2',
      'SANDRAMP_SEED',
    ],
  ])('a first run that %s', async (_, text, ...messages) => {
    const cwd = folder({ 'payer.mjs': text })
    const ran = await sweep([], 'payer.mjs', cwd)
    expect(ran, ran.stderr).toMatchObject({ code: 3, stdout: '' })
    for (const message of messages) expect(ran.stderr).toContain(message)
  })

  test('a cell that never met its call', async () => {
    const text = payer(`${COUNT}\nif (count < 2) await pay('1.00')`)
    const cwd = folder({ 'payer.mjs': text })
    const ran = await sweep(['--only', 'createPayout.2/503'], 'payer.mjs', cwd)
    expect(ran, ran.stdout).toMatchObject({ code: 3 })
    expect(ran.stdout).toContain('1 not reached')
    expect(ran.stderr).toContain('1 of 1 cell void or not reached')
  })

  test('a second sweep beside it, and a signal ends the first', async () => {
    const cwd = folder({ 'slow.mjs': `${payer()}\nconsole.log('up')\nsetInterval(() => {}, 1e3)` })
    const first = startCli(['sweep', '--', 'node', 'slow.mjs'], cwd)
    await new Promise((resolve) => first.child.stderr?.once('data', resolve))
    const second = await runHere(['sweep', '--', 'node', 'slow.mjs'], cwd)
    expect(second).toMatchObject({ code: 2 })
    expect(second.stderr).toContain('Another sweep runs this command')
    first.child.kill('SIGINT')
    const ended = await first.ended
    expect(ended).toMatchObject({ code: 130, stdout: '' })
    expect(ended.stderr).toContain('stopped by SIGINT')
  })
})
