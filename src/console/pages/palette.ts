import { partialSearch, RECORD_TEXTS } from '../../activity/record-sentences.js'
import { createMatcher, type Hit, MAX_SEARCHED, PAGES, search } from '../../activity/search.js'
import { inSlices } from '../../lib/slices.js'
import { type Html, html } from '../components/html.js'
import { drawStatus } from '../components/text.js'
import { param } from '../filters.js'
import { drawSearchField } from '../layout.js'
import type { DrawPage, PageContext } from '../page-context.js'

/** A link. Enter opens the first, so none of them acts. */
interface Link {
  readonly text: string
  readonly path: string
  readonly mark?: Html
}

const ACTS = [
  ['New payout…', '/payments?do=newPayout'],
  ['Deposit…', '/payments?do=receiveDeposit'],
  ['Make the next call fail, or lose its response…', '/control#next'],
  ['Turn on a scenario…', '/control#scenarios'],
  ['Move the clock…', '/control#time'],
  ['Take a snapshot…', '/control#takeSnapshot-name'],
  ['Go back to before a step…', '/control#time'],
  ['Reset this world…', '/control?do=reset'],
  ['Create an API key…', '/connect?do=createApiKey'],
  ['Compare two worlds…', '/worlds'],
] as const

const MAX_HITS = 4

export const findPage: DrawPage = async (ctx) => {
  const text = param(ctx, 'q') ?? ''
  const { users, payouts, transfers, deposits } = ctx.tables
  const isPartial = [users, payouts, transfers, deposits].some(({ size }) => size > MAX_SEARCHED)
  const groups = (await findLinks(ctx, text)).filter(([, links]) => links.length > 0)
  return {
    title: 'Search',
    body: html`
      <h1>Search or do something</h1>
      <form action="/find" class="row">
        ${ctx.worldId && html`<input type="hidden" name="world" value="${ctx.worldId}" />`}
        ${drawSearchField(text)}
        <button type="submit">Search</button>
      </form>
      <div id="hits" data-text="${text}">
        ${groups.map(
          ([title, links]) =>
            html`<div><h2>${title}</h2>${links.map((it) => drawLink(ctx, it))}</div>`,
        )}
        ${groups.length === 0 && html`<p class="note">${RECORD_TEXTS.noHit}</p>`}
        ${isPartial && html`<p class="note">${partialSearch(MAX_SEARCHED)}</p>`}
      </div>`,
  }
}

const drawLink = (ctx: PageContext, { text, path, mark }: Link): Html =>
  html`<a class="option" href="${ctx.href(path)}"><bdi>${text}</bdi> ${mark}</a>`

const findLinks = async (
  ctx: PageContext,
  text: string,
): Promise<readonly (readonly [title: string, links: readonly Link[]])[]> => {
  const matchers = text.split(/\s+/).map((it) => createMatcher(it))
  const fits = ({ text }: Link) => matchers.every((has) => has([text]))
  const hits = text === '' ? [] : await inSlices(search(ctx, text, MAX_HITS))
  const ofNoun = (noun: Hit['noun']) => hits.filter((it) => it.noun === noun).map(toLink)
  return [
    ['Records', hits.filter(({ noun }) => noun !== 'requests' && noun !== 'pages').map(toLink)],
    ['Do', ACTS.map(([text, path]) => ({ text, path })).filter(fits)],
    ['Requests', ofNoun('requests')],
    [
      'Pages',
      text === '' ? Object.entries(PAGES).map(([path, text]) => ({ text, path })) : ofNoun('pages'),
    ],
  ]
}

const PATHS: Readonly<Partial<Record<Hit['noun'], string>>> = {
  requests: '/?request=',
  deposits: '/users?show=deposits&text=',
  wallets: '/users?show=wallets&text=',
  pages: '',
}

const toLink = ({ noun, id, title, status }: Hit): Link => {
  const mark = noun === 'requests' ? html`<code>${status}</code>` : drawStatus(status ?? '')
  return { text: title, path: `${PATHS[noun] ?? `/${noun}/`}${id}`, ...(status && { mark }) }
}
