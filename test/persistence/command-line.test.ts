import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { isBuilt } from '../../scripts/build-stamp.js'
import { createSandbox } from '../../src/index.js'
import { runHere } from '../cli/run-in-process.js'
import { CLI, makeFolder, runCli, startCli, startProgram } from '../cli/sandramp.js'
import { dataFile } from '../support/data-folder.js'
import { keys } from '../support/fixture-ids.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

const start = async (data: string) => {
  const running = startCli(['--port', '0', '--log', 'silent', '--data', data])
  await running.printed(/sandramp listening on/)
  return running
}

/** Everything is in the snapshot, so there is no journal. */
const expectCompacted = (data: string) => {
  expect(readdirSync(dirname(data))).toEqual(['state.json'])
  expect(readFileSync(data, 'utf8')).toContain('"default": {')
}

test('has both files when it is ready, for their owner alone, and compacts the journal when it ends', async () => {
  const data = dataFile()
  const { child, ended } = await start(data)
  expect(readFileSync(data, 'utf8')).toContain('"format": 3')
  const journal = readFileSync(`${data}.journal.1`, 'utf8')
  expect(journal).toContain('"format":3')
  expect(journal).toContain('"command":"world.begin"')
  if (process.platform !== 'win32') expect(statSync(data).mode & 0o777).toBe(0o600)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  expectCompacted(data)
})

test.each([
  ['its terminal closes, which may send two signals', 'SIGHUP', 'SIGHUP'],
  ['a process and its group are signalled one after the other', 'SIGTERM', 'SIGINT'],
] as const)('compacts it too when %s', async (_when, first, second) => {
  const data = dataFile()
  const { child, ended } = await start(data)
  child.kill(first)
  child.kill(second)
  expect((await ended).code).toBe(0)
  expectCompacted(data)
})

// A missing build would be made here, during other tests; `npm test` builds first.
test.skipIf(process.platform === 'win32' || !isBuilt(ROOT))(
  'compacts it too when npm, which started it, gets a signal and ends only its shell',
  async () => {
    const data = dataFile()
    const script = `node scripts/start.js --port 0 --log silent --data ${data}; true`
    const { child, printed, ended } = startProgram('sh', ['-c', script], ROOT)
    await printed(/sandramp listening on/)
    child.kill('SIGTERM')
    await ended
    expectCompacted(data)
  },
)

test('refuses a file that another process uses, and takes it at once when that was killed', async () => {
  const data = dataFile()
  const first = await start(data)
  const second = await runCli(['--port', '0', '--data', data])
  expect(second.code).toBe(2)
  expect(second.stderr).toBe(
    `sandramp: ${data}: another Sandramp is using it; close that one, or give another file\n`,
  )
  first.child.kill('SIGKILL')
  await first.ended
  const third = await start(data)
  third.child.kill('SIGTERM')
  expect((await third.ended).code).toBe(0)
})

test('refuses a file that another process with another TMPDIR uses, however long its path is', async () => {
  const folder = join(makeFolder(), 'x'.repeat(120))
  mkdirSync(folder)
  const data = join(folder, 'state.json')
  const first = await start(data)
  const second = await runCli(['--port', '0', '--data', data], undefined, { TMPDIR: makeFolder() })
  expect(second.code).toBe(2)
  expect(second.stderr).toContain('another Sandramp is using it')
  first.child.kill('SIGTERM')
  expect((await first.ended).code).toBe(0)
})

test('says in one line what is wrong with a file', async () => {
  const data = dataFile()
  mkdirSync(data)
  const { code, stderr } = await runHere(['--port', '0', '--data', data])
  expect(code).toBe(2)
  expect(stderr).toBe(
    `sandramp: --data: ${data} is not a file. Expected the path of a file, which is made when it is not there.\n`,
  )
})

test('names the file in the way', async () => {
  const data = dataFile()
  mkdirSync(`${data}.new`)
  const { code, stderr } = await runHere(['--port', '0', '--data', data])
  expect(code).toBe(2)
  expect(stderr).toBe(
    `sandramp: --data: ${data} cannot be used: state.json.new: it is a folder. Expected the path of a file, which is made when it is not there.\n`,
  )
})

test('says so of a file that is named as a folder is', async () => {
  const data = `${dataFile()}/`
  const { code, stderr } = await runHere(['--port', '0', '--data', data])
  expect(code).toBe(2)
  expect(stderr).toContain(`sandramp: --data: ${data} is not a file. Expected `)
})

test.skipIf(process.platform === 'win32')('says so where the folder is gone', async () => {
  const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"'
  const start = [process.execPath, CLI, '--port', '0', '--data', 'state.json']
  const { code, stderr } = await startProgram('sh', ['-c', script, '-', ...start], makeFolder())
    .ended
  expect(code).toBe(2)
  expect(stderr).toContain('sandramp: --data: state.json cannot be created: there is no folder .')
})

describe('a scenario that was chosen and whose file is not given again', () => {
  /** The warning of a start without it, when the worlds of these keys have chosen it. */
  const warningsWithout = async (keysOfWorlds: readonly string[]) => {
    const data = dataFile()
    const rules = 'rules: [{ when: payout.created, then: [{ stop: true }] }]'
    const folder = makeFolder({ 'mine.yaml': `name: mine\ntitle: T\n${rules}\n` })
    const warnings = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => warnings.mockRestore())
    const scenarios = [join(folder, 'mine.yaml')]
    const first = await createSandbox({ data, scenarios })
    for (const key of keysOfWorlds) {
      await first.fetch('/_sandbox/scenarios/active', {
        method: 'PUT',
        headers: { 'content-type': 'application/json', 'x-api-key': key },
        body: JSON.stringify({ names: ['mine', 'bank-rejects'] }),
      })
    }
    await first.close()
    await (await createSandbox({ data, scenarios })).close()
    expect(warnings).not.toHaveBeenCalled()
    await (await createSandbox({ data })).close()
    return warnings.mock.calls
  }
  const lost = (who: string) => [
    [
      expect.stringMatching(
        `^${who} the active scenario mine, but this start got no file for it, `,
      ),
    ],
  ]

  const nightly = 'SandboxWorldOfTheNightlyTests001'

  test.each([
    ['the default world has', [keys.full]],
    ['the world [0-9a-f]{32} has', [nightly]],
    ['2 worlds have', [keys.full, nightly]],
  ])('is a warning: %s it', async (who, keysOfWorlds) => {
    expect(await warningsWithout(keysOfWorlds)).toEqual(lost(who))
  })
})
