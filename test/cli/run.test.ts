import { describe, expect, test, vi } from 'vitest'
import { folderOf, SCENARIO, SHORT_SCENARIO } from './sample-scenario.js'
import { CLI, isRunning, makeFolder, type Ran, runCli, startCli, startProgram } from './sandramp.js'

const printedByClient = ({ stdout }: Ran) => JSON.parse(/^\{.*\}$/m.exec(stdout)?.[0] ?? '{}')

const node = process.execPath

describe.concurrent('sandramp run', () => {
  test('passes when the command and all expectations pass', async () => {
    const cwd = folderOf()
    const ran = await runCli(['run', 'bad-day.yaml', '--seed', 's', '--', 'node', 'pay.mjs'], cwd)
    expect(ran, ran.stdout).toMatchObject({ code: 0, stderr: '' })
    expect(printedByClient(ran)).toMatchObject({ paid: 200, users: 503, seed: 's' })
    expect(ran.stdout).toMatch(
      / {2}command {3}node pay\.mjs\n {12}exit code 0, \d\.\d{3} s, requests: 2\n/,
    )
    expect(ran.stdout).toContain('  fired     1 × bad-day/0  bad-day.yaml:4\n')
    expect(ran.stdout).toContain('            1 × bad-day/1  bad-day.yaml:6\n')
    expect(ran.stdout).toContain(
      '  never     bad-day/2  bad-day.yaml:10\n              waits for user.created\n',
    )
    expect(ran.stdout).toMatch(
      /ok {8}payouts with status PAYOUT_FAILED: 1 .* {2}bad-day\.yaml:13$/m,
    )
    expect(ran.stdout).toMatch(/\npassed\n$/)
  })

  test.runIf(process.platform !== 'win32')(
    'appends the report to a redirected stdout',
    async () => {
      const cwd = folderOf()
      const line = `echo before > log
        "$0" "$1" run happy-path --allow-idle --junit /dev/stdout -- echo of the command >> log
        echo behind >> log; cat log`
      const ran = await startProgram('sh', ['-c', line, node, CLI], cwd).ended
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      const inOrder =
        /^before\nof the command\n[^<]*\npassed\n<\?xml [\s\S]*<\/testsuites>\nbehind\n$/
      expect(ran.stdout).toMatch(inOrder)
    },
  )

  test.runIf(process.platform !== 'win32').each([
    ['run', '/dev/stdin'],
    ['run', '--each', '/dev/stdin'],
    ['readings', '/dev/stdin'],
  ])('reads a scenario from a pipe: %s %s', async (...args) => {
    const command = ['"$0"', '"$1"', ...args, '--allow-idle', '--', 'true'].join(' ')
    const line = `cat bad-day.yaml | ${command}`
    const cwd = makeFolder({ 'bad-day.yaml': SHORT_SCENARIO.replace(/^expect.*\n/m, '') })
    const ran = await startProgram('sh', ['-c', line, node, CLI], cwd).ended
    expect(ran.code, ran.stdout + ran.stderr).toBe(0)
    expect(ran.stdout).toContain('bad-day')
  })

  test('exits with 3 on a missed expectation, prints near misses, and can be repeated', async () => {
    const missed = SCENARIO.replace('{ audit: clean }', '{ payouts: { status: PAYOUT_PROCESSED } }')
    const cwd = folderOf({ 'bad-day.yaml': missed })
    const key = 'OurOwnKeyForSomeTests00000000001'
    const ran = await runCli(
      ['run', 'bad-day.yaml', '--clock', 'manual', '--api-key', key, '--', 'node', 'pay.mjs'],
      cwd,
    )
    expect(ran).toMatchObject({ code: 3, stderr: '' })
    const { id, seed } = printedByClient(ran)
    expect(ran.stdout).toMatch(/MISSED {4}payouts .*: 0 .* {2}bad-day\.yaml:15$/m)
    expect(ran.stdout).toContain(`payout ${id.slice(0, 8)}… PAYOUT_FAILED, 1500.00 NGN, `)
    expect(ran.stdout).toContain('status: expected PAYOUT_PROCESSED, got PAYOUT_FAILED\n')
    expect(ran.stdout).toContain('\nFAILED: 1 of 3 expectations missed\n')
    const repeat = /^repeat it exactly:\n {2}(.*)\n$/m.exec(ran.stdout)?.[1] ?? ''
    expect(repeat).toBe(
      `node ${CLI} run bad-day.yaml --seed ${seed} --clock manual ` +
        `--api-key "$\{SANDRAMP_API_KEY:-AnyKeyWillDoHere0000000000000001}" -- node pay.mjs`,
    )
    const again = await startProgram('sh', ['-c', repeat], cwd).ended
    expect(printedByClient(again), again.stdout + again.stderr).toEqual(printedByClient(ran))
    expect(again.code).toBe(3)
  })
})

/** Prints its pid and that of a child, and runs for ten minutes. */
const FAMILY = `sh -c 'echo "child $$ of $PPID ready"; exec sleep 600'; true`
/** Ignores signals, as does its child. */
const DEAF = `trap '' INT TERM HUP; ${FAMILY}`

const READY = /child (\d+) of \d+ ready/

describe.concurrent('run leaves no process behind', () => {
  const gone = (pid: string) => vi.waitUntil(() => !isRunning(Number(pid)), { timeout: 60_000 })

  test('after the command ended', async () => {
    const command = ['sh', '-c', 'sleep 600 & echo "child $! of $$ ready"']
    const { printed, ended } = startCli(['run', 'happy-path', '--allow-idle', '--', ...command])
    const pid = await printed(READY)
    expect((await ended).code).toBe(0)
    await gone(pid)
  })

  test('after --timeout', async () => {
    const args = ['run', 'happy-path', '--timeout', '1s', '--', 'sh', '-c', FAMILY]
    const { printed, ended } = startCli(args)
    const pid = await printed(READY)
    const { code, stdout } = await ended
    expect(code).toBe(1)
    expect(stdout).toContain('FAILED: the command: ended after 1s, its --timeout\n')
    expect(stdout).toContain('--timeout 1s -- sh -c')
    await gone(pid)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('after %s, which is forwarded', async (signal, expected) => {
    const { child, printed, ended } = startCli(['run', 'happy-path', '--', 'sh', '-c', FAMILY])
    const pid = await printed(READY)
    child.kill(signal)
    const { code, stderr } = await ended
    expect(code).toBe(expected)
    expect(stderr).toContain(`stopped by ${signal}`)
    await gone(pid)
  })

  test('after a second signal, if the command ignores the first', async () => {
    const { child, printed, ended } = startCli(['run', 'happy-path', '--', 'sh', '-c', DEAF])
    const pid = await printed(READY)
    child.kill('SIGTERM')
    child.kill('SIGINT')
    expect([130, 143]).toContain((await ended).code)
    await gone(pid)
  })
})
