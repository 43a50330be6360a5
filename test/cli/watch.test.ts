import { renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { keys } from '../support/fixture-ids.js'
import { payoutRequest } from '../support/requests.js'
import { runHere } from './run-in-process.js'
import { SHORT_SCENARIO } from './sample-scenario.js'
import { makeFolder, startCli } from './sandramp.js'

const answers = (reading: string) =>
  `payout.repeat: { reading: ${reading}, said_by: S, when: 2026-05-04 }\n`

test('start --watch reloads changed files, keeps the worlds, and keeps the last version of a broken file', async () => {
  const cwd = makeFolder({ 'a.yaml': SHORT_SCENARIO, 'answers.yaml': answers('replay') })
  const flags = ['--scenario', 'a.yaml', '--readings', 'answers.yaml', '--watch']
  const { child, printed, ended } = startCli(['--port', '0', ...flags], cwd)
  let stderr = ''
  child.stderr?.on('data', (text) => {
    stderr += text
  })
  const said = (words: string, times = 1) =>
    vi.waitUntil(() => stderr.split(words).length > times, { timeout: 60_000, interval: 10 })
  const url = await printed(/sandramp listening on (\S+)/)
  const headers = { 'x-api-key': keys.full, 'content-type': 'application/json' }
  const pay = async () => {
    const body = JSON.stringify(payoutRequest())
    const request = { method: 'POST', headers, body }
    const response = await fetch(`${url}/payment/api/v1/payout`, request)
    return { http: response.status, ...(await response.json()) }
  }
  const { id, status } = await pay()
  expect(status).toBe('PAYOUT_FAILED')

  const down = '[{ when: request, then: [{ respond: { status: 503 } }] }]'
  writeFileSync(join(cwd, 'a.yaml'), SHORT_SCENARIO.replace(/\[.*\]/, down))
  await said('sandramp: a.yaml reloaded: bad-day/0\n')
  expect(await pay()).toMatchObject({ http: 503 })

  writeFileSync(join(cwd, 'a.yaml'), SHORT_SCENARIO.replace('PAYOUT_FAILED', 'PAYOUT_FALED'))
  await said('Did you mean "PAYOUT_FAILED"? The last version stays active.\n')
  expect(await pay()).toMatchObject({ http: 503 })

  writeFileSync(join(cwd, 'a.yaml'), SHORT_SCENARIO.replace('bad-day', 'good-day'))
  await said('Invalid name in a.yaml: got "good-day". Expected bad-day.')

  // Editors write another file and put it in place.
  writeFileSync(join(cwd, 'a.yaml~'), `# as before\n${SHORT_SCENARIO}`)
  renameSync(join(cwd, 'a.yaml~'), join(cwd, 'a.yaml'))
  await said('sandramp: a.yaml reloaded: bad-day/0\n', 2)
  expect(await pay()).toMatchObject({ http: 200, id })

  writeFileSync(join(cwd, 'answers.yaml'), answers('conflict'))
  await said('sandramp: answers.yaml reloaded: payout.repeat is conflict, was replay\n')
  expect(await pay()).toMatchObject({ http: 409 })
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
})

test('start --watch without a file returns 2', async () => {
  const ran = await runHere(['--watch', '--scenario', 'bank-rejects'])
  const stderr = expect.stringContaining('--watch was given without a file. Expected a file of')
  expect(ran).toMatchObject({ code: 2, stderr })
})
