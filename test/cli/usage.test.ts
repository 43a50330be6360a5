import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { startFlags } from '../../src/cli/start-flags.js'
import { usages } from '../../src/cli/usage.js'
import { didYouMean, invalid, inWords, missing, unknown } from '../support/invalid.js'
import { runHere } from './run-in-process.js'
import { SHORT_SCENARIO } from './sample-scenario.js'
import { CLI, makeFolder, runCli, startProgram } from './sandramp.js'

const folderOf = () =>
  makeFolder({
    'bad-day.yaml': SHORT_SCENARIO,
    'broken.yaml': SHORT_SCENARIO.replace('PAYOUT_FAILED }', 'PAYOUT_FALED }'),
    'no-program': 'x',
  })

describe('sandramp run', () => {
  const touch = ['--', 'touch', 'ran']

  test.each<[string, string[], ...string[]]>([
    ['no --', ['bad-day.yaml'], missing('-- before the command')],
    ['nothing after --', ['bad-day.yaml', '--'], missing('command after --')],
    ['an unknown flag', ['bad-day.yaml', '--jnit', 'x', ...touch], didYouMean('--junit')],
    [
      'a flag of start',
      ['bad-day.yaml', '--host', 'x', ...touch],
      'Unknown flag "--host". sandramp start and sandramp probe have it.',
    ],
    ['a timeout', ['bad-day.yaml', '--timeout', 'soon', ...touch], invalid('--timeout', 'soon')],
    ['a timeout of zero', ['bad-day.yaml', '--timeout', '0s', ...touch], 'above zero'],
    ['jobs without cases', ['bad-day.yaml', '--jobs', '2', ...touch], 'for a single run'],
    ['a port', ['bad-day.yaml', '--port', 'x', ...touch], invalid('--port', 'x')],
    ['a clock', ['bad-day.yaml', '--clock', 'x', ...touch], invalid('--clock', 'x')],
    ['a folder', ['.', ...touch], '. cannot be read: it is a folder. Expected a scenario'],
    ['an unknown scenario', ['hapy-path', ...touch], didYouMean('happy-path')],
    [
      'an unknown assumption',
      ['bad-day.yaml', '--reading', 'payout.repaet=x', ...touch],
      '--reading: Unknown assumption "payout.repaet"',
      didYouMean('payout.repeat'),
    ],
    [
      'a broken scenario',
      ['broken.yaml', ...touch],
      'broken.yaml:3:48:',
      didYouMean('PAYOUT_FAILED'),
    ],
    [
      'two scenarios of one name',
      ['bad-day.yaml', './bad-day.yaml', ...touch],
      'Two scenarios are named bad-day: bad-day.yaml and ./bad-day.yaml. Expected each name once',
    ],
    [
      'a JUnit report with another extension',
      ['bad-day.yaml', '--junit', 'bad-day.yaml', ...touch],
      'Invalid --junit: got "bad-day.yaml". Expected a file that ends in .xml.',
    ],
    ['a start time', ['bad-day.yaml', '--now', 'later', ...touch], invalid('--now', 'later')],
    ['a form of questions', ['bad-day.yaml', '--report', 'q.pdf', ...touch], '.md, .json'],
    ['no such command', ['bad-day.yaml', '--', 'no-such'], 'command not found: no-such\n'],
    [
      'a shell command line',
      ['bad-day.yaml', '--', 'no-such && true'],
      "command not found: no-such && true. Start a shell for a line of commands: -- sh -c '…'\n",
    ],
    ['a command', ['bad-day.yaml', '--', './no-program'], './no-program cannot be executed'],
  ])('%s: returns 2 and does not run the command', async (_, args, ...words) => {
    const cwd = folderOf()
    const ran = await runHere(['run', ...args], cwd)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    for (const word of words) expect(ran.stderr).toContain(word)
    expect(() => readFileSync(join(cwd, 'ran'))).toThrow('ENOENT')
    expect(readFileSync(join(cwd, 'bad-day.yaml'), 'utf8')).toBe(SHORT_SCENARIO)
  })

  test.each([
    ['--junit', 'broken.yaml/r.xml', 'a folder on the way to it is a file'],
    ['--report', 'folder.md', 'it is a folder'],
  ])('returns 1 and does not run the command if it cannot write %s %s', async (flag, file, why) => {
    const cwd = folderOf()
    mkdirSync(join(cwd, 'folder.md'))
    const ran = await runHere(['run', 'bad-day.yaml', flag, file, ...touch], cwd)
    const stderr = `sandramp: ${flag}: ${file} cannot be written: ${why}\n`
    expect(ran).toEqual({ code: 1, stdout: '', stderr })
    expect(readdirSync(cwd)).not.toContain('ran')
  })

  test.each([['run', 'bad-day.yaml'], ['readings']])(
    'an earlier report is kept if the command does not exist: %s',
    async (...args) => {
      const cwd = folderOf()
      const flags = ['--allow-idle', '--junit', 'r.xml']
      await runHere([...args, ...flags, '--', 'true'], cwd)
      const report = readFileSync(join(cwd, 'r.xml'), 'utf8')
      expect(report).toContain('</testsuites>')
      const more = ['--junit', 'out/new.xml']
      for (const it of [flags, more]) {
        expect(await runHere([...args, ...it, '--', 'no-such'], cwd)).toMatchObject({ code: 2 })
      }
      expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toBe(report)
      expect(readdirSync(cwd)).not.toContain('out')
      await runHere([...args, ...flags, '--', 'false'], cwd)
      expect(readFileSync(join(cwd, 'r.xml'), 'utf8')).toMatch(/failures="[1-9]/)
    },
  )

  test('returns 2 if the port is in use', async () => {
    const port = await takePort()
    const ran = await runHere(['run', 'bad-day.yaml', '--port', String(port), ...touch], folderOf())
    expect(ran).toMatchObject({ code: 2, stderr: taken(port) })
  })
})

test('start on a port in use releases its data file', async () => {
  const port = await takePort()
  const cwd = makeFolder({})
  const ran = await runHere(['start', '--port', String(port), '--data', 'state.json'], cwd)
  expect(ran).toMatchObject({ code: 2, stderr: taken(port) })
  expect(readdirSync(cwd)).toEqual(['state.json'])
})

const takePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void server.close())
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const taken = (port: number) =>
  `sandramp: Invalid --port: port ${port} is in use. Expected another port, or 0 for a free one.\n`

