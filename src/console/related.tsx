import { showExchange } from '../exchanges/exchange.js'
import { Panel } from './parts.js'
import { RequestTable } from './request-table.js'
import type { View } from './view.js'

const MOST = 10

/** The requests that named a record, in their address, body or answer. */
export const RelatedRequests = ({ view, id }: { view: View; id: string }) => {
  const related = view.line.requests.mentioning(id, MOST).map(showExchange)
  return (
    <Panel title="Requests that mention it">
      {related.length === 0 ? (
        <p class="quiet">None of those that are kept.</p>
      ) : (
        <RequestTable view={view} exchanges={related} brief />
      )}
    </Panel>
  )
}
