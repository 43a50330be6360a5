import { Text } from '../components/links.js'
import { escapeBidi } from '../format.js'
import { findRecord } from '../logged-request.js'
import { type PageContext, readingsOf } from '../page-context.js'
import { type Inquiry, lostAdvice, lostTitle } from '../request-sentences.js'
import { CopyCurl, SendAtOnce } from './send-again.js'

export const LostMark = () => <span class="status lost">{lostTitle}</span>

/** Two views of a payment whose newest response was lost, then what to do, with buttons that try it. */
export const LostResponse = ({ ctx, inquiry }: { ctx: PageContext; inquiry: Inquiry }) => {
  const { service, client, advice, question, clientId } = lostAdvice(
    ctx.tables,
    inquiry,
    readingsOf(ctx),
  )
  const request = findRecord(ctx, inquiry.newest.exchange.id)
  return (
    <section class="section">
      <div class="two">
        <div class="callout">
          <p class={`mark ${service.kind}`}>
            <b>{service.title}</b>
          </p>
          <p>{escapeBidi(service.text)}</p>
        </div>
        <div class="callout bad">
          <p class="mark lost">
            <b>{client.title}</b>
          </p>
          <p>
            <Text ctx={ctx} prose={client.text} />.
          </p>
        </div>
      </div>
      <h2>What your client should do</h2>
      <ul class="flow">
        {advice.map(({ kind, what, why }) => (
          <li>
            <span class={`mark ${kind}`}>
              <span>
                <b>{what}</b> {escapeBidi(why)}
              </span>
            </span>
          </li>
        ))}
      </ul>
      <div class="row">
        <SendAtOnce ctx={ctx} request={request} kind="main" text="Send it again, same id" />
        <CopyCurl ctx={ctx} request={request} />
        {clientId ? (
          <SendAtOnce
            ctx={ctx}
            request={request}
            fresh={clientId}
            kind="danger"
            text="See what a new id would do"
          />
        ) : null}
      </div>
      <p class="note">
        <Text ctx={ctx} prose={question} />
      </p>
    </section>
  )
}
