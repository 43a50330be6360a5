import { truncate } from '../../lib/text.js'
import type { LoggedExchange } from '../../request-log/views.js'
import { demoCurl } from '../curl.js'
import { refusalReason } from '../field-errors.js'
import type { PageContext } from '../page-context.js'
import { visible } from '../visible.js'
import { HttpStatus } from './badge.js'
import { DataTable, Empty } from './components.js'
import { shortId } from './id.js'
import { NamedRule } from './rule-link.js'
import { Time } from './time.js'

export const RequestTable = ({
  ctx,
  exchanges,
  brief = false,
}: {
  ctx: PageContext
  exchanges: readonly LoggedExchange[]
  /** Without what a narrow place has no room for. */
  brief?: boolean
}) => (
  <DataTable
    label="Requests"
    columns={[
      'Time',
      'Status',
      'Request',
      ...(brief ? [] : [{ name: 'ms', kind: 'number minor' } as const]),
    ]}
  >
    {exchanges.map((it) => (
      <tr>
        <td>
          <Time ctx={ctx} at={it.at} made={Date.parse(it.started_at)} />
        </td>
        <td>
          <HttpStatus status={it.status} pending={it.pending} />
        </td>
        <td class="exchange">
          <a href={ctx.href(`/requests/${it.id}`)} title={it.id}>
            <span class="method">{it.method}</span> {it.operation ?? shortPath(it.path)}
          </a>{' '}
          {brief || it.operation === null ? null : (
            <span class="path minor">{shortPath(it.path)}</span>
          )}{' '}
          <Marks ctx={ctx} exchange={it} />
          <Reason exchange={it} />
        </td>
        {brief ? null : <td class="number minor">{it.duration_ms.toFixed(1)}</td>}
      </tr>
    ))}
  </DataTable>
)

/** More than this is no path of ours, and would fill the list. */
const MAX_PATH = 160

const shortPath = (path: string): string => visible(truncate(path, MAX_PATH))

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi

/** Why an answer is a refusal: seen without opening it. */
const Reason = ({ exchange }: { exchange: LoggedExchange }) => {
  const reason = refusalReason(exchange)
  if (reason === undefined) return null
  return (
    <span class="reason" title={visible(reason)}>
      {visible(reason.replace(UUID, shortId))}
    </span>
  )
}

/** What is worth to know of an exchange at a glance: a rule stepped in, assumptions were relied on. */
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
        title={`${fault} made this answer, or cut it off`}
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
    return <Empty>This sandbox keeps no requests: it was started with --request-log 0.</Empty>
  }
  if (ctx.live.requests.size > 0) return <Empty>None of those that are kept is like this.</Empty>
  return (
    <Empty command={demoCurl(ctx, '/onboarding/api/v1/users/all')}>
      None has come yet. Send one:
    </Empty>
  )
}
