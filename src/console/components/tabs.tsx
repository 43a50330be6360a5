import type { Child } from 'hono/jsx'
import { addressWith } from '../filters.js'
import { formatCount } from '../format.js'
import type { PageContext } from '../page-context.js'
import { inPlace } from './links.js'

export interface Tab {
  /** The value of `?tab=`. The first tab needs none. */
  readonly name: string
  readonly text: Child
  readonly count?: number | undefined
  readonly body: () => Child
}

/** Links, so that the chosen tab is part of the address. Draws only the chosen one. */
export const Tabs = ({
  ctx,
  tabs,
  label,
  parameter = 'tab',
}: {
  ctx: PageContext
  tabs: readonly Tab[]
  label: string
  parameter?: string
}) => {
  const chosen = tabs.find(({ name }) => name === ctx.query.get(parameter)) ?? tabs[0]
  return (
    <section>
      <nav class="tabs" aria-label={label}>
        {tabs.map((it, i) => (
          <a
            {...inPlace(
              addressWith(ctx, { [parameter]: i === 0 ? undefined : it.name, page: undefined }),
            )}
            aria-current={it === chosen ? 'true' : undefined}
          >
            {it.text} {it.count === undefined ? null : <small>{formatCount(it.count)}</small>}
          </a>
        ))}
      </nav>
      {chosen?.body()}
    </section>
  )
}
