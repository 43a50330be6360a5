import { showExchange } from '../../history/views.js'
import { aboutRecord } from '../../http/pipeline/exchange-filter.js'
import type { PageContext } from '../page-context.js'
import { Panel } from './panel.js'
import { RequestTable } from './request-table.js'

const MAX_SHOWN = 10

/** Requests that changed a record, or have its id in their address, body or response. */
export const RelatedRequests = ({ ctx, id }: { ctx: PageContext; id: string }) => {
  const { journal, requests } = ctx.live
  const about = aboutRecord(id, journal)
  const related = requests.newest({ about }, 0, MAX_SHOWN).map(showExchange)
  return (
    <Panel title="Requests about it">
      {related.length === 0 ? (
        <p class="quiet">No logged request.</p>
      ) : (
        <RequestTable ctx={ctx} exchanges={related} brief />
      )}
    </Panel>
  )
}
