import { expect, test } from 'vitest'
import { type Client, expectRefusal } from '../support/client.js'
import { NOBODY } from '../support/fixture-ids.js'
import { invalid } from '../support/invalid.js'
import { openSandbox } from '../support/open-sandbox.js'

const USERS = '/onboarding/api/v1/users/all'
const KEY = 'SandboxWorldReadsForItself000001'

const choose = (api: Client, id: string, reading: string, key: string) =>
  api.call('PATCH', `/_sandbox/assumptions/${id}`, { key, body: { reading } })

test('a slash at the end is the same path in the world that reads it so', async () => {
  const api = await openSandbox()
  await choose(api, 'wire.strictness', 'lenient', KEY)
  expect(await api.get(`${USERS}/`, { key: KEY })).toMatchObject({ status: 200 })
  expect(await api.get(`${USERS}/`)).toMatchObject({ status: 404 })
})

test('an audit that has an empty list for an unknown user looks up none before the query', async () => {
  const api = await openSandbox()
  const audit = async (...readings: string[]) => {
    const headers = { 'x-sandbox-reading': readings.join() }
    return api.get(`/payment/api/v1/fx-audit/${NOBODY}?size=x`, { headers })
  }
  expectRefusal(await audit('error.order=user_first'), 404, '4040')
  const empty = await audit('error.order=user_first', 'resource.unknown=empty')
  expectRefusal(empty, 400, '4000', invalid('size', 'x'))
  const reported = empty.headers.get('x-sandbox-assumed')
  expect(reported).toContain('resource.unknown=empty')
  expect((await audit()).headers.get('x-sandbox-assumed')).not.toContain('resource.unknown')
})

test.each([
  ['DOGE/polygon', 'not_found', '404 4040'],
  ['DOGE/polygon', 'invalid', '400 4000'],
  ['DOGE/polygon', 'empty', '400 4000'],
  ['%20/polygon', 'not_found', '404 4040'],
  ['%20/polygon', 'invalid', '400 4000'],
  ['%20/polygon', 'empty', '400 4000'],
])(
  'the balance %s of an unknown user, looked up first and read as %s, is %s',
  async (token, unknown, refused) => {
    const api = await openSandbox()
    const headers = { 'x-sandbox-reading': `error.order=user_first, resource.unknown=${unknown}` }
    const path = `/payment/api/v1/offramp-audit/crypto-balance/${token}/${NOBODY}`
    const answer = await api.get<{ code: string; message: string }>(path, { headers })
    expect(`${answer.status} ${answer.body.code}`).toBe(refused)
    expect(answer.body.message.startsWith('Invalid user_id:')).toBe(unknown !== 'empty')
    expect(answer.headers.get('x-sandbox-assumed')).toContain(`resource.unknown=${unknown}`)
  },
)
