import { indentJson } from '../format.js'
import { type Html, html } from './html.js'

const NAME = /("(?:[^"\\\n]|\\.)*")(?=: )/

/** Indents JSON and colours its names. Shows other text unchanged. */
export const drawJson = (text: string, label: string): Html => {
  const parts = indentJson(text)
    .split(NAME)
    .map((part, i) => (i % 2 === 1 ? html`<span class="id">${part}</span>` : part))
  return html`<section class="json" tabindex="0" aria-label="${label}"><pre>${parts}</pre></section>`
}
