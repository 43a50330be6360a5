import { DEMO_KEY, hashSecret } from '../secrets.js'
import { commandLine } from '../shell.js'
import { whyClosed } from '../world/api-keys.js'
import type { View } from './view.js'

/** A key that works without anything to fill in; undefined where the fixtures are others, or it was closed. */
export const demoKey = ({ tables, world }: View): string | undefined => {
  const key = tables.api_keys.first('hash', hashSecret(DEMO_KEY))
  return key && whyClosed(key, world.now) === undefined ? DEMO_KEY : undefined
}

/** What stands in a command where a key has to be filled in. */
export const keyPlace = ({ opened }: View): string =>
  opened.key ? `<the key of this world, …${opened.key.last_four}>` : '<your API key>'

/** A call of this sandbox, for a shell. Over HTTPS, its certificate is most often one that nobody else signed. */
export const curlLine = ({ origin }: View, path: string, words: readonly string[]): string =>
  commandLine([
    'curl',
    ...(origin.startsWith('https:') ? ['-k'] : []),
    // What curl would take for a pattern stands for itself.
    ...(/[[\]{}]/.test(path) ? ['-g'] : []),
    origin + path,
    ...words,
  ])

/** A call of the service with the demo key. */
export const demoCurl = (view: View, path: string, body?: unknown): string =>
  curlLine(view, path, [
    '-H',
    `x-api-key: ${demoKey(view) ?? keyPlace(view)}`,
    ...(body === undefined
      ? []
      : ['-H', 'content-type: application/json', '-d', JSON.stringify(body)]),
  ])

/** A call of the control face. */
export const controlCurl = (view: View, path: string, body: unknown): string =>
  curlLine(view, `/_sandbox${path}`, [
    ...(view.needsToken ? ['-H', 'authorization: Bearer <the control token>'] : []),
    ...(view.opened.key ? ['-H', `x-api-key: ${keyPlace(view)}`] : []),
    '-H',
    'content-type: application/json',
    '-d',
    JSON.stringify(body),
  ])
