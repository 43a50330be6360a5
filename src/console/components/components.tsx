import type { Child } from 'hono/jsx'
import { addressWith, param, ROWS, type Rows } from '../list-query.js'
import type { NextStep } from '../onboarding-next-steps.js'
import type { PageContext } from '../page-context.js'
import { visible } from '../visible.js'

/** A part of the page that is drawn anew whenever something happens in its world; or, every now and then, in others. */
export const LiveRegion = ({
  id,
  others = false,
  children,
}: {
  id: string
  others?: boolean
  children: Child
}) => (
  <div id={`live-${id}`} data-live={others ? 'others' : true}>
    {children}
  </div>
)

export const Panel = ({
  title,
  aside,
  kind,
  children,
}: {
  title: string
  aside?: Child
  kind?: string
  children: Child
}) => {
  const id = `panel-${title.toLowerCase().replace(/[^a-z0-9]+/g, '-')}`
  return (
    <section class={kind ? `panel ${kind}` : 'panel'} aria-labelledby={id}>
      <header>
        <h2 id={id}>{title}</h2>
        {aside ? <div class="aside">{aside}</div> : null}
      </header>
      {children}
    </section>
  )
}

/** A column's heading; a `minor` one is left out where there is no room, a `number` stands to the right. */
export interface Column {
  readonly name: string
  readonly kind?: 'minor' | 'number' | 'number minor'
}

export const DataTable = ({
  label,
  columns,
  kind,
  children,
}: {
  label: string
  columns: readonly (string | Column)[]
  /** Rows of `stacked` tables stand below each other where there is no room: those with forms. */
  kind?: 'stacked'
  children: Child
}) => (
  <div class="scroll">
    <table aria-label={label} class={kind}>
      <thead>
        <tr>
          {columns.map((it) => {
            const { name, kind } = typeof it === 'string' ? ({ name: it } as Column) : it
            return (
              <th scope="col" class={kind}>
                {name}
              </th>
            )
          })}
        </tr>
      </thead>
      <tbody>{children}</tbody>
    </table>
  </div>
)

/** What may be wider than a narrow page: it scrolls by itself, by keyboard too. */
export const Scroll = ({ label, children }: { label: string; children: Child }) => (
  <section class="scroll" tabindex={0} aria-label={label}>
    {children}
  </section>
)

/** Where there is nothing: what to do so that there is something, with a command to copy. */
export const Empty = ({ children, command }: { children: Child; command?: string | undefined }) => (
  <div class="empty">
    <p>{children}</p>
    {command ? <Command text={command} /> : null}
  </div>
)

/** Where there is nothing yet, and the next step to something. */
export const EmptyList = ({ children, step }: { children: Child; step: NextStep }) => (
  <Empty command={step.command}>
    {children} {visible(step.words)}
  </Empty>
)

/** Where nothing is as it was asked for: the way back to others, or to a first one. */
export const NoMatches = ({
  ctx,
  noun,
  size,
  children,
  step,
}: {
  ctx: PageContext
  noun: string
  /** How many there are, like this or not. */
  size: number
  children?: Child
  step: NextStep
}) =>
  size > 0 && NARROWING.some((it) => param(ctx, it) !== undefined) ? (
    <ShowAll ctx={ctx} noun={noun} />
  ) : (
    <EmptyList step={step}>
      No {noun} is like this. {children}
    </EmptyList>
  )

/** Where there are others alone: the way back to them. */
export const ShowAll = ({ ctx, noun }: { ctx: PageContext; noun: string }) => (
  <Empty>
    No {noun} is like this. <a href={addressWith(ctx, WIDE)}>Show others</a>
  </Empty>
)

const NARROWING = ['text', 'status'] as const
const WIDE = { text: undefined, status: undefined, page: undefined }

/** A command for a shell, copied by a click. */
export const Command = ({ text, what = 'command' }: { text: string; what?: string }) => (
  <div class="command">
    <Scroll label={what}>
      <pre>
        <code>{text}</code>
      </pre>
    </Scroll>
    <button type="button" class="copy" data-copy={text} aria-label={`Copy ${what}`}>
      Copy
    </button>
  </div>
)

/** Where in a list the page is, and the ways to its neighbours. */
export const Pager = ({
  ctx,
  rows,
  label = 'Pages',
}: {
  ctx: PageContext
  rows: Rows<unknown>
  label?: string
}) => {
  const { page, total, records, more, parameter } = rows
  if (page === 0 && !more) {
    return records.length === 0 ? null : <p class="count">{records.length} in all</p>
  }
  const first = page * ROWS
  return (
    <nav class="pager" aria-label={label}>
      <span class="count">
        {records.length > 0
          ? `${(first + 1).toLocaleString('en')}–${(first + records.length).toLocaleString('en')}`
          : 'none'}
        {total === undefined ? '' : ` of ${total.toLocaleString('en')}`}
      </span>
      {page > 0 ? (
        <a
          rel="prev"
          href={addressWith(ctx, { [parameter]: page > 1 ? String(page - 1) : undefined })}
        >
          Newer
        </a>
      ) : null}
      {more ? (
        <a rel="next" href={addressWith(ctx, { [parameter]: String(page + 1) })}>
          Older
        </a>
      ) : null}
    </nav>
  )
}

/** Names and values. */
export const DescriptionList = ({
  facts,
  kind,
}: {
  facts: readonly (readonly [name: string, value: Child])[]
  /** Values that are sentences stand below each other. */
  kind?: 'prose'
}) => (
  <dl class={kind ? `facts ${kind}` : 'facts'}>
    {facts.map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
