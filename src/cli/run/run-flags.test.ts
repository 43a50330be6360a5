import { availableParallelism } from 'node:os'
import { expect, test } from 'vitest'
import { didYouMean, invalid, missing, unknown } from '../../../test/support/invalid.js'
import { parseArguments, UsageError } from '../../lib/arguments.js'
import { readingsFlags, readReadingsOptions } from './run-flags.js'

const read = (line: string) =>
  readReadingsOptions(parseArguments(line.split(' '), readingsFlags, {}))

test('readings runs one command per core and only readings that were relied on, by default', () => {
  expect(read('-- npm test')).toMatchObject({
    isAll: false,
    jobs: availableParallelism(),
    run: { scenarios: [], command: ['npm', 'test'], log: 'silent', port: 0 },
  })
})

test('readings accepts the flags of run', () => {
  const line =
    'a.yaml b --all --jobs 3 --seed s --clock 60x --timeout 9s --reading x=y --readings f --cors http://a -- npm test'
  expect(read(line)).toMatchObject({
    isAll: true,
    jobs: 3,
    run: {
      scenarios: ['a.yaml', 'b'],
      timeout: { text: '9s', ms: 9_000 },
      sandbox: {
        seed: 's',
        clock: '60x',
        scenarios: ['a.yaml', 'b'],
        readings: ['x=y'],
        readingsFile: 'f',
        cors: ['http://a'],
      },
    },
  })
})

test.each([
  ['--all', missing('-- before the command', 'sandramp readings [<scenario…>] [flags] --')],
  ['--al -- x', unknown('flag', '--al', undefined, didYouMean('--all'))],
  ['--jobs 0 -- x', invalid('--jobs', '0', 'a whole number from 1 to 256')],
  ['--jobs many -- x', invalid('--jobs', 'many')],
  ['--jobs 257 -- x', invalid('--jobs', '257')],
  ['--strict -- x', unknown('flag', '--strict')],
  ['--report q.md -- x', unknown('flag', '--report')],
])('readings rejects %s', (line, message) => {
  expect(() => read(line)).toThrow(UsageError)
  expect(() => read(line)).toThrow(message)
})
