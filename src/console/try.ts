import { DEMO_KEY, hashSecret } from '../secrets.js'
import { commandLine } from '../shell.js'
import type { View } from './view.js'

/** A key that works without anything to fill in; undefined where the fixtures are others. */
export const demoKey = ({ tables }: View): string | undefined =>
  tables.api_keys.first('hash', hashSecret(DEMO_KEY)) ? DEMO_KEY : undefined

/** What stands in a command where a key has to be filled in. */
export const keyPlace = ({ opened }: View): string =>
  opened.key ? `<the key of this world, …${opened.key.last_four}>` : '<your API key>'

/** A call of the service with the demo key, for a shell. */
export const demoCurl = (view: View, path: string, body?: unknown): string =>
  commandLine([
    'curl',
    `${view.origin}${path}`,
    '-H',
    `x-api-key: ${demoKey(view) ?? keyPlace(view)}`,
    ...(body === undefined
      ? []
      : ['-H', 'content-type: application/json', '-d', JSON.stringify(body)]),
  ])

/** A call of the control face, for a shell. */
export const controlCurl = (view: View, path: string, body: unknown): string =>
  commandLine([
    'curl',
    `${view.origin}/_sandbox${path}`,
    ...(view.opened.key ? ['-H', `x-api-key: ${keyPlace(view)}`] : []),
    '-H',
    'content-type: application/json',
    '-d',
    JSON.stringify(body),
  ])
