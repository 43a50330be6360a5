import type { Child } from 'hono/jsx'
import { Head } from '../components/head.js'
import { Id } from '../components/links.js'
import { type Tab, Tabs } from '../components/tabs.js'
import { type Step, Timeline } from '../components/timeline.js'
import type { Page, PageContext } from '../page-context.js'
import type { Prose } from '../sentences.js'

/** A record page: a sentence, then the evidence for it. */
interface RecordPage {
  readonly id: string
  /** The list that it is in. */
  readonly list: { readonly text: string; readonly path: string }
  /** The title of the window. */
  readonly title: string
  readonly heading?: Child
  readonly sentence: Prose
  /** Marks and buttons beside the title. */
  readonly actions?: Child
  /** Between the sentence and the columns. */
  readonly above?: Child
  /** Newest first. They are the first tab, *Story*. */
  readonly steps?: readonly Step[]
  readonly tabs: readonly Tab[]
  /** Below the tabs. */
  readonly below?: Child
  readonly facts: readonly (readonly [name: string, value: Child])[]
  /** Below the facts. */
  readonly aside?: Child
}

export const recordPage = (ctx: PageContext, record: RecordPage): Page => {
  const {
    id,
    list,
    title,
    heading = <bdi>{title}</bdi>,
    sentence,
    actions,
    above,
    steps,
    tabs,
  } = record
  const story: Tab[] = steps
    ? [{ name: 'story', text: 'Story', body: () => <Timeline ctx={ctx} steps={steps} /> }]
    : []
  return {
    title,
    body: (
      <>
        <Head
          ctx={ctx}
          above={
            <>
              <a href={ctx.href(list.path)}>{list.text}</a> · <Id id={id} />
            </>
          }
          title={heading}
          sentence={sentence}
        >
          {actions}
        </Head>
        {above}
        <div class={above ? 'columns section' : 'columns'}>
          <div>
            <Tabs ctx={ctx} tabs={[...story, ...tabs]} label="Parts of this record" />
            {record.below}
          </div>
          <aside>
            <Facts facts={record.facts} />
            {record.aside}
          </aside>
        </div>
      </>
    ),
  }
}

export const Facts = ({ facts }: Pick<RecordPage, 'facts'>) => (
  <dl class="facts section">
    {facts.map(([name, value]) => (
      <>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </>
    ))}
  </dl>
)
