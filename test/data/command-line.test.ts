import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { expect, it } from 'vitest'
import { runHere } from '../cli/in-process.js'
import { runCli, startCli } from '../cli/sandramp.js'
import { dataFile } from '../support/data-folder.js'

const start = async (data: string) => {
  const running = startCli(['--port', '0', '--log', 'silent', '--data', data])
  await running.printed(/sandramp listening on/)
  return running
}

it('has both files when it says that it is ready, for their owner alone', async () => {
  const data = dataFile()
  const { child, ended } = await start(data)
  expect(readFileSync(data, 'utf8')).toContain('"format": 1')
  expect(readFileSync(`${data}.journal`, 'utf8')).toContain('"format":1')
  if (process.platform !== 'win32') expect(statSync(data).mode & 0o777).toBe(0o600)
  child.kill('SIGINT')
  expect((await ended).code).toBe(0)
})

it('folds the journal when it ends, also what it began with', async () => {
  const data = dataFile()
  const { child, ended } = await start(data)
  const lines = () => readFileSync(`${data}.journal`, 'utf8').trimEnd().split('\n')
  expect(lines().length).toBeGreaterThan(1)
  child.kill('SIGTERM')
  expect((await ended).code).toBe(0)
  expect(lines()).toEqual([expect.stringContaining('"snapshot"')])
})

it('does so too when its terminal goes away, which may be told twice', async () => {
  const data = dataFile()
  const { child, ended } = await start(data)
  child.kill('SIGHUP')
  child.kill('SIGHUP')
  expect((await ended).code).toBe(0)
  const lines = readFileSync(`${data}.journal`, 'utf8').trimEnd().split('\n')
  expect(lines).toEqual([expect.stringContaining('"snapshot"')])
})

it('refuses a file that another process uses, and takes it at once when that was killed', async () => {
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

it('says in one line what is wrong with a file', async () => {
  const data = dataFile()
  mkdirSync(data)
  const { code, stderr } = await runHere(['--port', '0', '--data', data])
  expect(code).toBe(2)
  expect(stderr).toBe(
    `sandramp: --data: ${data} is not a file; accepted: the path of a file, which is made when it is not there\n`,
  )
})
