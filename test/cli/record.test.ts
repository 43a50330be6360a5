import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { runHere } from './run-in-process.js'
import { makeFolder, runCli, startCli } from './sandramp.js'

test('record ends its file at SIGINT, and leaves it readable at SIGKILL', async () => {
  const sandbox = startCli(['--port', '0'])
  const service = await sandbox.printed(/listening on (http\S+)/)
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    const cwd = makeFolder()
    const args = ['record', '--upstream', service, '--port', '0', '--out', 'a.har']
    const recorder = startCli(args, cwd)
    const url = await recorder.printed(/recording (http\S+)/)
    const read = () => readFileSync(join(cwd, 'a.har'), 'utf8')
    expect((await fetch(`${url}/onboarding/api/v1/users/all`)).status).toBe(403)
    await expect.poll(read).toContain('"status":403')
    recorder.child.kill(signal)
    const isWhole = signal === 'SIGINT'
    expect((await recorder.ended).code).toBe(isWhole ? 0 : null)
    expect(read().includes('"complete":true')).toBe(isWhole)
    expect((await runCli(['calibrate', 'a.har'], cwd)).stdout).toContain('\n1 request, ')
  }
  sandbox.child.kill()
})

test.each([
  ['no upstream', ['--out', 'a.har'], 'Missing --upstream'],
  ['another protocol', ['--upstream', 'ftp://a', '--out', 'a.har'], 'Invalid --upstream'],
  ['no file', ['--upstream', 'http://a'], 'Missing --out'],
  ['another file', ['--upstream', 'http://a', '--out', 'a.yaml'], 'ends in .har'],
  ['a size', ['--upstream', 'http://a', '--out', 'a.har', '--body-limit', '1'], 'KiB'],
])('record with %s returns an error', async (_, args, words) => {
  const ran = await runHere(['record', ...args])
  expect(ran).toMatchObject({ code: 2, stdout: '' })
  expect(ran.stderr).toContain(words)
})