const COMMANDS =
  'start, run, readings, sweep, calibrate, record, probe, scenarios, tenant, mcp, init, advance, deposit, credit, why, fail, process, resume, next, tail, undo, redo, worlds, open, help'

describe('the command line', () => {
  test.each([
    [['--help'], 'Usage: sandramp [command] [flags]'],
    [['-h'], 'Usage: sandramp [command] [flags]'],
    [['help'], 'Usage: sandramp [command] [flags]'],
    [['start', '--help'], 'Usage: sandramp [start] [flags]'],
    [['help', 'start'], 'Usage: sandramp [start] [flags]'],
    [['help', 'run'], 'Usage: sandramp run [<scenario…>]'],
    [['run', '--help'], 'Usage: sandramp run [<scenario…>]'],
    [['--version'], '0.'],
    [['-v'], '0.'],
  ])('%j prints help or the version', async (args, words) => {
    const ran = await runHere(args)
    expect(ran).toMatchObject({ code: 0, stderr: '' })
    expect(ran.stdout).toContain(words)
  })

  test('--help gives each command one line, of at most 100 columns, and no flag of a server', async () => {
    const { stdout } = await runHere(['--help'])
    for (const name of Object.keys(usages))
      expect(stdout).toMatch(new RegExp(`^ {2}\\[?${name}\\b.{36,96}$`, 'm'))
    for (const flag of Object.keys(startFlags)) expect(stdout).not.toContain(`  --${flag} `)
  })

  test.each(['start', 'run', 'readings', 'tenant', 'next', 'tail'])(
    '%s --help has a group for each flag but --help and --version',
    async (command) => {
      const { stdout } = await runHere([command, '--help'])
      const [, others = ''] = stdout.split('\nOther:\n')
      expect(others.replace(/ {2}--(help|version), -\w .*\n/g, '')).not.toContain('  --')
      expect(stdout).not.toMatch(/^Log:\n {2}--json/m)
    },
  )

  test.each([
    [['rnu'], unknown('command', 'rnu', COMMANDS, didYouMean('run'))],
    [['help', 'rnu'], unknown('command', 'rnu', COMMANDS, didYouMean('run'))],
    [['help', 'run', 'readings'], invalid('argument', 'readings', 'one command')],
    [['--port', '1', '--port=2'], '--port was given twice. Expected once'],
    [['--junit', 'x'], 'Unknown flag "--junit". sandramp run, sandramp readings and sandramp'],
    [['--scenario', '.'], '--scenario: . cannot be read: it is a folder. Expected a scenario'],
    [['--scenario', 'no'], '--scenario: No scenario and no file is named no. Expected a file'],
    [['--readings', '.'], '--readings: . cannot be read: it is a folder. Expected a file of'],
    [['--fixtures', 'no'], '--fixtures: no is not a folder. Expected a folder of fixtures'],
    [['--api-key', 'short'], invalid('--api-key', inWords('5 characters'), 'exactly 32')],
    [
      ['--control-token', 'a b'],
      invalid('--control-token', inWords('3 characters'), 'visible ASCII'),
    ],
    [['--port', '0', '--host', '192.0.2.1'], invalid('--host', '192.0.2.1', 'a name or address')],
    [['--seed', 's', 'run'], 'Invalid order: run comes after flags. Expected the command first.'],
    [['start', 'run', 'x'], invalid('argument', 'run', 'flags only')],
    [['scenarios', '--all'], 'Unknown flag "--all". sandramp readings has it.'],
    [['--reading', 'payout.fee=free'], invalid('payout.fee', 'free', 'on_top, deducted')],
    [['readings', '--reading', 'payout.repeat=conflct', '--', 'true'], didYouMean('conflict')],
  ])('%j returns 2', async (args, words) => {
    const ran = await runHere(args)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toContain(words)
  })

  test.each<[Record<string, string>, string]>([
    [{ PORT: 'abc' }, invalid('PORT', 'abc', 'a number from 0 to 65535')],
    [{ SANDRAMP_CLOCK: 'x' }, invalid('SANDRAMP_CLOCK', 'x', 'real, manual, or a speed')],
    [{ SANDRAMP_READINGS: 'x' }, `SANDRAMP_READINGS: ${invalid('reading', 'x', '<id>=<reading>')}`],
    [{ SANDRAMP_READINGS_FILE: '.' }, 'SANDRAMP_READINGS_FILE: . cannot be read: it is a folder'],
    [{ SANDRAMP_DATA: '.' }, 'SANDRAMP_DATA: . is not a file. Expected the path of a file'],
  ])('%j is reported under the name of the variable', async (env, words) => {
    const ran = await runHere([], makeFolder(), env)
    expect(ran).toMatchObject({ code: 2, stdout: '' })
    expect(ran.stderr).toMatch(/^sandramp: (?:Invalid )?[A-Z_]+: /)
    expect(ran.stderr).toContain(`sandramp: ${words}`)
  })
})

