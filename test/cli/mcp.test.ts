import { readdirSync, readFileSync, statSync } from 'node:fs'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { didYouMean, invalid, missing } from '../support/invalid.js'
import { CLI, runCli, startCli } from './sandramp.js'

const dist = new URL('../../dist/', import.meta.url)
const path = '/payment/api/v1/payout'
/** A well-formed key of no world. */
const unopened = 'SandboxWorld00000000000000000042'
const DEFAULT = { world: 'default' }

const openAgent = async (...flags: string[]) => {
  const client = new Client({ name: 'agent', version: '1.0.0' })
  const args = [CLI, 'mcp', ...flags]
  await client.connect(new StdioClientTransport({ command: process.execPath, args }))
  const call = async (name: string, input: object = {}) => {
    const result = await client.callTool({ name, arguments: { ...input } })
    const [item] = result.content as readonly { text: string }[]
    return { text: item?.text ?? '', isError: result.isError ?? false }
  }
  const read = async (...it: Parameters<typeof call>) => JSON.parse((await call(...it)).text)
  return { client, call, read }
}

type Agent = Awaited<ReturnType<typeof openAgent>>

describe('sandramp mcp', () => {
  const sandbox = startCli(['--port', '0', '--clock', 'manual'])
  let agent: Agent
  let world = ''

  beforeAll(async () => {
    agent = await openAgent('--url', await sandbox.printed(/http:\/\/127\.0\.0\.1:\d+/))
    world = (await agent.read('createWorld', { name: 'agent', clock: 'manual' })).key
  })

  afterAll(async () => {
    await agent.client.close()
    sandbox.child.kill()
    await sandbox.ended
  })

  test('offers tools with valid schemas that name no path of the control API', async () => {
    const { tools } = await agent.client.listTools()
    expect(JSON.stringify(tools)).not.toContain('/_sandbox')
    const ajv = new Ajv2020({ strict: false, validateFormats: false })
    for (const { inputSchema } of tools) expect(() => ajv.compile(inputSchema)).not.toThrow()
  })

  test('lets an agent lose a response, pay once, explain, verify and undo', async () => {
    await agent.read('armNextCall', { world, operation: 'createPayout', then: { drop: 'after' } })
    const { tools } = await agent.client.listTools()
    const { description = '' } = tools.find(({ name }) => name === 'call') ?? {}
    const payment = JSON.parse(/createPayout: .*? (\{.*\})/.exec(description)?.[1] ?? '')
    const pay = () => agent.call('call', { world, method: 'POST', path, body: payment })
    expect((await pay()).text).toBe('No response: fetch failed')
    const [status, body = ''] = (await pay()).text.split('\n')
    expect(status).toBe('200')
    const { id } = JSON.parse(body)
    const { items, left_out } = await agent.read('listRequests', { world })
    expect(items).toMatchObject([{ status: 200 }, { status: null, fault: 'next-1/0' }])
    expect([items[0].request, left_out]).toEqual([undefined, expect.stringContaining('request')])
    const full = await agent.read('listRequests', { world, full: true })
    expect(full.items[0].request.body).toEqual(payment)
    const { entries: caused } = await agent.read('why', { world, id: items[1].id })
    expect(caused).toMatchObject([{ command: 'payout.create' }, { command: 'rule.fire' }])
    const { entries } = await agent.read('why', { world, id })
    expect(entries[0].sentence).toContain('Your client made a payout')
    const outcome = [{ payouts: {}, count: 1, paid_twice: 0 }, { audit: 'clean' }]
    expect(await agent.read('verify', { world, expect: outcome })).toMatchObject({ ok: true })
    const { undone } = await agent.read('undo', { world })
    const redo = { world, operation: 'redo' }
    expect(await agent.read('control', redo)).toMatchObject({ redone: undone })
  })

  test.each<[tool: string, input: object, message: string]>([
    ['redo', {}, 'Unknown tool "redo".'],
    ['undo', {}, missing('world')],
    ['undo', { wrld: 'default' }, didYouMean('world')],
    ['undo', { world: 'defalt' }, invalid('world', 'defalt')],
    ['undo', { world: unopened }, 'listWorlds lists them'],
    ['call', { world: unopened, method: 'GET', path }, 'listWorlds lists them'],
    ['call', { ...DEFAULT, method: 'POST', path: '/payment/../_sandbox/undo' }, 'a path that'],
    ['call', { ...DEFAULT, method: 'POST', path: '//_sandbox/undo' }, 'a path that'],
    ['control', { ...DEFAULT, operation: 'creditUsr' }, didYouMean('creditUser')],
    ['control', { ...DEFAULT, operation: 'creditUser', arguments: {} }, missing('id')],
    ['chooseReading', { ...DEFAULT, id: 'x', reading: 'y' }, 'listAssumptions lists all'],
    ['readPage', { page: 'tuor.md' }, didYouMean('tour.md')],
  ])('%s refuses %j in a sentence', async (tool, input, message) => {
    const { text, isError } = await agent.call(tool, input)
    expect(isError).toBe(true)
    expect(text).toContain(message)
  })

  test('reads pages as a tool and as resources', async () => {
    const { resources } = await agent.client.listResources()
    const uris = resources.map(({ uri }) => uri)
    expect(uris).toEqual(expect.arrayContaining(['sandramp://llms.txt', 'sandramp://tour.md']))
    const { contents } = await agent.client.readResource({ uri: 'sandramp://llms.txt' })
    expect(contents).toMatchObject([
      { text: (await agent.call('readPage', { page: 'llms.txt' })).text },
    ])
    const section = await agent.call('readPage', {
      page: 'reference/scenarios.md',
      heading: 'bills paid',
    })
    expect(section.text).toMatch(/^#### Bills paid twice\n/)
  })
})

test('sandramp mcp starts a sandbox of its own, which ends with the input', async ({ skip }) => {
  const agent = await openAgent()
  const text = agent.client.getInstructions() ?? ''
  const health = `${/http:\/\/127\.0\.0\.1:\d+/.exec(text)}/_sandbox/health`
  skip(!text.includes('ends with this connection'), 'a sandbox runs at the default address')
  expect((await fetch(health)).status).toBe(200)
  await agent.client.close()
  await expect(fetch(health)).rejects.toThrow('fetch failed')
})

test('sandramp mcp prints nothing of its own, and needs a sandbox at a given URL', async () => {
  expect(await runCli(['mcp'])).toEqual({ code: 0, stdout: '', stderr: '' })
  const ran = await runCli(['mcp', '--url', 'http://127.0.0.1:1'])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain('--url: no sandbox answers')
})

test('the MCP server is one lazy chunk of less than 400 kB', () => {
  const chunks = readdirSync(dist).filter(
    (it) => it.endsWith('.js') && readFileSync(new URL(it, dist), 'utf8').includes('tools/list'),
  )
  expect(chunks).toEqual([expect.stringMatching(/^mcp-/)])
  expect(statSync(new URL(chunks[0] ?? '', dist)).size).toBeLessThan(400_000)
})
