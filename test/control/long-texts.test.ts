import { expect, test } from 'vitest'
import { openSandbox } from '../support/open-sandbox.js'

const LONG = '1'.repeat(100_000)
const INSTANT = `2026-01-31T09:30:00.${LONG}Z`

test.each<[string, string, Record<string, unknown>]>([
  ['PUT', '/_sandbox/clock', { mode: LONG }],
  ['PUT', '/_sandbox/clock', { now: INSTANT }],
  ['POST', '/_sandbox/clock/advance', { by: LONG }],
  ['POST', '/_sandbox/clock/advance', { to: INSTANT }],
  ['POST', '/_sandbox/api-keys', { name: 'a', permissions: 'full', expires_at: INSTANT }],
])('%s %s shows only the beginning of a long text', async (method, path, body) => {
  const { sandbox } = await openSandbox()
  const answer = await sandbox.fetch(path, {
    method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const [field = ''] = Object.keys(body).slice(-1)
  const { message } = (await answer.json()) as { message: string }
  expect(answer.status).toBe(400)
  expect(message).toContain(`${field}: `)
  expect(message).toContain('…')
  expect(message.length).toBeLessThan(300)
})
