import type { Prose } from '../../activity/record-sentences.js'
import { type Html, html } from '../components/html.js'
import { drawFacts, drawHead, drawTabs, type Facts, type Tab } from '../components/parts.js'
import { drawId } from '../components/text.js'
import { drawTimeline, type Step } from '../components/timeline.js'
import type { Page, PageContext } from '../page-context.js'

interface RecordPage {
  readonly id: string
  readonly list: { readonly text: string; readonly path: string }
  readonly title: string
  readonly heading?: Html
  readonly sentence: Prose
  readonly actions?: Html
  readonly above?: Html
  /** Newest first. They are the first tab, *Story*. */
  readonly steps?: readonly Step[]
  readonly tabs: readonly Tab[]
  readonly facts: Facts
  readonly aside?: Html
}

export const recordPage = (ctx: PageContext, record: RecordPage): Page => {
  const { id, list, title, sentence, actions, above, steps, facts, aside } = record
  const story: Tab[] = steps ? [{ text: 'Story', body: () => drawTimeline(ctx, steps) }] : []
  const tabs = [...story, ...record.tabs]
  const parent = html`<a href="${ctx.href(list.path)}">${list.text}</a> · ${drawId(id)}`
  const heading = record.heading ?? html`<bdi>${title}</bdi>`
  return {
    title,
    body: html`
      ${drawHead(ctx, { above: parent, title: heading, sentence, actions })}
      ${above}
      <div class="columns ${above && 'section'}">
        <div>${drawTabs(ctx, 'Parts of this record', tabs)}</div>
        <aside>${drawFacts(facts)} ${aside}</aside>
      </div>`,
  }
}
