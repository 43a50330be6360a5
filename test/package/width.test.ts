import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { makeFolder, type Ran, startProgram } from '../cli/sandramp.js'
import { payoutRequest } from '../support/requests.js'

/** A copy gets a fault and a control action in two files each, and a field of payouts in seven. YAML, APIs, command line, kit, console and docs must know them then. */

const root = fileURLToPath(new URL('../..', import.meta.url))
const LEFT_OUT = ['.git', 'dist', 'dist.new', 'node_modules', 'test']

const FAULT = `import { oneOf } from '../../lib/yaml/strict.js'
import { defineFault } from './define.js'

export const twice = defineFault({
  field: 'twice',
  schema: oneOf(['body']),
  about: 'Sends the body two times',
  examples: ['body'],
  fills: () => ['alter'],
  effect: () => ({ alter: (sent) => ({ ...sent, text: sent.text + sent.text, garbled: true }) }),
  sentence: () => '≈ done, answered two times',
  choices: () => [['body', 'answers two times', 'The client reads the first']],
  words: [{ name: 'answerTwice', value: 'body', about: 'Sends the body two times.' }],
})
`

const ACTION = `
export const doubleRate = operation({
  id: 'doubleRate',
  method: 'post',
  path: '/_sandbox/rates/double',
  tag: 'Rates',
  summary: 'Double an exchange rate',
  description: 'Doubles what one unit of a currency buys.',
  body: fields({ quote: z.string() }).meta({ id: 'DoubleRate', example: { quote: 'EUR' } }),
  answers: { 200: { description: 'The rate after it', schema: rate } },
  handle: ({ world, body, cause }) =>
    ok(show(world.run('rate.set', { base: 'USD', rate: '2', ...body }, cause))),
})
`

const DOCUMENTED =
  "memo: documented(inContract(text().optional(), { isOptional: true }), 'Words', 'Rent'),"
/** By file: the lines before which a line comes. */
const FIELD: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'src/contract/payout.ts': [
    ["amount: documented(amount(), 'Amount to", DOCUMENTED],
    ['amount: documented(z.number()', DOCUMENTED],
    ['amount: toNumber(record.amount)', 'memo: record.memo,'],
  ],
  'src/domain/schema.ts': [['readonly customer_payout_id: string', 'readonly memo?: string']],
  'src/domain/record-schemas.ts': [
    ["rail_fee: amount.describe('Fee", "memo: text.optional().describe('Words'),"],
  ],
  'src/domain/payout-idempotency.ts': [['readonly amount: string', 'readonly memo?: string']],
  'src/domain/payouts.ts': [['rail: rail.id,', '...(input.memo && { memo: input.memo }),']],
  'src/console/pages/records.ts': [["['Client’s id'", "['Memo', payout.memo ?? 'none'],"]],
  'src/kit/bodies.ts': [["amount: '1500.00'", "memo: 'Rent',"]],
}

const JSON_TYPE = { 'content-type': 'application/json' }

let folder: string

const run = (...args: readonly string[]): Promise<Ran> =>
  startProgram(process.execPath, args, folder).ended
const cli = (...args: readonly string[]) => run('dist/cli.js', ...args)
const read = (file: string) => readFileSync(join(folder, file), 'utf8')
const edit = (file: string, ...changes: readonly (readonly [string, string])[]) =>
  writeFileSync(
    join(folder, file),
    changes.reduce((text, [from, to]) => text.replace(from, to), read(file)),
  )

beforeAll(async () => {
  folder = makeFolder()
  const isKept = (path: string) =>
    !LEFT_OUT.includes(path.slice(root.length).split(sep)[0] ?? '') && !path.endsWith('.lock')
  cpSync(root, folder, { recursive: true, filter: isKept })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'src/scenarios/faults/twice.ts'), FAULT)
  edit(
    'src/scenarios/faults/registry.ts',
    ['import { trickle', "import { twice } from './twice.js'\nimport { trickle"],
    ['  trickle,\n', '  trickle,\n  twice,\n'],
  )
  writeFileSync(join(folder, 'src/api/control/rates.ts'), read('src/api/control/rates.ts') + ACTION)
  edit(
    'src/api/control/index.ts',
    ['{ listRates,', '{ doubleRate, listRates,'],
    ['  listRates,\n', '  doubleRate,\n  listRates,\n'],
  )
  for (const [file, lines] of Object.entries(FIELD))
    edit(file, ...lines.map(([before, line]) => [before, `${line}\n${before}`] as const))
  for (const script of ['generate-files', 'build']) {
    const { code, stderr } = await run(`scripts/${script}.js`)
    expect([script, code, stderr]).toEqual([script, 0, ''])
  }
}, 120_000)

