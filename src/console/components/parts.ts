import type { Prose } from '../../activity/record-sentences.js'
import { formatCount } from '../../history/format.js'
import { addressWith } from '../filters.js'
import type { PageContext } from '../page-context.js'
import { attributes, type Html, html } from './html.js'
import { drawText } from './text.js'

interface Head {
  readonly above?: Html
  readonly title: Html
  readonly sentence?: Prose | undefined
  readonly actions?: Html
}

export const drawHead = (ctx: PageContext, { above, title, sentence, actions }: Head): Html => html`
  <div class="head">
    <div>
      ${above && html`<p class="note">${above}</p>`}
      <h1>${title}</h1>
      ${sentence && html`<p class="sentence">${drawText(ctx, sentence)}</p>`}
    </div>
    ${actions && html`<div class="row">${actions}</div>`}
  </div>`

/** A link that changes the page in place: the rest of it keeps its scroll position. */
export const inPlace = (href: string) => ({ href, 'hx-get': href, 'hx-push-url': 'true' }) as const

export interface Choice {
  readonly value?: string | undefined
  readonly text: Html
  readonly count?: number | undefined
}

const drawLinks = (ctx: PageContext, parameter: string, choices: readonly Choice[], kind = '') => {
  const chosen = findChosen(ctx, parameter, choices)
  return choices.map((it, i) => {
    const value = i === 0 ? undefined : it.value
    const to = inPlace(addressWith(ctx, { [parameter]: value, page: undefined }))
    const current = attributes({ ...to, 'aria-current': it === chosen && 'true' })
    const count = it.count !== undefined && html` <small>${formatCount(it.count)}</small>`
    return html`<a class="${kind}"${current}>${it.text}${count}</a>`
  })
}

const findChosen = <C extends Choice>(ctx: PageContext, parameter: string, choices: readonly C[]) =>
  choices.find(({ value }) => value === ctx.query.get(parameter)) ?? choices[0]

export const drawChips = (
  ctx: PageContext,
  parameter: string,
  label: string,
  chips: readonly Choice[],
  beside?: Html,
): Html =>
  html`<nav class="row" aria-label="${label}">${drawLinks(ctx, parameter, chips, 'chip')}${beside}</nav>`

export interface Tab extends Choice {
  readonly body: () => Html
}

/** Links, so that the chosen tab is part of the address. Draws only the chosen one. */
export const drawTabs = (ctx: PageContext, label: string, tabs: readonly Tab[]): Html => {
  const chosen = findChosen(ctx, 'tab', tabs)
  return html`<section>
    <nav class="tabs" aria-label="${label}">${drawLinks(ctx, 'tab', tabs)}</nav>
    ${chosen?.body()}
  </section>`
}

/** Small screens hide `minor` columns, and show those about the `who` of a record in one line. */
export interface Column<R> {
  readonly name: string
  readonly kind?: 'minor' | 'number' | 'minor number' | 'who' | 'who number' | 'reason'
  readonly cell: (row: R) => Html
}

/** Of a `list`, small screens show the first cell and the status in one line, the `reason` in the next. */
export const drawTable = <R>(
  label: string,
  rows: readonly R[],
  columns: readonly Column<R>[],
  kind: 'list' | '' = '',
): Html => html`
  <table aria-label="${label}" class="${kind}">
    <thead><tr>
      ${columns.map(({ name, kind = '' }) => html`<th scope="col" class="${kind}">${name}</th>`)}
    </tr></thead>
    <tbody>${rows.map(
      (row) =>
        html`<tr>${columns.map(({ kind = '', cell }) => html`<td class="${kind}">${cell(row)}</td>`)}</tr>`,
    )}</tbody>
  </table>`

export type Facts = readonly (readonly [name: Html, value: Html])[]

export const drawFacts = (facts: Facts): Html =>
  html`<dl class="facts section">${facts.map(([name, value]) => html`<dt>${name}</dt><dd>${value}</dd>`)}</dl>`

export const drawEmpty = (ctx: PageContext, text: Prose, command?: string): Html =>
  html`<div class="empty flow"><p>${drawText(ctx, text)}</p>${command && drawCommand(command)}</div>`

export const drawCommand = (text: string): Html => html`
  <div class="command">
    <pre class="json" tabindex="0">${text}</pre>
    <button type="button" data-copy="${text}">Copy</button>
  </div>`

const ICONS = {
  pages: 'M2 4h12M2 8h12M2 12h12',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10Zm3.5-1.5L14 14',
  undo: 'M6 3 2.5 6.5 6 10M3 6.5h6.5a4 4 0 0 1 0 8H7',
  redo: 'm10 3 3.5 3.5L10 10m3-3.5H6.5a4 4 0 0 0 0 8H9',
  next: 'M4 3v10l6-5-6-5Zm8 0v10',
} as const

export const drawIcon = (name: keyof typeof ICONS): Html => html`
  <svg viewBox="0 0 16 16" width="16" height="16" fill="none" stroke="currentColor"
    stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true">
    <path d="${ICONS[name]}" />
  </svg>`

export const drawMenu = (id: string, content: Html): Html =>
  html`<div class="menu" id="${id}" popover="auto">${content}</div>`
