import { describe, expect, test } from 'vitest'
import { TRANSFER_STATUSES, USER_STATUSES } from '../../src/domain/schema.js'
import type { Client } from '../support/client.js'
import { openSandbox } from '../support/open-sandbox.js'

interface Moving {
  readonly id: string
  readonly status: string
  readonly legal_moves: readonly string[]
}

const STATUSES = { users: USER_STATUSES, transfers: TRANSFER_STATUSES }
type Noun = keyof typeof STATUSES

const all = async (api: Client, noun: Noun): Promise<readonly Moving[]> =>
  (await api.read<{ items: Moving[] }>(`/_sandbox/${noun}`)).items

/** Tries each move of a record, in a world that stays as it was. */
const triedMoves = async (api: Client, noun: Noun, { id }: Moving) => {
  const [verb, field] = noun === 'users' ? ['status', 'status'] : ['advance', 'to']
  const taken: string[] = []
  for (const to of STATUSES[noun]) {
    const answer = await api.post(`/_sandbox/${noun}/${id}/${verb}`, { [field]: to })
    if (answer.status !== 200) continue
    taken.push(to)
    await api.post('/_sandbox/undo')
  }
  return taken
}

describe('legal_moves', () => {
  test.each<Noun>(['users', 'transfers'])('of %s are those that are taken', async (noun) => {
    const api = await openSandbox()
    for (const record of await all(api, noun)) {
      const taken = await triedMoves(api, noun, record)
      expect(taken.toSorted(), record.status).toEqual([...record.legal_moves].sort())
    }
  })

  test('are named by a refusal', async () => {
    const api = await openSandbox()
    const user = (await all(api, 'users')).find(({ status }) => status === 'active')
    const moved = await api.post(`/_sandbox/users/${user?.id}/status`, { status: 'active' })
    expect(moved.body).toMatchObject({
      message: expect.stringContaining('legal moves: paused, offboarded'),
    })
  })
})
