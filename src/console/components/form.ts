import type { Prose } from '../../activity/record-sentences.js'
import { capitalize } from '../../history/format.js'
import type { Row } from '../../kernel/row.js'
import type { Table } from '../../kernel/table.js'
import { type FieldSchema, fieldSchema } from '../actions.js'
import { addressWith } from '../filters.js'
import type { PageContext } from '../page-context.js'
import { attributes, type Html, html, verbatim } from './html.js'
import { drawText } from './text.js'

/** A field of a form. Its type, choices and note come from the schema of the operation. */
export interface Field {
  readonly name: string
  readonly label?: string
  readonly value?: string | undefined
  readonly options?: Options
  readonly suggestions?: Options
  readonly isMultiline?: boolean
}

type Options = readonly (string | readonly [value: string, text: string])[]

const MAX_OPTIONS = 200

/** The newest records of a table as options, by id or another value. */
export const offer = <R extends Row>(
  table: Table<R, 'all'>,
  textOf: (record: R) => string,
  readValue = ({ id }: R): string => id,
) => table.page('all', '', 0, MAX_OPTIONS).map((it) => [readValue(it), textOf(it)] as const)

interface Action {
  readonly operation: string
  readonly given?: Readonly<Record<string, string>>
  readonly kind?: 'main' | 'danger' | 'quiet' | 'option' | undefined
}

/** Posts to the one path of all actions. With script, the answer updates the page in place. */
export const drawForm = (
  ctx: PageContext,
  { operation, given = {} }: Action,
  content: Html,
  { kind = 'row', label }: { kind?: 'row' | 'card' | 'flow'; label?: string } = {},
): Html => {
  // The answer to a refused form has the address of the form, not of its page.
  const page = ctx.sent ? `?page=${encodeURIComponent(addressWith(ctx, {}))}` : ''
  const action = ctx.href(`/console/do/${operation}${page}`)
  const hidden = Object.entries(given).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`,
  )
  return html`
    <form method="post" action="${action}" hx-post="${action}" hx-disabled-elt="find button"
      class="${kind}"${attributes({ 'aria-label': label })}>${hidden}${content}</form>`
}

interface Button extends Action {
  readonly title?: string
  readonly label?: string
  readonly hotkey?: string | undefined
  readonly isDisabled?: boolean
}

export const drawButton = (ctx: PageContext, button: Button, content: Html): Html => {
  const { kind, label, title = label, hotkey, isDisabled } = button
  const given = { class: kind, title, 'aria-label': label, 'data-hotkey': hotkey }
  const all = attributes({ ...given, disabled: isDisabled })
  return drawForm(ctx, button, html`<button type="submit"${all}>${content}</button>`)
}

interface FieldForm extends Action {
  readonly fields: readonly (Field | string)[]
  readonly submit: string
}

export const drawFields = (ctx: PageContext, form: FieldForm): Html => {
  const { submit, kind = 'main' } = form
  const fields = form.fields.map((it) =>
    drawField(ctx, form, typeof it === 'string' ? { name: it } : it),
  )
  const button = html`<button type="submit" class="${kind}">${submit}</button>`
  return drawForm(ctx, form, [fields, button], { label: submit })
}

interface FoldedForm extends Omit<FieldForm, 'submit'> {
  readonly summary: string
  readonly submit?: string
  readonly note?: Prose | undefined
}

/** The same, folded under a button. It opens again with its errors, and by `?do=<operation>`. */
export const drawFolded = (ctx: PageContext, form: FoldedForm): Html => {
  const { summary, submit = summary, note, kind, operation } = form
  const open = ctx.query.get('do') === operation || isSent(ctx, form)
  return html`
    <details class="form"${attributes({ open })}>
      <summary class="button ${kind}">${summary}…</summary>
      ${drawFields(ctx, { ...form, submit })}
      ${note && html`<p class="note">${drawText(ctx, note)}</p>`}
    </details>`
}

/** Whether this form was rejected: several forms may run one operation, for different records. */
const isSent = ({ sent }: PageContext, { operation, given = {} }: Action): boolean =>
  sent?.operation === operation &&
  Object.entries(given).every(([name, value]) => sent.values[name] === value)

const drawField = (ctx: PageContext, form: Action, field: Field): Html => {
  const { name, label = capitalize(name.replaceAll('_', ' ')) } = field
  const operation = ctx.findOperation(form.operation)
  const schema = operation ? fieldSchema(operation, name) : {}
  const sent = isSent(ctx, form) ? ctx.sent : undefined
  const error = sent?.errors.get(name)
  const id = [form.operation, ...Object.values(form.given ?? {}), name].join('-')
  const note = error ?? schema.description
  const described = { 'aria-invalid': error && 'true', 'aria-describedby': note && `${id}-note` }
  const shared = attributes({ id, name, ...described })
  return html`
    <p class="field">
      <label for="${id}">${label}</label>
      ${drawControl(shared, id, schema, field, sent?.values[name] ?? field.value)}
      ${note && html`<small class="${error && 'error'}" id="${id}-note">${note}</small>`}
    </p>`
}

const drawControl = (
  shared: Html,
  id: string,
  { enum: values, example }: FieldSchema,
  { options, suggestions, isMultiline }: Field,
  value: string | undefined,
): Html => {
  const choices = options ?? values?.map(String)
  if (choices) return html`<select${shared}>${drawOptions(choices, value)}</select>`
  if (isMultiline) return html`<textarea rows="6"${shared}>${verbatim(value)}</textarea>`
  const placeholder = typeof example === 'string' ? example : undefined
  const list = suggestions && `${id}-list`
  const given = attributes({ value, placeholder, list, autocomplete: 'off' })
  const suggested = suggestions && drawOptions(suggestions, undefined)
  return html`<input${shared}${given} />${list && html`<datalist id="${list}">${suggested}</datalist>`}`
}

export const drawOptions = (options: Options, chosen: string | undefined): Html =>
  options.map((it) => {
    const [value, text] = typeof it === 'string' ? [it, it] : it
    return html`<option value="${value}"${attributes({ selected: value === chosen })}>${text}</option>`
  })

export const drawRadioButtons = (
  { id, name, legend, chosen }: Readonly<Record<'id' | 'name' | 'legend' | 'chosen', string>>,
  buttons: readonly { readonly value: string; readonly text: Html; readonly note: string }[],
): Html => html`
  <fieldset>
    <legend class="note">${legend}</legend>
    ${buttons.map(({ value, text, note }, i) => {
      const given = attributes({ id: `${id}-${i}`, name, value, checked: value === chosen })
      return html`<label class="choice"><input type="radio"${given} /> ${text}
        <small>${note}</small></label>`
    })}
  </fieldset>`
