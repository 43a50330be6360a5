import type { LoggedExchange } from '../../history/views.js'
import { fieldErrorsOf, refusalReason, splitMessages } from '../field-errors.js'
import { escapeBidi } from '../format.js'
import type { PageContext } from '../page-context.js'
import { Panel } from './panel.js'
import { NamedRule } from './rule-link.js'

/** The contract's own messages about keys are short. */
const HINTS: Readonly<Record<string, string>> = {
  '4030': 'The request has no x-api-key header.',
  '4100': 'A key has 32 characters of A-Z, a-z and 0-9.',
  '4101': 'The key is well-formed, but this sandbox does not have it.',
  '4102':
    'The key has expired in the time of its world. The clock of the world may have been moved.',
  '4103': 'The key is suspended or deactivated.',
  '4300': 'The key is read-only and does not permit this call.',
}

const findHint = (code: unknown): string | undefined =>
  typeof code === 'string' ? HINTS[code] : undefined

export const ErrorPanel = ({ ctx, exchange }: { ctx: PageContext; exchange: LoggedExchange }) => {
  const reason = refusalReason(exchange)
  if (reason === undefined) return null
  const { code } = Object(exchange.response.body) as { code?: unknown }
  const problems = fieldErrorsOf(exchange)
  const hint = findHint(code)
  const { fault } = exchange
  return (
    <Panel
      title={fault === null ? 'Why it was rejected' : 'Cause'}
      kind="refusal"
      aside={typeof code === 'string' ? <code>{code}</code> : null}
    >
      {problems.length === 0 ? <p class="lead">{escapeBidi(reason)}</p> : null}
      {hint === undefined || fault !== null ? null : (
        <p>
          {hint} <a href={ctx.href('/api-keys')}>API keys</a>
        </p>
      )}
      {problems.length > 0 ? (
        <ul class="problems">
          {splitMessages(reason).map((text) => (
            <li>{escapeBidi(text)}</li>
          ))}
        </ul>
      ) : null}
      {fault === null ? null : (
        <p>
          The rule <NamedRule ctx={ctx} name={fault} /> made this response, not the service.
        </p>
      )}
    </Panel>
  )
}
