import { describe, expect, test } from 'vitest'
import { didYouMean, invalid, missing, unknown } from '../../test/support/invalid.js'
import { type Flag, parseArguments, UsageError } from './arguments.js'

const table: Record<string, Flag> = {
  port: { value: '<number>', help: 'port', variable: 'PORT' },
  host: { value: '<address>', help: 'host' },
  scenario: { value: '<name|file>', help: 'scenario', variable: 'SCENARIOS', repeatable: true },
  quiet: { help: 'quiet', variable: 'QUIET' },
}

const read = (argv: string, env: Record<string, string | undefined> = {}) => {
  const { words, flags } = parseArguments(argv.split(' ').filter(Boolean), table, env)
  return { words, flags: Object.fromEntries(flags) }
}

describe('parseArguments', () => {
  test.each([
    ['', [], {}],
    ['start', ['start'], {}],
    ['start --port 80', ['start'], { port: ['80'] }],
    ['--port 80 start', ['start'], { port: ['80'] }],
    ['--port=80', [], { port: ['80'] }],
    ['--quiet start', ['start'], { quiet: [true] }],
    ['--scenario a --scenario b', [], { scenario: ['a', 'b'] }],
    ['--host=--odd', [], { host: ['--odd'] }],
    ['--port -1', [], { port: ['-1'] }],
    ['run -- --port 80', ['run'], {}],
  ])('parses %j', (argv, words, flags) => expect(read(argv)).toEqual({ words, flags }))

  test.each([
    ['run', undefined],
    ['run --', []],
    ['run --port 1 -- npm test -- --port 80', ['npm', 'test', '--', '--port', '80']],
  ])('keeps the words after -- in %j', (argv, rest) => {
    expect(parseArguments(argv.split(' '), table, {}).rest).toEqual(rest)
  })

  test.each([
    ['--prot 80', unknown('flag', '--prot', undefined, didYouMean('--port'))],
    ['--Host x', unknown('flag', '--Host', undefined, didYouMean('--host'))],
    ['--scenarios x', unknown('flag', '--scenarios', undefined, didYouMean('--scenario'))],
    ['--nonsense', unknown('flag', '--nonsense')],
    ['-p 80', unknown('flag', '-p')],
    ['--constructor x', unknown('flag', '--constructor')],
    ['--__proto__ x', unknown('flag', '--__proto__')],
    ['--no-quiet', unknown('flag', '--no-quiet', undefined, didYouMean('--quiet'))],
    ['--port 80 --port 81', '--port was given twice. Expected once'],
    ['--quiet --quiet', '--quiet was given twice. Expected once'],
    ['--port', missing('value of --port', '<number>')],
    ['--port=', missing('value of --port', '<number>')],
    ['--port -- 80', missing('value of --port', '<number>')],
    ['--port --quiet', missing('value of --port', '<number>')],
    ['--scenario a --scenario', missing('value of --scenario', '<name|file>')],
    ['--quiet=yes', invalid('--quiet', 'yes', 'no value')],
  ])('rejects %j', (argv, message) => {
    expect(() => read(argv)).toThrow(UsageError)
    expect(() => read(argv)).toThrow(message)
  })

  test.each([
    ['', { PORT: '80' }, { port: ['80'] }],
    ['--port 90', { PORT: '80' }, { port: ['90'] }],
    ['', { PORT: '' }, {}],
    ['', { PORT: undefined }, {}],
    ['', { HOST: 'x', port: '80' }, {}],
    ['', { SCENARIOS: 'a, b,c' }, { scenario: ['a', 'b', 'c'] }],
    ['', { SCENARIOS: ' a,, ' }, { scenario: ['a'] }],
    ['--scenario d', { SCENARIOS: 'a,b' }, { scenario: ['d'] }],
    ['', { QUIET: '1' }, { quiet: [true] }],
    ['', { QUIET: 'true' }, { quiet: [true] }],
    ['', { QUIET: '0' }, {}],
    ['--quiet', { QUIET: 'false' }, { quiet: [true] }],
  ])('parses %j with the environment %j', (argv, env, flags) =>
    expect(read(argv, env).flags).toEqual(flags),
  )

  test('names the flag or the variable that a value came from', () => {
    const named = (argv: string[], env: Record<string, string>) =>
      parseArguments(argv, table, env).sourceOf('port')
    expect(named([], {})).toBe('--port')
    expect(named([], { PORT: '80' })).toBe('PORT')
    expect(named(['--port', '90'], { PORT: '80' })).toBe('--port')
  })

  test('rejects a variable of a switch that is neither on nor off', () => {
    const message = invalid('QUIET', 'maybe', '1, true, 0, false')
    expect(() => read('', { QUIET: 'maybe' })).toThrow(message)
  })
})
