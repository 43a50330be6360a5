import { expect, test } from 'vitest'
import { keys } from '../support/fixture-ids.js'
import { startCli } from './sandramp.js'

test('start keeps running when stdout is closed, and when a scenario nests without end', async () => {
  const { child, printed, ended } = startCli(['--port', '0'])
  const url = await printed(/sandramp listening on (\S+)/)
  child.stdout?.destroy()
  const ask = () =>
    fetch(`${url}/onboarding/api/v1/users/all`, { headers: { 'x-api-key': keys.full } })
  for (let request = 0; request < 3; request++) expect((await ask()).status).toBe(200)
  const body = `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`
  for (const type of ['application/json', 'application/yaml']) {
    const sent = { method: 'POST', headers: { 'content-type': type }, body }
    expect((await fetch(`${url}/_sandbox/scenarios`, sent)).status).toBe(400)
  }
  child.kill('SIGTERM')
  expect(await ended).toMatchObject({ code: 0, stderr: '' })
})

test('start --log json prints only JSON, with the URL, the generated token and the time of the world', async () => {
  const flags = ['--port', '0', '--host', '0.0.0.0', '--log', 'json', '--clock', 'manual']
  const { child, printed, ended } = startCli(flags)
  const ready = JSON.parse(await printed(/^.*sandramp listening on.*$/m))
  expect(ready.message).toBe(`sandramp listening on ${ready.url}`)
  const url = ready.url.replace('0.0.0.0', '127.0.0.1')
  const headers = { 'x-api-key': keys.full, authorization: `Bearer ${ready.control_token}` }
  for (const path of ['/_sandbox/health', '/onboarding/api/v1/users/all', '/_sandbox/clock'])
    expect((await fetch(url + path, { headers })).status).toBe(200)
  child.kill('SIGTERM')
  const { stdout } = await ended
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(lines.slice(1)).toMatchObject([
    { operation: 'listUsers', world: 'default', at: '2026-06-15T09:00:00.000Z' },
    { operation: 'getClock', world: 'default', at: '2026-06-15T09:00:00.000Z' },
  ])
})

test('start prints no key and no token that were passed to it', async () => {
  const [given, token] = ['Given000000000000000000000000001', 'given-token']
  const own = startCli(['--port', '0', '--api-key', given, '--control-token', token])
  await own.printed(/Try next:\n(.*\n){2}/)
  own.child.kill('SIGTERM')
  const { stdout } = await own.ended
  expect(stdout).toContain('\n  API key     …0001\n')
  expect(stdout).toMatch(/ -H "x-api-key: \$SANDRAMP_API_KEY" http:.*\/users\/all\n/)
  expect(stdout).toContain(' -H "authorization: Bearer $SANDRAMP_CONTROL_TOKEN" http:')
  expect(stdout).not.toContain(given)
  expect(stdout).not.toContain(token)
})
