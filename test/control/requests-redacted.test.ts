import { describe, expect, test } from 'vitest'
import type { Har } from '../../src/history/har.js'
import { keys } from '../support/fixture-ids.js'
import { maskedKey } from '../support/logged.js'
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
      const reported: string[] = []
      const log = (exchange: object) => reported.push(JSON.stringify(exchange))
      const { sandbox, carry } = await openOwnSandbox({ controlToken: TOKEN, log })
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
      const decoded = decodeURIComponent(JSON.stringify(kept) + reported.join(''))
      for (const it of [secret, madeSecret]) {
        expect(decoded).not.toContain(it)
        expect(decoded).not.toContain(it.slice(1, -4))
      }
      expect(decoded).toContain(`…${secret.slice(-4)}`)
    },
  )

  test('has a hash of its sandbox, unlike that of other keys', async () => {
    const shown = async (seed: string) => {
      const { sandbox, carry } = await openOwnSandbox({ seed })
      for (const key of [keys.full, keys.readOnly, keys.full]) {
        await carry(PAYOUT, { headers: { 'x-api-key': key } })
      }
      return sandbox.requests().map(({ request }) => request.headers['x-api-key'])
    }
    const [full, readOnly, again] = await shown('a')
    expect([full, readOnly]).toEqual([maskedKey('0001'), maskedKey('0001')])
    expect(again).toBe(full)
    expect(readOnly).not.toBe(full)
    expect(await shown('a')).toEqual([full, readOnly, full])
    expect(await shown('b')).not.toContain(full)
  })

  test('is redacted in a body that is refused before it is parsed', async () => {
    const { sandbox, carry } = await openOwnSandbox({ controlToken: TOKEN })
    const image = `data:image/png;base64,${'iVBORw0KGgo/'.repeat(20)}`
    const fields = { key: keys.full, token: TOKEN, image, note: 'after' }
    const bodies = [
      ['application/x-www-form-urlencoded', new URLSearchParams(fields).toString()],
      ['text/plain', JSON.stringify(fields)],
      ['text/plain', JSON.stringify(fields).slice(0, -1)],
      ['application/xml', `<a b="${keys.full}"><c>${TOKEN}</c>${image}</a><d>after</d>`],
    ] as const
    for (const [type, body] of bodies) {
      await carry(PAYOUT, {
        method: 'POST',
        headers: { 'x-api-key': keys.full, 'content-type': type },
        body,
      })
    }
    const kept = sandbox.requests().map(({ request }) => JSON.stringify(request.body))
    const har = await carry('/_sandbox/requests.har', {
      headers: { authorization: `Bearer ${TOKEN}` },
    })
    const { entries } = ((await har.json()) as Har).log
    expect(entries.map(({ request }) => request.bodySize)).toEqual(
      bodies.map(([, it]) => it.length),
    )
    const exported = entries.map(({ request }) => request.postData?.text ?? '')
    for (const text of [...kept, ...exported]) {
      expect(text).toContain('…0001')
      expect(text).toContain('…aple')
      expect(text).toMatch(/… \(2\d0 characters\)/)
      expect(text).toContain('after')
      for (const secret of [keys.full.slice(0, -4), TOKEN, 'iVBOR'])
        expect(text).not.toContain(secret)
    }
    expect(sandbox.requests()[1]?.request.body).toMatchObject({
      key: expect.stringMatching(/^…0001/),
    })
  })

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
      expect(kept?.response.body).toMatchObject({
        first_name: expect.stringMatching(/…0001~[0-9a-f]{6}s?$/),
      })
      sandbox.reset()
    }
  })
})