test('start warns about a variable that is named after a flag whose variable has another name', async () => {
  const { stderr } = await runHere(['--scenario', 'no'], makeFolder(), { SANDRAMP_PORT: '1' })
  expect(stderr).toMatch(/^sandramp: SANDRAMP_PORT is ignored\. The variable of --port is PORT\.\n/)
})

describe.skipIf(process.platform === 'win32')('a command that cannot start', () => {
  test.each<[string[], string]>([
    [['happy-path', '--', './crlf'], 'Line ends in CRLF cause this too'],
    [['happy-path', '--', './loop'], 'command not found: ./loop'],
    [['happy-path', '--', `./${'x'.repeat(300)}`], 'command not found: ./xxx'],
    [['--suite', 'nul.yaml', '--', 'true'], 'without null bytes'],
    [['--suite', 'long.yaml', '--', 'true'], 'environment are too long'],
  ])('is an error without a stack trace: %j', async (args, words) => {
    const suite = (value: string) => `cases: [{ scenario: happy-path, env: { A: "${value}" } }]`
    const cwd = makeFolder({ 'nul.yaml': suite('\\0'), 'long.yaml': suite('x'.repeat(200_000)) })
    writeFileSync(join(cwd, 'crlf'), '#!/bin/sh\r\n', { mode: 0o755 })
    symlinkSync('loop', join(cwd, 'loop'))
    const ran = await runHere(['run', '--allow-idle', ...args], cwd)
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toContain(words)
    expect(ran.stderr).toMatch(ERROR)
  })

  test('is looked for in the folders of the PATH alone', async () => {
    const cwd = makeFolder({ 'tool.jar': '' })
    symlinkSync('loop', join(cwd, 'loop'))
    const entries = ['tool.jar', 'loop', 'x'.repeat(300), 'none'].map((it) => join(cwd, it))
    const PATH = [...entries, process.env.PATH].join(':')
    vi.stubEnv('PATH', PATH)
    const ran = await runHere(['run', 'happy-path', '--allow-idle', '--', 'true'], cwd, { PATH })
    vi.unstubAllEnvs()
    expect(ran).toMatchObject({ code: 0, stderr: '' })
  })
})

/** One line without a stack trace, and where to read on. */
const ERROR = /^(?:cases: 1\n)?sandramp: .*\n(?:sandramp run --help .*\n)?$/

describe.concurrent('the built command line', () => {
  test('prints its help', async () => {
    const { stdout, ...ran } = await runCli(['--help'])
    expect(ran).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('Usage: sandramp [command] [flags].')
  })

  test('prints an error in one line', async () => {
    const { stderr, ...ran } = await runCli(['run', 'broken.yaml', '--', 'x'], folderOf())
    expect(ran).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^sandramp: broken.yaml:3:48: .*/)
    expect(stderr).not.toMatch(/^ +at /m)
  })

  test.skipIf(process.platform === 'win32')('needs a working folder', async () => {
    const run = `"${process.execPath}" "${CLI}" run happy-path --allow-idle -- true`
    const line = `mkdir gone; cd gone; rmdir ../gone; ${run}`
    const ran = await startProgram('sh', ['-c', line], makeFolder()).ended
    expect(ran.code).not.toBe(0)
    expect(ran.stderr).toContain('The working folder is gone. Change to another one.')
    expect(ran.stderr).toMatch(ERROR)
  })
})
