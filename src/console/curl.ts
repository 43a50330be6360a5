import { findKeyProblem } from '../domain/api-keys.js'
import { DEMO_KEY, hashSecret } from '../lib/secrets.js'
import { toCommandLine } from '../lib/shell-quote.js'
import type { PageContext } from './page-context.js'

/** The demo key; undefined if the world does not have it or does not accept it. */
export const demoKey = ({ tables, world }: PageContext): string | undefined => {
  const key = tables.api_keys.first('hash', hashSecret(DEMO_KEY))
  return key && findKeyProblem(key, world.now) === undefined ? DEMO_KEY : undefined
}

export const keyWords = (ctx: PageContext): string[] => {
  const { key } = ctx.live
  const place = key ? `<the key of this world, …${key.last_four}>` : '<your API key>'
  return ['-H', `x-api-key: ${demoKey(ctx) ?? place}`]
}

/** A command for a shell. Over HTTPS it has `-k`, because the certificate is usually self-signed. */
export const formatCurl = (ctx: PageContext, path: string, words: readonly string[]): string =>
  toCommandLine([
    'curl',
    ...(ctx.origin.startsWith('https:') ? ['-k'] : []),
    // Brackets are literal, not a curl pattern.
    ...(/[[\]{}]/.test(path) ? ['-g'] : []),
    ctx.origin + path,
    ...words,
  ])

const PAYOUT = {
  user_id: '11111111-1111-4111-8111-000000000001',
  currency: 'EUR',
  customer_payout_id: 'c0ffee00-0000-4000-8000-000000000001',
  amount: '10.00',
  recipient_details: {
    bank_name: 'Rhine Test Bank',
    account_holder_name: 'Ada Okafor',
    recipient_account_number: 'DE89370400440532013000',
  },
}

export const payoutExample = (ctx: PageContext): string => {
  const json = ['-H', 'content-type: application/json', '-d', JSON.stringify(PAYOUT)]
  return formatCurl(ctx, '/payment/api/v1/payout', [...keyWords(ctx), ...json])
}