test('a fault that is added in its file and the registry is known everywhere', async () => {
  const scenario =
    'name: own\ntitle: Own\nwhy: A test\nrules: [{ when: request, if: { operation: createPayout }, then: [{ twice: body }] }]\n'
  writeFileSync(join(folder, 'own.yaml'), scenario)
  expect(await cli('scenarios', 'own.yaml')).toMatchObject({ code: 0 })
  expect((await cli('next', '--help')).stdout).toContain('--answer-twice')
  const { createSandbox } = await import(join(folder, 'dist/index.js'))
  const sandbox = await createSandbox()
  const world = await sandbox.world('own')
  const armed = await world.next('createPayout').answerTwice()
  expect(armed.yaml).toContain('twice: body')
  const answer = await world.fetch('/payment/api/v1/payout', {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(payoutRequest()),
  })
  expect(await answer.text()).toMatch(/^(\{.*\})\1$/)
  const page = await world.fetch('/control')
  expect(await page.text()).toContain('answers two times')
  await sandbox.close()
  for (const file of [
    'openapi/control.json',
    'scenarios/scenario.schema.json',
    'docs/reference/scenarios.md',
  ])
    expect(read(file)).toContain('Sends the body two times')
  expect(read('docs/reference/test-kit.md')).toContain('answerTwice()')
})

test('a control action that is added in its file and the index is known everywhere', async () => {
  const { createSandbox } = await import(join(folder, 'dist/index.js'))
  const sandbox = await createSandbox()
  const { url } = await sandbox.listen({ port: 0 })
  const answer = await fetch(`${url}/_sandbox/rates/double`, {
    method: 'POST',
    headers: JSON_TYPE,
    body: '{"quote":"EUR"}',
  })
  expect(await answer.json()).toEqual({ base: 'USD', quote: 'EUR', rate: 2 })
  const ran = await cli('doubleRate', '--quote', 'EUR', '--url', url)
  expect([ran.code, JSON.parse(ran.stdout)]).toEqual([0, { base: 'USD', quote: 'EUR', rate: 2 }])
  const form = new URLSearchParams({ quote: 'EUR' })
  const posted = await fetch(`${url}/console/do/doubleRate`, {
    method: 'POST',
    body: form,
    headers: { origin: url },
    redirect: 'manual',
  })
  expect(posted.status).toBe(303)
  await sandbox.close()
  expect((await cli('--help')).stdout).toContain('doubleRate')
  expect(read('docs/reference/control-api.md')).toContain('- `doubleRate`: ')
  const { paths } = JSON.parse(read('openapi/control.json'))
  expect(paths['/_sandbox/rates/double'].post.operationId).toBe('doubleRate')
})

test('a field of payouts that is added in seven files is known everywhere', async () => {
  expect(Object.keys(FIELD)).toHaveLength(7)
  const { createSandbox } = await import(join(folder, 'dist/index.js'))
  const sandbox = await createSandbox()
  const world = await sandbox.world('own')
  const body = world.build.payout()
  const answer = await world.fetch('/payment/api/v1/payout', {
    method: 'POST',
    headers: JSON_TYPE,
    body: JSON.stringify(body),
  })
  const { id, memo } = await answer.json()
  expect([body.memo, memo]).toEqual(['Rent', 'Rent'])
  await world.expect({ payouts: { memo: 'Rent' }, count: 1 })
  const page = await world.fetch(`/payouts/${id}?world=${world.id}`)
  expect(await page.text()).toMatch(/Memo.*Rent/s)
  await sandbox.close()
  expect(read('openapi/service.json')).toContain('"memo"')
  expect(read('scenarios/scenario.schema.json')).toContain('"memo"')
})
