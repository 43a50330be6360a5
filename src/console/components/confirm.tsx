import type { Child } from 'hono/jsx'
import type { Page, PageContext } from '../page-context.js'
import { ActionForm } from './form.js'
import { Panel } from './panel.js'

/** A confirmation is a page, so that it works without script. */
export const confirmPage = (
  ctx: PageContext,
  {
    title,
    action,
    verb,
    fields = {},
    back,
    children,
  }: {
    title: string
    action: string
    /** The label of the button. */
    verb: string
    fields?: Readonly<Record<string, string>>
    /** The next page, confirmed or cancelled. */
    back: string
    children: Child
  },
): Page => ({
  title,
  body: (
    <>
      <h1>{title}</h1>
      <Panel title="Effect">
        {children}
        <ActionForm ctx={{ ...ctx, currentPath: ctx.href(back) }} action={action} label={title}>
          {Object.entries(fields).map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button type="submit" class="bad">
            {verb}
          </button>
          <a class="cancel" href={ctx.href(back)}>
            Cancel
          </a>
        </ActionForm>
      </Panel>
    </>
  ),
})
