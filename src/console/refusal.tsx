import type { LoggedExchange } from '../exchanges/exchange.js'
import { complaintsOf, partsOf, reasonOf } from './complaints.js'
import { hintOf } from './hints.js'
import { Panel } from './parts.js'
import { NamedRule } from './rule-link.js'
import type { View } from './view.js'
import { visible } from './visible.js'

/** What a stressed reader looks for first. */
export const WhyRefused = ({ view, exchange }: { view: View; exchange: LoggedExchange }) => {
  const reason = reasonOf(exchange)
  if (reason === undefined) return null
  const { code } = Object(exchange.response.body) as { code?: unknown }
  const complaints = complaintsOf(exchange)
  const unnamed = partsOf(reason).slice(complaints.length)
  const hint = hintOf(code)
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
          {hint} <a href={view.to('/api-keys')}>API keys</a>
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
          It was the rule <NamedRule view={view} name={fault} />, not the service by itself.
        </p>
      )}
    </Panel>
  )
}
