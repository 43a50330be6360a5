import { showExchange } from '../../request-log/views.js'
import type { PageContext } from '../page-context.js'
import { Panel } from './panel.js'
import { RequestTable } from './request-table.js'

const MAX_SHOWN = 10

/** Requests with the id of a record in their address, body or response. */
export const RelatedRequests = ({ ctx, id }: { ctx: PageContext; id: string }) => {
  const related = ctx.live.requests.mentioning(id, MAX_SHOWN).map(showExchange)
  return (
    <Panel title="Requests that mention it">
      {related.length === 0 ? (
        <p class="quiet">No logged request.</p>
      ) : (
        <RequestTable ctx={ctx} exchanges={related} brief />
      )}
    </Panel>
  )
}
