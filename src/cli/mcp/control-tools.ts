import { ControlClient, type Transport } from '../../kit/control-client.js'
import { sendOperation } from '../send-operation.js'
import { type Operation, readDocument } from './document.js'
import { type Json, parseWorld, runTool, type Tool, text, toShortForm, WORLD } from './tool.js'

/** The operations that are tools. The tool `control` reaches the others. */
const OFFERED = [
  ...['createWorld', 'listWorlds', 'readFixtures', 'armNextCall', 'advanceClock', 'receiveDeposit'],
  ...['listActivity', 'listRequests', 'listPayouts', 'listTransfers', 'verify', 'getAudit'],
  ...['undo', 'why', 'listAssumptions', 'chooseReading'],
]
const WITHOUT_WORLD = ['createWorld', 'listWorlds']
const HIDDEN = /^stream|^getHealth$|^getReady$/
const FULL = { type: 'boolean', description: 'all fields of the items of lists (false)' }
/** The page size of the control API is for programs. */
const PAGE_SIZE = 10

const send = (transport: Transport, operation: Operation, { world, ...input }: Json) => {
  const { method, path, requestBody } = operation
  const id = world === undefined ? undefined : parseWorld(world)
  const parameters = operation.parameters.map(({ name }) => name)
  const sent = { method, path, parameters, hasBody: requestBody !== undefined }
  const given = { ...(parameters.includes('size') && { size: PAGE_SIZE }), ...input }
  return sendOperation(new ControlClient(transport, undefined, id), sent, given)
}

export const createControlTools = (transport: Transport) => {
  const { operations, withDefs } = readDocument('control.json')
  const toTool = (operation: Operation): Tool => {
    const { operationId: name, summary, description = summary, parameters, body } = operation
    const world = WITHOUT_WORLD.includes(name) ? {} : { world: WORLD }
    // Near misses are what it is asked for.
    const full = name === 'verify' ? {} : { full: FULL }
    const own = parameters.map(({ name, schema }) => [name, schema])
    const properties = { ...world, ...Object.fromEntries(own), ...body.properties, ...full }
    const needed = parameters.filter((it) => it.required).map((it) => it.name)
    const required = [...Object.keys(world), ...needed, ...(body.required ?? [])]
    // Clients drop the examples of schemas.
    const example = body.example ? `\nExample: ${JSON.stringify(body.example)}` : ''
    return {
      name,
      title: summary,
      description: description + example,
      // One object without a union at the top, which clients refuse.
      inputSchema: {
        type: 'object',
        required,
        additionalProperties: false,
        ...withDefs(properties),
      },
      ...(operation.method === 'GET' && { hint: 'readOnlyHint' }),
      ...(name === 'undo' && { hint: 'destructiveHint' }),
      run: async ({ full: isFull = !('full' in full), ...input }) => {
        const result = await send(transport, operation, input)
        return isFull ? result : toShortForm(result)
      },
    }
  }
  const all = operations.filter((it) => !HIDDEN.test(it.operationId)).map(toTool)
  const others = all.filter(({ name }) => !OFFERED.includes(name))
  const offered = OFFERED.flatMap((name) => all.filter((it) => it.name === name))
  return { operations, tools: [...offered, createControl(others)] }
}

/** Puts the tool in place of a path. */
export const nameTools = (written: string, operations: readonly Operation[]): string =>
  written.replace(/([A-Z]+) (\/_sandbox[\w/{}-]*)/g, (call, method, path) => {
    const found = operations.find((it) => it.method === method && it.path === path)
    if (!found) return call
    return found.operationId + (OFFERED.includes(found.operationId) ? '' : ' of control')
  })

const createControl = (others: readonly Tool[]): Tool => {
  const lines = others.map(({ name, inputSchema }) => {
    const { world, full, page, size, ...own } = inputSchema.properties ?? {}
    return [name, ...Object.keys(own)].join(' ')
  })
  const properties = {
    world: WORLD,
    operation: text('one of the list'),
    arguments: { type: 'object', description: 'its arguments by name' },
  }
  return {
    name: 'control',
    title: 'Any other action on a world',
    description: `Runs an operation without a tool of its own. They are, with arguments:\n${lines.join('\n')}`,
    inputSchema: { type: 'object', properties, required: ['world', 'operation'] },
    hint: 'destructiveHint',
    run: async ({ world, operation, arguments: given }) =>
      runTool('operation', String(operation), others, { ...Object(given), world }),
  }
}
