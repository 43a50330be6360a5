import type { LoggedExchange } from '../../request-log/views.js'
import { findHint } from '../error-hints.js'
import { fieldErrorsOf, refusalReason, splitMessages } from '../field-errors.js'
import type { PageContext } from '../page-context.js'
import { visible } from '../visible.js'
import { Panel } from './components.js'
import { NamedRule } from './rule-link.js'

/** What a stressed reader looks for first. */
export const ErrorPanel = ({ ctx, exchange }: { ctx: PageContext; exchange: LoggedExchange }) => {
  const reason = refusalReason(exchange)
  if (reason === undefined) return null
  const { code } = Object(exchange.response.body) as { code?: unknown }
  const complaints = fieldErrorsOf(exchange)
  const unnamed = splitMessages(reason).slice(complaints.length)
  const hint = findHint(code)
  const { fault } = exchange
  return (
    <Panel
      title={fault === null ? 'Why it was refused' : 'Why it is so'}
      kind="refusal"
      aside={typeof code === 'string' ? <code>{code}</code> : null}
    >
      {complaints.length === 0 ? <p class="lead">{visible(reason)}</p> : null}
      {hint === undefined || fault !== null ? null : (
        <p>
          {hint} <a href={ctx.href('/api-keys')}>API keys</a>
        </p>
      )}
      {complaints.length > 0 ? (
        <ul class="complaints">
          {complaints.map(({ path, text }) => (
            <li>
              <code>{path.join('.')}</code>: {visible(text)}
            </li>
          ))}
          {unnamed.map((text) => (
            <li>{visible(text)}</li>
          ))}
        </ul>
      ) : null}
      {fault === null ? null : (
        <p>
          It was the rule <NamedRule ctx={ctx} name={fault} />, not the service by itself.
        </p>
      )}
    </Panel>
  )
}
