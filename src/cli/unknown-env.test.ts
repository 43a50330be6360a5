import { expect, it } from 'vitest'
import type { Flag } from './arguments.js'
import { startFlags } from './start-flags.js'
import { unknownEnvVariables } from './unknown-env.js'

it.each([
  ['SANDRAMP_SCENARIO', 'The variable of --scenario is SANDRAMP_SCENARIOS'],
  ['SANDRAMP_PORT', 'The variable of --port is PORT'],
  ['SANDRAMP_HOST', 'The variable of --host is HOST'],
  ['SANDRAMP_CERT', 'The variable of --cert is SANDRAMP_TLS_CERT'],
])('tells of %s', (name, words) => {
  const line = `${name} is ignored. ${words}.`
  expect(unknownEnvVariables(startFlags, { [name]: 'x' })).toEqual([line])
})

it('tells nothing of those that are looked at, are empty, are told by a run, or are somebody else’s', () => {
  const flags: readonly Flag[] = Object.values(startFlags)
  const variables = flags.flatMap(({ variable }) => variable ?? [])
  const own = Object.fromEntries(variables.map((name) => [name, 'x']))
  const others = { SANDRAMP_READING: 'x', SANDRAMP_URL: 'x', SANDRAMP_BASE: 'x' }
  expect(unknownEnvVariables(startFlags, { ...own, ...others, SANDRAMP_PORT: '' })).toEqual([])
})
