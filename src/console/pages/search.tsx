import { Empty } from '../components/components.js'
import { param } from '../list-query.js'
import type { Page, PageContext } from '../page-context.js'
import { findPage, MIN_FRAGMENT, type SearchHit } from '../search-index.js'

/** The page of what a text names: a request, a scenario, a record. */
export const found = (ctx: PageContext, text: string): SearchHit | undefined => {
  const id = text.toLowerCase()
  if (ctx.live.requests.find(id)) return { page: `/requests/${id}`, near: 0 }
  if (ctx.sandbox.findScenario(ctx.world, text)) {
    return { page: `/scenarios/${encodeURIComponent(text)}`, near: 0 }
  }
  return findPage(ctx, id)
}

/** Whoever typed a part of a name may have meant another one. */
export const othersInWords = (near: number, text: string): string =>
  `${near.toLocaleString('en')} records have an id, an address or a reference that begins or ends with ${text}; this is one of them.`

export const nothingFoundPage = (ctx: PageContext): Page => {
  const text = param(ctx, 'q')
  return {
    title: 'Find',
    status: text === undefined ? 200 : 404,
    body: (
      <>
        <h1>Find</h1>
        <Empty>
          {text === undefined ? (
            'Type an id into the field above.'
          ) : (
            <>
              Nothing is named <code>{text.slice(0, 100)}</code>.
            </>
          )}{' '}
          Ids of transfers, payouts, users, offramps, accounts, wallets, deposits, API keys and of
          consents that were used are found; so are addresses, account numbers, emails, references
          of payouts and of banks, and your own ids and references. Of each of them, {MIN_FRAGMENT}{' '}
          characters that it begins or ends with will do. Requests are found by their whole id,
          scenarios by their name.
        </Empty>
      </>
    ),
  }
}
