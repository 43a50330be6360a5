import { findKeyProblem } from '../domain/api-keys.js'
import { DEMO_KEY, hashSecret } from '../lib/secrets.js'
import { toCommandLine } from '../lib/shell-quote.js'
import type { PageContext } from './page-context.js'

/** The demo key; undefined if the world does not have it or does not accept it. */
export const demoKey = ({ tables, world }: PageContext): string | undefined => {
  const key = tables.api_keys.first('hash', hashSecret(DEMO_KEY))
  return key && findKeyProblem(key, world.now) === undefined ? DEMO_KEY : undefined
}

/** The placeholder for an API key. */
export const keyPlace = ({ handle }: PageContext): string =>
  handle.key ? `<the key of this world, …${handle.key.last_four}>` : '<your API key>'

/** A command for a shell. Over HTTPS it has `-k`, because the certificate is usually self-signed. */
export const formatCurl = (
  { origin }: PageContext,
  path: string,
  words: readonly string[],
): string =>
  toCommandLine([
    'curl',
    ...(origin.startsWith('https:') ? ['-k'] : []),
    // Brackets are literal, not a curl pattern.
    ...(/[[\]{}]/.test(path) ? ['-g'] : []),
    origin + path,
    ...words,
  ])

/** A call of the service with the demo key. */
export const demoCurl = (ctx: PageContext, path: string, body?: unknown): string =>
  formatCurl(ctx, path, [
    '-H',
    `x-api-key: ${demoKey(ctx) ?? keyPlace(ctx)}`,
    ...(body === undefined
      ? []
      : ['-H', 'content-type: application/json', '-d', JSON.stringify(body)]),
  ])

/** A call of the control API. */
export const controlCurl = (ctx: PageContext, path: string, body: unknown): string =>
  formatCurl(ctx, `/_sandbox${path}`, [
    ...(ctx.needsToken ? ['-H', 'authorization: Bearer <the control token>'] : []),
    ...(ctx.handle.key ? ['-H', `x-api-key: ${keyPlace(ctx)}`] : []),
    '-H',
    'content-type: application/json',
    '-d',
    JSON.stringify(body),
  ])
