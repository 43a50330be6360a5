import { describe, expect, test } from 'vitest'
import { keys } from '../support/fixture-ids.js'
import { openOwnSandbox } from '../support/open-sandbox.js'
import { payoutRequest, userRequest } from '../support/requests.js'

const TOKEN = 'correct-horse-battery-staple'
const PAYOUT = '/payment/api/v1/payout'

/** The first letter of a text as JSON may escape it. */
const escaped = (text: string) =>
  `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${text.slice(1)}`

const spoilt = (secret: string) => [secret, escaped(secret), `key${secret}`, `${secret}s`]

describe('a secret that a client put into a request by mistake', () => {
  test.each([keys.full, keys.readOnly, 'SandboxWorld00000000000000000077', TOKEN])(
    'is redacted in the request and in the answer: %s',
    async (secret) => {
      const { sandbox, carry } = await openOwnSandbox({ controlToken: TOKEN })
      const made = await carry('/_sandbox/api-keys', {
        method: 'POST',
        headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'made', permissions: 'full' }),
      })
      const { secret: madeSecret } = (await made.json()) as { secret: string }
      const headers = { 'x-api-key': keys.full, 'content-type': 'application/json' }
      for (const text of [...spoilt(secret), ...spoilt(madeSecret)]) {
        const body = { ...payoutRequest(), destination_id: 'it', metadata: { note: 'it' } }
        await carry(PAYOUT, {
          method: 'POST',
          headers,
          body: JSON.stringify(body).replaceAll('"it"', `"${text}"`),
        })
        await carry(`${PAYOUT}/${text.replace(/\\u00/, '%')}?q=${text.replace(/\\u00/, '%')}`, {
          headers: { ...headers, 'x-note': text },
        })
      }
      const kept = sandbox.requests()
      expect(kept).toHaveLength(16)
      const decoded = decodeURIComponent(JSON.stringify(kept))
      for (const it of [secret, madeSecret]) {
        expect(decoded).not.toContain(it)
        expect(decoded).not.toContain(it.slice(1, -4))
      }
      expect(decoded).toContain(`…${secret.slice(-4)}`)
    },
  )

  test('is redacted in a successful answer that repeats it', async () => {
    const { sandbox, carry } = await openOwnSandbox()
    for (const text of spoilt(keys.full)) {
      const answer = await carry('/onboarding/api/v1/users', {
        method: 'POST',
        headers: { 'x-api-key': keys.full, 'content-type': 'application/json' },
        body: JSON.stringify({ ...userRequest(), first_name: 'it' }).replace('"it"', `"${text}"`),
      })
      expect(answer.status).toBe(201)
      expect(await answer.text()).toContain(keys.full)
      const [kept] = sandbox.requests().slice(-1)
      expect(kept?.response.body).toMatchObject({ first_name: expect.stringMatching(/…0001s?$/) })
      sandbox.reset()
    }
  })
})
