import { expect, test } from 'vitest'
import { parseAnswersFile } from '../../src/assumptions/answers-file.js'
import { isAssumption } from '../../src/assumptions/ids.js'
import { findReplacement, retiredIds } from '../../src/assumptions/retired-readings.js'
import { expectRefusal } from '../support/client.js'
import { dataFile } from '../support/data-folder.js'
import { MemoryDisk } from '../support/memory-disk.js'
import { openOwnSandbox, openSandbox } from '../support/open-sandbox.js'
import { openPersistent } from '../support/persistent-sandbox.js'
import { payoutRequest } from '../support/requests.js'

const PAYOUT = '/payment/api/v1/payout'
const REPLACED = 'path.trailing_slash was replaced by wire.strictness'
const FIXED = 'path.head was removed. Fixed behaviour: HEAD is answered like GET'

test.each(retiredIds)(
  'the error of the retired id %s names its replacement or the fixed behaviour',
  (id) => {
    expect(isAssumption(id)).toBe(false)
    expect(findReplacement(id)).toMatch(
      /was replaced by \w+\.\w+$|was removed\. Fixed behaviour: \w/,
    )
  },
)

test.each([
  ['path.trailing_slash=same', REPLACED],
  ['path.head=not_allowed', FIXED],
])(
  'x-sandbox-reading with the retired %s is refused with what replaced it',
  async (reading, words) => {
    const api = await openSandbox()
    const headers = { 'x-sandbox-reading': reading }
    expectRefusal(await api.post(PAYOUT, payoutRequest(), { headers }), 400, '4000', words)
  },
)

test.each([
  ['path.trailing_slash', 'same', REPLACED],
  ['path.head', 'not_allowed', FIXED],
])(
  'PATCH and GET of the retired assumption %s are 404 with what replaced it',
  async (id, reading, words) => {
    const api = await openSandbox()
    const path = `/_sandbox/assumptions/${id}`
    expectRefusal(await api.call('PATCH', path, { body: { reading } }), 404, '4040', words)
    expectRefusal(await api.get(path), 404, '4040', words)
  },
)

test('createSandbox refuses a retired id, and names what replaced it', async () => {
  const open = (reading: string) => openOwnSandbox({ readings: [reading] })
  await expect(open('path.trailing_slash=same')).rejects.toThrow(REPLACED)
  await expect(open('path.head=not_allowed')).rejects.toThrow(FIXED)
})

test('a file of answers with a retired id is refused, with its line and what replaced it', () => {
  const answer = '{ reading: same, said_by: Support, when: 2026-05-04 }'
  const read = (text: string) => () => parseAnswersFile(text, 'answers.yaml')
  expect(read(`path.trailing_slash: ${answer}`)).toThrow(`answers.yaml:1:1: ${REPLACED}`)
  expect(read(`- { id: path.head, reading: x, said_by: Me, when: 2026-05-04 }`)).toThrow(FIXED)
})

test('a data file with choices of retired ids opens, and the choices change nothing', async () => {
  const file = dataFile()
  const disk = new MemoryDisk()
  const first = await openPersistent(file, disk)
  await first.call('PATCH', '/_sandbox/assumptions/payout.repeat', { reading: 'conflict' })
  await first.sandbox.close()
  const state = JSON.parse(disk.text(file))
  const { tables } = state.worlds.default
  tables.readings.push(
    ...retiredIds.map((id, i) => ({ id, n: tables.readings.length + i + 1, reading: 'same' })),
  )
  disk.put(file, JSON.stringify(state))
  const { call } = await openPersistent(file, disk)
  expect(await call('GET', '/onboarding/api/v1/users/all/')).toMatchObject({ status: 404 })
  expect(await call('GET', '/_sandbox/assumptions/payout.repeat')).toMatchObject({
    body: { active: 'conflict' },
  })
})
