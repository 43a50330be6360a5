import { beforeAll, describe, expect, test } from 'vitest'
import { ASSUMED_HEADER, RESPONSE_HEADERS } from '../../src/contract/header-names.js'
import { allOperations, type OperationCase } from '../support/all-operations.js'
import { accounts, users } from '../support/fixture-ids.js'
import { MemoryLog } from '../support/memory-log.js'
import { openOn, type SharedSandbox, UnreliableLog } from '../support/shared-sandbox.js'
import { worldId, worldKey } from '../support/worlds.js'

const OTHER = worldKey('other')

/** They leave nothing in the journal of the world that calls them. */
const WORLD_CHANGES = new Set(['createWorld', 'renameWorld', 'deleteWorld', 'forkSnapshot'])

const transferRequest = {
  user_id: users.ada,
  account_id: accounts.adaEur,
  source_currency: 'USD',
  source_amount: '500.00',
}

/** Hides random ids and secrets, and the ids of worlds that these open. */
const mask = (text: string): string =>
  text
    .replace(/"(request|requestId|request_id)":"[^"]+"/g, '"$1":"…"')
    .replace(/SandboxWorld\w{20}/g, '…')
    .replace(/"(secret|last_four|hash)":"\w+"/g, '"$1":"…"')
    .replace(/[0-9a-f]{32}/g, '…')

const machineClock = () => Date.parse('2030-01-01T00:00:00.000Z')

describe('an operation that others overtook twice', () => {
  const quietLog = new MemoryLog({ isShared: true, clock: machineClock })
  const busyLog = new UnreliableLog({ isShared: true, clock: machineClock })
  let quiet: SharedSandbox
  let busy: SharedSandbox

  beforeAll(async () => {
    quiet = await openOn(quietLog, { machineClock, rateLimit: '1000/1s' })
    busy = await openOn(busyLog, { machineClock, rateLimit: '1000/1s' })
  })

  /** The answer of a request in a world of its own, the journal that it leaves, and whether others overtook it. */
  const run = async (
    { call, fetch }: SharedSandbox,
    { id, method, path: template, body }: OperationCase,
  ) => {
    const key = worldKey(id)
    const path = template.replaceAll(':world', worldId(OTHER))
    const journal = async () =>
      mask((await call('GET', '/_sandbox/journal?size=100', undefined, key)).text)
    await call('POST', '/_sandbox/transfers', transferRequest, key)
    await call('POST', '/_sandbox/snapshots', { name: 'kept' }, key)
    await call('GET', '/_sandbox/clock', undefined, OTHER)
    const before = await journal()
    busyLog.outcomes.push('behind', 'behind')
    const answer = path.endsWith('/stream')
      ? await fetch(path, { headers: { 'x-api-key': key } })
      : await call(method, path, body, key)
    const isOvertaken = busyLog.outcomes.splice(0).length === 0
    if ('body' in answer) await answer.body?.cancel?.()
    const after = await journal()
    const { status, headers } = answer
    const shown = [RESPONSE_HEADERS.rateLimitRemaining, ASSUMED_HEADER].map((it) => headers.get(it))
    const text = 'text' in answer && typeof answer.text === 'string' ? mask(answer.text) : ''
    return { seen: { status, shown, text, after }, isOvertaken, hasWritten: after !== before }
  }

  test.each(allOperations)('$id answers as in a quiet run', async (it) => {
    const expected = await run(quiet, it)
    const { seen, isOvertaken, hasWritten } = await run(busy, it)
    expect(seen).toEqual(expected.seen)
    expect(isOvertaken).toBe(hasWritten || WORLD_CHANGES.has(it.id))
  })
})
