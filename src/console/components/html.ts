import { raw, html as template } from 'hono/html'
import { escapeToBuffer, type HtmlEscapedString } from 'hono/utils/html'
import { escapeBidi } from '../../history/format.js'

/** A part of a page. Texts in it are escaped where it is used. */
export type Html = string | number | boolean | null | undefined | readonly Html[]

/** Markup. Escapes what is put in, and in texts the characters that reorder what surrounds them. */
export const html = (strings: TemplateStringsArray, ...values: readonly Html[]): Html => {
  const buffer: [string] = [strings[0] ?? '']
  for (let i = 0; i < values.length; i++) {
    write(values[i], buffer, strings[i]?.endsWith('="') ?? false)
    buffer[0] += strings[i + 1]
  }
  return raw(buffer[0])
}

const write = (value: Html, buffer: [string], isAttribute: boolean): void => {
  if (typeof value === 'string') escapeToBuffer(isAttribute ? value : escapeBidi(value), buffer)
  else if (Array.isArray(value)) for (const it of value) write(it, buffer, isAttribute)
  else if (typeof value === 'number' || typeof value === 'object') buffer[0] += value ?? ''
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
