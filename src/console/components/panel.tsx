import type { Child } from 'hono/jsx'

/** Updates itself when its world changes; with `others`, also when another world changes. */
export const LiveRegion = ({
  id,
  others = false,
  children,
}: {
  id: string
  others?: boolean | undefined
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

/** The tabindex lets the keyboard scroll wide content. */
export const Scroll = ({ label, children }: { label: string; children: Child }) => (
  <section class="scroll" tabindex={0} aria-label={label}>
    {children}
  </section>
)

export const DescriptionList = ({
  facts,
  kind,
}: {
  facts: readonly (readonly [name: string, value: Child])[]
  /** `prose` puts each value below its name. */
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
