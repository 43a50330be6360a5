import { findScenario } from '../../scenarios/language/catalogue.js'
import { Empty } from '../components/empty.js'
import { formatCount } from '../format.js'
import { param } from '../list-query.js'
import type { Page, PageContext } from '../page-context.js'
import { findPage, MIN_FRAGMENT, type SearchHit } from '../search.js'

/** A request, a scenario or a record with this id or name. */
export const findAnything = (ctx: PageContext, text: string): SearchHit | undefined => {
  const id = text.toLowerCase()
  if (ctx.live.requests.find(id)) return { page: `/requests/${id}`, near: 0 }
  if (findScenario(ctx.sandbox.catalogue, ctx.world.tables, text)) {
    return { page: `/scenarios/${encodeURIComponent(text)}`, near: 0 }
  }
  return findPage(ctx, id)
}

export const describeOtherHits = (near: number, text: string): string =>
  `${formatCount(near)} records have an id, address or reference that starts or ends with ${text}. This is one of them.`

export const noHitPage = (ctx: PageContext): Page => {
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
              No match for <code>{text.slice(0, 100)}</code>.
            </>
          )}{' '}
          Search finds transfers, payouts, users, offramps, accounts, wallets, deposits, API keys
          and used consents by id, address, account number, email or reference. The first or last{' '}
          {MIN_FRAGMENT} characters are enough. Requests need the whole id, scenarios the name.
        </Empty>
      </>
    ),
  }
}
