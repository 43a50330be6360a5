import { type Tool as Listed, ResourceNotFoundError, Server } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { openSandbox } from '../../app.js'
import { reachSandbox } from '../../kit/connect.js'
import type { Transport } from '../../kit/control-client.js'
import { SandboxError } from '../../kit/sandbox-error.js'
import { type Arguments, findText } from '../../lib/arguments.js'
import { version } from '../../runtime/options.js'
import { DEFAULT_PORT } from '../start-flags.js'
import { createCallTool } from './call-tool.js'
import { createControlTools, nameTools } from './control-tools.js'
import { createPageTool, readPages } from './pages.js'
import { runTool } from './tool.js'

const MAX_CHARS = 20_000

/** The sandbox that runs, or one of this process. A URL that was given must answer. */
const findSandbox = async (args: Arguments): Promise<readonly [Transport, about: string]> => {
  const given = findText(args, 'url')
  const url = given ?? `http://127.0.0.1:${DEFAULT_PORT}`
  try {
    return [await reachSandbox(url, findText(args, 'control-token')), `runs at ${url}`]
  } catch (error) {
    const isAbsent = error instanceof SandboxError && error.code === 'unreachable'
    if (given !== undefined || !isAbsent) throw error
  }
  const sandbox = await openSandbox({ clock: 'manual' })
  const { url: own } = await sandbox.listen()
  // A file as input never closes.
  for (const event of ['end', 'close']) process.stdin.once(event, () => void sandbox.close())
  const about = `runs at ${own}, ends with this connection, and only advanceClock moves its time`
  // Over the port, a lost response looks as it does to a program.
  return [await reachSandbox(own, undefined), about]
}

export const mcp = async (args: Arguments): Promise<void> => {
  const [transport, about] = await findSandbox(args)
  const { operations, tools: control } = createControlTools(transport)
  const tools = [...control, createCallTool(transport), createPageTool()]
  const listed = tools.map(({ run, hint, ...it }): object => ({
    ...it,
    annotations: { destructiveHint: false, openWorldHint: false, ...(hint && { [hint]: true }) },
  }))
  const shown: Listed[] = JSON.parse(nameTools(JSON.stringify(listed), operations))
  const instructions = `Sandramp simulates a payments, custody wallet and onboarding service over real state. It ${about}.
Create a world first and give its key as world to every tool. A program reaches the world with the key as header x-api-key.
readFixtures lists its users and accounts. readPage {"page":"llms.txt"} is a tour.`
  const answer = (result: unknown, isError = false) => {
    const text = typeof result === 'string' ? result : JSON.stringify(result)
    const cut = `${text.slice(0, MAX_CHARS)}… cut. Ask for fewer items, or without full.`
    return {
      content: [{ type: 'text' as const, text: text.length > MAX_CHARS ? cut : text }],
      isError,
    }
  }
  serveStdio(() => {
    const capabilities = { tools: {}, resources: {} }
    const server = new Server({ name: 'sandramp', version }, { capabilities, instructions })
    server.setRequestHandler('tools/list', () => ({ tools: shown }))
    server.setRequestHandler('tools/call', async ({ params: { name, arguments: input = {} } }) => {
      try {
        return answer(await runTool('tool', name, tools, input))
      } catch (error) {
        return answer(nameTools((error as Error).message, operations), true)
      }
    })
    server.setRequestHandler('resources/list', () => ({
      resources: readPages().map(({ read, ...it }) => it),
    }))
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
      const page = readPages().find((it) => it.uri === uri)
      if (!page) throw new ResourceNotFoundError(uri)
      return { contents: [{ uri, mimeType: page.mimeType, text: page.read() }] }
    })
    return server
  })
}
