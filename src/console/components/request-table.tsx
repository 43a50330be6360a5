import type { LoggedExchange } from '../../history/views.js'
import { parseInstant } from '../../kernel/time.js'
import { truncate } from '../../lib/text.js'
import { demoCurl } from '../curl.js'
import { refusalReason } from '../field-errors.js'
import { escapeBidi } from '../format.js'
import type { PageContext } from '../page-context.js'
import { HttpStatus } from './badge.js'
import { Empty } from './empty.js'
import { shortId } from './id.js'
import { NamedRule } from './rule-link.js'
import { type Column, DataTable } from './table.js'
import { Time } from './time.js'

export const RequestTable = ({
  ctx,
  exchanges,
  brief = false,
}: {
  ctx: PageContext
  exchanges: readonly LoggedExchange[]
  /** Leaves out the path and the duration, for narrow panels. */
  brief?: boolean
}) => (
  <DataTable
    label="Requests"
    columns={brief ? columns(ctx) : [...columns(ctx, true), DURATION]}
    rows={exchanges}
  />
)

const columns = (ctx: PageContext, showsPath = false): Column<LoggedExchange>[] => [
  {
    name: 'Time',
    cell: (it) => <Time ctx={ctx} at={it.at} machine_ms={parseInstant(it.started_at)} />,
  },
  { name: 'Status', cell: (it) => <HttpStatus status={it.status} pending={it.pending} /> },
  {
    name: 'Request',
    cell: (it) => (
      <div class="exchange">
        <a href={ctx.href(`/requests/${it.id}`)} title={it.id}>
          <span class="method">{it.method}</span> {it.operation ?? shortPath(it.path)}
        </a>{' '}
        {showsPath && it.operation !== null ? (
          <span class="path minor">{shortPath(it.path)}</span>
        ) : null}{' '}
        <Marks ctx={ctx} exchange={it} />
        <Reason exchange={it} />
      </div>
    ),
  },
]

const DURATION: Column<LoggedExchange> = {
  name: 'ms',
  kind: 'number minor',
  cell: (it) => it.duration_ms.toFixed(1),
}

/** A longer path is not one of the service and would fill the list. */
const MAX_PATH = 160

const shortPath = (path: string): string => escapeBidi(truncate(path, MAX_PATH))

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

const Reason = ({ exchange }: { exchange: LoggedExchange }) => {
  const reason = refusalReason(exchange)
  if (reason === undefined) return null
  return (
    <span class="reason" title={escapeBidi(reason)}>
      {escapeBidi(reason.replace(UUID, shortId))}
    </span>
  )
}

/** Badges for a fired rule and for used assumptions. */
export const Marks = ({
  ctx,
  exchange: { id, fault, assumed },
}: {
  ctx: PageContext
  exchange: LoggedExchange
}) => (
  <>
    {fault ? (
      <NamedRule
        ctx={ctx}
        name={fault}
        kind="badge fault"
        title={`${fault} made, altered or dropped this response`}
      />
    ) : null}
    {assumed.length > 0 ? (
      <a
        class="badge assumed minor"
        title={assumed.join('\n')}
        href={ctx.href(`/assumptions?request=${id}`)}
      >
        {assumed.length} assumed
      </a>
    ) : null}
  </>
)

export const NoRequests = ({ ctx }: { ctx: PageContext }) => {
  if (!ctx.sandbox.keepsRequests) {
    return <Empty>The request log is off (--request-log 0).</Empty>
  }
  if (ctx.live.requests.size > 0) return <Empty>No logged request matches.</Empty>
  return (
    <Empty command={demoCurl(ctx, '/onboarding/api/v1/users/all')}>No request yet. Send one:</Empty>
  )
}
