import type { Child } from 'hono/jsx'
import { actionPath, type FieldSchema, fieldSchema } from '../actions.js'
import { capitalize, escapeBidi } from '../format.js'
import type { PageContext } from '../page-context.js'

/** A field of a form. Its type, choices and note come from the schema of the operation. */
export interface Field {
  /** As in the body, with dots for inner fields. */
  readonly name: string
  readonly label?: string
  readonly value?: string | undefined
  /** Replaces the choices of the schema. */
  readonly options?: readonly (readonly [value: string, text: string])[]
  readonly suggestions?: readonly string[]
  readonly isMultiline?: boolean
}

interface ActionProps {
  readonly ctx: PageContext
  /** Id of the control operation that the form runs. */
  readonly operation: string
  /** Fields that the user does not see, such as an id. */
  readonly given?: Readonly<Record<string, string>>
  readonly kind?: 'main' | 'danger' | 'quiet' | 'option' | undefined
}

/** Posts to the one path of all actions. With script, the answer updates the page in place. */
export const Form = ({
  ctx,
  operation,
  given = {},
  kind = 'row',
  label,
  children,
}: Omit<ActionProps, 'kind'> & {
  kind?: 'row' | 'card' | 'flow'
  label?: string | undefined
  children: Child
}) => {
  const action = ctx.href(actionPath(operation))
  return (
    <form
      method="post"
      action={action}
      hx-post={action}
      hx-disabled-elt="find button"
      class={kind}
      aria-label={label}
    >
      {Object.entries(given).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {children}
    </form>
  )
}

/** One of several values, each with its explanation. */
export interface Choice {
  readonly value: string
  readonly text: Child
  readonly note?: string | undefined
}

export const Choices = ({
  id,
  name,
  legend,
  choices,
  chosen,
}: {
  id: string
  name: string
  legend: string
  choices: readonly Choice[]
  chosen: string
}) => (
  <fieldset>
    <legend class="note">{legend}</legend>
    {choices.map(({ value, text, note }, i) => (
      <label class="choice">
        <input
          type="radio"
          id={`${id}-${i}`}
          name={name}
          value={value}
          checked={value === chosen}
        />{' '}
        {text}
        {note ? <small>{note}</small> : null}
      </label>
    ))}
  </fieldset>
)

/** A form with one button. `hotkey` presses it, and `label` names a button without text. */
export const ActionButton = ({
  kind,
  title,
  label,
  hotkey,
  isDisabled,
  children,
  ...form
}: ActionProps & {
  title?: string
  label?: string
  hotkey?: string
  isDisabled?: boolean
  children: Child
}) => (
  <Form {...form}>
    <button
      type="submit"
      class={kind}
      title={title ?? label}
      aria-label={label}
      data-hotkey={hotkey}
      disabled={isDisabled}
    >
      {children}
    </button>
  </Form>
)

/** A form with visible fields. */
export const ActionForm = ({
  fields,
  submit,
  kind = 'main',
  ...form
}: ActionProps & { fields: readonly (Field | string)[]; submit: string }) => (
  <Form {...form} label={submit}>
    {fields.map((it) => (
      <FieldInput {...form} field={typeof it === 'string' ? { name: it } : it} />
    ))}
    <button type="submit" class={kind}>
      {submit}
    </button>
  </Form>
)

/** The same, folded under a button. It opens again with its errors, and by `?do=<operation>`. */
export const FoldedForm = ({
  summary,
  note,
  isOpen = false,
  ...form
}: Parameters<typeof ActionForm>[0] & { summary: string; note?: Child; isOpen?: boolean }) => (
  <details
    class="form"
    open={isOpen || isSent(form) || form.ctx.query.get('do') === form.operation}
  >
    <summary class={`button ${form.kind ?? ''}`}>{summary}</summary>
    <ActionForm {...form} />
    {note ? <p class="note">{note}</p> : null}
  </details>
)

/** Whether this form was rejected: several forms may run one operation, for different records. */
const isSent = ({ ctx: { sent }, operation, given = {} }: Omit<ActionProps, 'kind'>): boolean =>
  sent?.operation === operation &&
  Object.entries(given).every(([name, value]) => sent.values[name] === value)

const FieldInput = ({ field, ...form }: Omit<ActionProps, 'kind'> & { field: Field }) => {
  const { ctx, operation } = form
  const { name, label = toLabel(name) } = field
  const definition = ctx.findOperation(operation)
  const schema = definition ? fieldSchema(definition, name) : {}
  const sent = isSent(form) ? ctx.sent : undefined
  const error = sent?.errors.get(name)
  const id = [operation, ...Object.values(form.given ?? {}), name].join('-')
  const value = sent?.values[name] ?? field.value
  const described = error ? `${id}-error` : schema.description ? `${id}-note` : undefined
  return (
    <p class="field">
      <label for={id}>{label}</label>
      <Control
        {...{ id, name, schema, field, value }}
        aria-invalid={error ? 'true' : undefined}
        aria-describedby={described}
      />
      {error ? (
        <small class="error" id={`${id}-error`}>
          {escapeBidi(error)}
        </small>
      ) : schema.description ? (
        <small id={`${id}-note`}>{schema.description}</small>
      ) : null}
    </p>
  )
}

const Control = ({
  schema,
  field,
  value,
  ...rest
}: {
  id: string
  name: string
  schema: FieldSchema
  field: Field
  value: string | undefined
}) => {
  const options = field.options ?? choicesOf(schema)?.map((it) => [it, it] as const)
  if (options) {
    return (
      <select {...rest}>
        {options.map(([one, text]) => (
          <option value={one} selected={one === value}>
            {text}
          </option>
        ))}
      </select>
    )
  }
  if (field.isMultiline) return <textarea {...rest}>{value}</textarea>
  const list = field.suggestions && `${rest.id}-list`
  const example = typeof schema.example === 'string' ? schema.example : undefined
  return (
    <>
      <input {...rest} value={value} placeholder={example} list={list} autocomplete="off" />
      {list ? (
        <datalist id={list}>
          {field.suggestions.map((it) => (
            <option value={it} />
          ))}
        </datalist>
      ) : null}
    </>
  )
}

const choicesOf = ({ enum: values, type }: FieldSchema): readonly string[] | undefined =>
  values ?? (type === 'boolean' ? ['false', 'true'] : undefined)

/** `Account number` for `account_number` */
const toLabel = (name: string): string =>
  capitalize(name.slice(name.lastIndexOf('.') + 1).replaceAll('_', ' '))
