import type { Child } from 'hono/jsx'
import { addressWith } from '../filters.js'
import { formatCount } from '../format.js'
import type { PageContext } from '../page-context.js'
import { inPlace } from './links.js'

/** One filter of a list. Without a value it shows all. */
export interface Chip {
  readonly value?: string
  readonly text: string
  readonly count?: number | undefined
}

export const Chips = ({
  ctx,
  chips,
  parameter,
  label,
  children,
}: {
  ctx: PageContext
  chips: readonly Chip[]
  parameter: string
  label: string
  /** Links beside the chips. */
  children?: Child
}) => {
  const chosen = ctx.query.get(parameter) ?? undefined
  return (
    <nav class="row" aria-label={label}>
      {chips.map(({ value, text, count }) => (
        <a
          class="chip"
          {...inPlace(addressWith(ctx, { [parameter]: value, page: undefined }))}
          aria-current={value === chosen ? 'true' : undefined}
        >
          {text} {count === undefined ? null : <small>{formatCount(count)}</small>}
        </a>
      ))}
      {children}
    </nav>
  )
}
