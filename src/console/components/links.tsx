import type { Child } from 'hono/jsx'
import { type Instant, toIso } from '../../kernel/time.js'
import { escapeBidi, formatDuration, formatTime, shortId } from '../format.js'
import type { PageContext } from '../page-context.js'
import { type Prose, userRef } from '../sentences.js'
import { Money } from './money.js'

export const Text = ({ ctx, prose }: { ctx: PageContext; prose: Prose }) => (
  <>
    {prose.map((it): Child => {
      if (typeof it === 'string') return escapeBidi(it)
      if ('amount' in it) {
        return (
          <b>
            <Money {...it} />
          </b>
        )
      }
      if ('strong' in it) return <b>{escapeBidi(it.strong)}</b>
      return (
        <a href={ctx.href(it.path)} title={it.title}>
          <bdi>{it.text}</bdi>
        </a>
      )
    })}
  </>
)

export const UserLink = ({ ctx, id }: { ctx: PageContext; id: string }) => (
  <Text ctx={ctx} prose={[userRef(ctx.tables, id)]} />
)

/** A shortened id, with the whole id as its title. A click copies it. */
export const Id = ({ id }: { id: string }) => (
  <code class="id" title={id} data-copy={id}>
    {shortId(id)}
  </code>
)

/** A world time. The title has it in full, with the machine's time if the journal stored it. */
export const Time = ({ ctx, at, machine }: { ctx: PageContext; at: string; machine?: number }) => (
  <time
    datetime={at}
    title={machine === undefined ? at : `${at}; machine time ${toIso(Math.floor(machine))}`}
  >
    {formatTime(at, ctx.world.now)}
  </time>
)

/** The time until `due`. A script counts it down while the clock runs. */
export const Until = ({ ctx, due }: { ctx: PageContext; due: Instant }) => (
  <span data-due={due}>{formatDuration(Math.max(due - ctx.world.now, 0))}</span>
)

/** A link that changes the page in place: the rest of it keeps its scroll position. */
export const inPlace = (href: string) => ({ href, 'hx-get': href, 'hx-push-url': 'true' }) as const
