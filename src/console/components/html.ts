import { raw, html as template } from 'hono/html'
import type { HtmlEscapedString } from 'hono/utils/html'
import { escapeBidi } from '../format.js'

export { raw }

/** A part of a page. Texts in it are escaped where it is used. */
export type Html = string | number | boolean | null | undefined | readonly Html[]

/** Markup. Escapes what is put in, and in texts the characters that reorder what surrounds them. */
export const html = (strings: TemplateStringsArray, ...values: readonly Html[]): Html =>
  template(
    strings,
    ...values.map((it, i) => (strings[i]?.endsWith('="') ? it : escapeTexts(it))),
  ) as HtmlEscapedString

const escapeTexts = (value: Html): Html => {
  if (Array.isArray(value)) return value.map(escapeTexts)
  return typeof value === 'string' ? escapeBidi(value) : value
}

/** The content of a text area. It is sent back, so no character of it is replaced. */
export const verbatim = (text = ''): Html => template`\n${text}` as HtmlEscapedString

type Values = Readonly<Record<string, string | number | boolean | undefined>>

/** Leaves out attributes without a value. Each has a space before it. */
export const attributes = (values: Values): Html =>
  Object.entries(values).map(([name, value]) => {
    if (value === undefined || value === false) return ''
    return value === true ? raw(` ${name}`) : html` ${raw(name)}="${value}"`
  })
