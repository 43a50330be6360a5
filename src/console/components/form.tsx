import type { Child } from 'hono/jsx'
import type { PageContext } from '../page-context.js'

/** With script, an action updates the page in place. client/htmx.js defines `morph`. */
const IN_PLACE = {
  'hx-boost': 'true',
  'hx-target': '#main',
  'hx-select': '#main',
  'hx-select-oob': '#clock:morph,#picker:morph',
  'hx-swap': 'morph show:none',
  'hx-push-url': 'false',
}

/** A POST form. The action redirects to `back` or to another page. */
export const ActionForm = ({
  ctx,
  action,
  kind = 'inline',
  label,
  children,
}: {
  ctx: PageContext
  action: string
  kind?: 'inline' | 'stacked'
  label?: string
  children: Child
}) => (
  <form method="post" action={ctx.href(action)} class={kind} aria-label={label} {...IN_PLACE}>
    <input type="hidden" name="back" value={ctx.currentPath} />
    {children}
  </form>
)

/** A GET form replaces the whole query, so it must send the world again. */
export const WorldField = ({ ctx: { worldId } }: { ctx: PageContext }) =>
  worldId === undefined ? null : <input type="hidden" name="world" value={worldId} />

/** Id of the element with the errors of a form. */
export const PROBLEMS = 'problems'

/** Connects an invalid field to its error, for screen readers. */
export const describedBy = (isWrong: boolean) =>
  isWrong ? ({ 'aria-invalid': 'true', 'aria-describedby': PROBLEMS } as const) : {}

/** A form with one button and hidden fields. */
export const ActionButton = ({
  ctx,
  action,
  fields = {},
  kind,
  children,
}: {
  ctx: PageContext
  action: string
  fields?: Readonly<Record<string, string>>
  kind?: 'main' | 'bad' | undefined
  children: Child
}) => (
  <ActionForm ctx={ctx} action={action}>
    {Object.entries(fields).map(([name, value]) => (
      <input type="hidden" name={name} value={value} />
    ))}
    <button type="submit" class={kind}>
      {children}
    </button>
  </ActionForm>
)

export const Field = ({
  label,
  hint,
  children,
}: {
  label: string
  hint?: string
  children: Child
}) => (
  // biome-ignore lint/a11y/noLabelWithoutControl: the control is among the children
  <label class="field">
    <span>{label}</span>
    {children}
    {hint ? <small>{hint}</small> : null}
  </label>
)

export const Select = ({
  name,
  values,
  value,
  empty,
  label,
}: {
  name: string
  values: readonly (string | readonly [value: string, text: string])[]
  value?: string | undefined
  empty?: string
  /** For a select outside a field. */
  label?: string
}) => (
  <select name={name} aria-label={label}>
    {empty === undefined ? null : <option value="">{empty}</option>}
    {values.map((it) => {
      const [one, text] = typeof it === 'string' ? [it, it] : it
      return (
        <option value={one} selected={one === value}>
          {text}
        </option>
      )
    })}
  </select>
)
