import type { Child } from 'hono/jsx'
import type { PageContext } from '../page-context.js'
import type { Prose } from '../sentences.js'
import { Text } from './links.js'

/** A page begins with its title and a sentence, and has its actions beside them. */
export const Head = ({
  ctx,
  above,
  title,
  sentence,
  children,
}: {
  ctx: PageContext
  above?: Child
  title: Child
  sentence?: Prose | undefined
  children?: Child
}) => (
  <div class="head">
    <div>
      {above ? <p class="note">{above}</p> : null}
      <h1>{title}</h1>
      {sentence ? (
        <p class="sentence">
          <Text ctx={ctx} prose={sentence} />
        </p>
      ) : null}
    </div>
    {children ? <div class="row">{children}</div> : null}
  </div>
)
