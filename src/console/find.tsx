import { addressKey } from '../world/addresses.js'
import type { Row } from '../world/kernel/table.js'
import { Empty } from './parts.js'
import { given } from './selecting.js'
import type { Page, View } from './view.js'

/** The newest records of a kind among which the beginning or the end of an id is looked for. */
const MOST_LOOKED_AT = 1_000
/** Fewer characters would be in many ids. */
const SHORTEST = 4

/** The page of what a text names: a record, a request, an address, a reference, a scenario. */
export const found = (view: View, text: string): string | undefined => {
  const id = text.toLowerCase()
  return named(view, id, text) ?? (id.length >= SHORTEST ? resembling(view, id) : undefined)
}

const named = (view: View, id: string, text: string): string | undefined => {
  const { tables, line, sandbox, world } = view
  if (tables.transfers.get(id)) return `/transfers/${id}`
  if (tables.payouts.get(id)) return `/payouts/${id}`
  if (tables.users.get(id)) return `/users/${id}`
  if (line.requests.find(id)) return `/requests/${id}`
  if (sandbox.findScenario(world, text)) return `/scenarios/${encodeURIComponent(text)}`
  const offramp = tables.offramps.get(id)
  if (offramp) return `/transfers/${offramp.transfer_id}`
  const payout = tables.payouts.first('customer_id', id)
  if (payout) return `/payouts/${payout.id}`
  const user =
    tables.users.first('email', id)?.id ??
    tables.accounts.get(id)?.user_id ??
    tables.instructions.first('address', addressKey(text))?.user_id
  if (user) return `/users/${user}`
  const wallet =
    tables.wallets.get(id) ??
    tables.wallets.first('ref', id) ??
    tables.wallets.first('address', addressKey(text))
  if (wallet) return `/wallets?user_id=${wallet.user_id}`
  return tables.deposits.get(id) ? '/deposits?matched=all' : undefined
}

/** The newest record whose id begins or ends with a text. */
const resembling = ({ tables }: View, text: string): string | undefined => {
  const look = (newest: readonly Row[], page: string): string | undefined => {
    const record = newest.find(({ id }) => id.startsWith(text) || id.endsWith(text))
    return record && `${page}/${record.id}`
  }
  return (
    look(tables.transfers.page('all', '', 0, MOST_LOOKED_AT), '/transfers') ??
    look(tables.payouts.page('all', '', 0, MOST_LOOKED_AT), '/payouts') ??
    look(tables.users.page('all', '', 0, MOST_LOOKED_AT), '/users')
  )
}

export const nothingFoundPage = (view: View): Page => {
  const text = given(view, 'q')
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
          Ids of transfers, payouts, users, wallets, accounts and requests are found, addresses,
          emails, your own references, and names of scenarios.
        </Empty>
      </>
    ),
  }
}
